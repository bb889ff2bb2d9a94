/** The list of dropped files: what it shows for each response of the server. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page, Route } from 'playwright-core';
import { startTestApi, type TestApi } from '../support/api/api.ts';
import { openTestBrowser } from '../support/browser.ts';

const browser = openTestBrowser();
const { skip } = browser;
let api: TestApi;
let cookie = '';
before(async () => {
  if (skip) return;
  api = await startTestApi();
  cookie = await api.sessions.issue('courant:cookie', api.author.id);
});
after(() => api?.close());

type Answer = { status?: number; body?: object; retryAfter?: string } | 'away';
/** The answers of a path by file name, in order. The fields of each request are recorded. */
async function answer(page: Page, path: string, answers: Record<string, Answer[]>): Promise<string[]> {
  const seen: string[] = [];
  await page.route(path, (route: Route) => {
    const text = route.request().postData() ?? '';
    const name = /filename="([^"]*)"/.exec(text)?.[1] ?? '';
    const read = (field: string) => new RegExp(`name="${field}"\\r\\n\\r\\n([^\\r]*)`).exec(text)?.[1];
    const fields = ['intent', 'seen', 'sure'].map((field) => read(field) ?? '-');
    seen.push([name, ...fields, read('key')?.length, read('user') === api.author.id].join(' '));
    const next = answers[name]?.shift() ?? 'away';
    if (next === 'away') return route.abort('connectionrefused');
    const { status = 200, body = {}, retryAfter } = next;
    const headers = retryAfter === undefined ? {} : { 'retry-after': retryAfter };
    return route.fulfill({ status, headers, contentType: 'application/json', body: JSON.stringify(body) });
  });
  return seen;
}

const preview = (changes: object): Answer => ({
  body: {
    html: '',
    marks: [],
    seen: 'new',
    isPublishable: true,
    title: 'T',
    status: 'PUBLISHED',
    updates: null,
    isDoubtful: false,
    ...changes,
  },
});
const problem = (status: number, detail: string, more: object = {}, retryAfter?: string): Answer => ({
  ...{ status, body: { code: 'x', detail, errors: [], ...more } },
  ...(retryAfter === undefined ? {} : { retryAfter }),
});
const mark = (kind: string, line: number, message: string) => ({ kind, line, column: 1, message });

/** Each row as its checkbox, its file name and its result. */
const readRows = (page: Page) =>
  page.locator('#write-files tbody tr').evaluateAll((rows) =>
    rows.map((row) => {
      const { checked, disabled } = row.querySelector('input') as HTMLInputElement;
      const box = `${checked ? 'x' : '-'}${disabled ? '!' : ''}`;
      return [box, ...[...row.children].slice(1).map((cell) => cell.textContent?.replace(/\s+/g, ' ').trim())].join(
        ' | ',
      );
    }),
  );

async function dropFiles(page: Page, files: Record<string, string>): Promise<void> {
  const dataTransfer = await page.evaluateHandle((entries) => {
    const data = new DataTransfer();
    for (const [name, text] of entries) data.items.add(new File([text], name));
    return data;
  }, Object.entries(files));
  await page.dispatchEvent('[data-write]', 'drop', { dataTransfer });
}

const withList = (use: (page: Page) => Promise<void>) =>
  browser.withPage({ baseURL: api.baseUrl, mayFail: [/./] }, async (page) => {
    await page.context().addCookies([{ name: 'courant_session', value: cookie, url: api.baseUrl }]);
    page.on('dialog', (dialog) => dialog.accept());
    await page.goto('/desk/write');
    await use(page);
  });

test('each file shows what its publish would do, or why it cannot be published', { skip }, () =>
  withList(async (page) => {
    const requests = await answer(page, '**/desk/write/preview', {
      'a-new.md': [preview({})],
      'b-update.md': [preview({ updates: 'Old', seen: 's2', marks: [mark('error', 1, 'e'), mark('warning', 2, 'w')] })],
      'c-draft.md': [preview({ status: 'DRAFT' })],
      'd-scheduled.md': [preview({ status: 'SCHEDULED' })],
      'e-doubtful.md': [preview({ isDoubtful: true, seen: null })],
      'f-marked.md': [preview({ isPublishable: false, marks: [mark('warning', 1, 'w'), mark('error', 3, 'Wrong.')] })],
      'g-listed.md': [preview({ isPublishable: false, html: '<ul><li> No title. </li><li>More.</li></ul>' })],
      'h-bare.md': [preview({ isPublishable: false, html: '' })],
      'i-refused.md': [
        problem(422, 'Not so.', {
          errors: [
            { path: '', message: 'Because.' },
            { path: '', message: 'More.' },
          ],
        }),
      ],
      'j-away.md': ['away'],
      'k-signed-out.md': [{ status: 401 }],
      'l-later.md': [problem(429, 'Too fast.', {}, '1'), preview({})],
      'm-repeated.md': [problem(400, 'Same.', { errors: [{ path: '', message: 'Same.' }] })],
    });
    const names = [
      'a-new',
      'b-update',
      'c-draft',
      'd-scheduled',
      'e-doubtful',
      'f-marked',
      'g-listed',
      'h-bare',
      'i-refused',
      'j-away',
      'k-signed-out',
      'l-later',
      'm-repeated',
    ];
    await dropFiles(page, {
      ...Object.fromEntries(names.map((name) => [`${name}.md`, '# Text'])),
      'n-binary.md': 'a\u0000b',
      'o.txt': 'x',
      'p.txt': 'x',
    });
    const status = page.locator('#write-files [role=status]');
    await status.getByText('Waiting 1 s: Too fast.', { exact: true }).waitFor();
    await status.getByText('14 of 14 checked; 5 can be published.', { exact: true }).waitFor();
    await page
      .getByText(
        '14 Markdown files. 2 other files are skipped. The frontmatter of each file decides how it is published.',
      )
      .waitFor();
    assert.deepEqual(await readRows(page), [
      'x | a-new.md | Ready New article. Open',
      'x | b-update.md | Ready Updates “Old”. Line 2: w Open',
      'x | c-draft.md | Ready New article. A draft: only you can see it. Open',
      'x | d-scheduled.md | Ready New article. Scheduled. Open',
      '- | e-doubtful.md | May not be public New article. Open',
      '-! | f-marked.md | Needs fixes Line 3: Wrong. Open',
      '-! | g-listed.md | Needs fixes No title. Open',
      '-! | h-bare.md | Needs fixes Open',
      '-! | i-refused.md | Not checked Not so. Because. Open',
      '- | j-away.md | Not checked The server does not respond and may not have received the file. Try again; it is never published twice. Open',
      '- | k-signed-out.md | Not checked Your session has ended. Sign in again in another tab, then publish again. Open',
      'x | l-later.md | Ready New article. Open',
      '-! | m-repeated.md | Not checked Same. Open',
      '-! | n-binary.md | Not text This is not a text file. Open',
    ]);
    assert.deepEqual([requests[0], requests.length], ['a-new.md document  - 32 true', 14]);
    const tones = await page
      .locator('#write-files tbody .state')
      .evaluateAll((states) => states.map(({ className }) => className));
    const [good, warn, bad] = ['state good', 'state warn', 'state bad'];
    assert.deepEqual(tones, [good, warn, good, good, warn, bad, bad, bad, warn, warn, warn, good, warn, bad]);
    const labels = await page
      .locator('#write-files tr')
      .nth(1)
      .locator('input, button')
      .evaluateAll((controls) => controls.map((control) => control.getAttribute('aria-label')));
    assert.deepEqual(labels, ['Publish a-new.md', 'Open a-new.md in the editor']);
    assert.deepEqual(await page.locator('#write-files th[scope=col]').allTextContents(), ['Publish', 'File', 'Result']);
    await page.getByRole('button', { name: 'Open b-update.md in the editor' }).click();
    await page.getByText('b-update.md is open in the editor.').waitFor();
  }),
);

test('each selected file shows the result of its publish, and only failed ones are sent again', { skip }, () =>
  withList(async (page) => {
    const names = ['a.md', 'b.md', 'c.md', 'd.md'];
    await answer(
      page,
      '**/desk/write/preview',
      Object.fromEntries(names.map((name) => [name, [preview({ seen: name })]])),
    );
    const published = (action: string): Answer => ({ body: { action, path: '/x', text: '' } });
    const requests = await answer(page, '**/desk/write', {
      'a.md': [published('created')],
      'b.md': [published('updated')],
      'c.md': [problem(422, 'Not so.'), published('created')],
    });
    await dropFiles(page, Object.fromEntries(names.map((name) => [name, '# Text'])));
    const status = page.locator('#write-files [role=status]');
    await status.getByText('4 of 4 checked; 4 can be published.', { exact: true }).waitFor();
    await page.getByLabel('Publish d.md').uncheck();
    const publish = page.getByRole('button', { name: 'Publish selected files' });
    await publish.click();
    await status
      .getByText('2 of 3 published. Publish the failed files again; none is published twice.', { exact: true })
      .waitFor();
    assert.deepEqual(await readRows(page), [
      '-! | a.md | Created View Open',
      '-! | b.md | Updated View Open',
      'x | c.md | Failed Not so. Open',
      '- | d.md | Ready New article. Open',
    ]);
    const link = page.locator('#write-files a').first();
    assert.deepEqual(
      [await link.getAttribute('href'), await link.getAttribute('target'), await link.getAttribute('rel')],
      ['/x', '_blank', 'noopener'],
    );
    await publish.click();
    await status.getByText('1 published.', { exact: true }).waitFor();
    assert.deepEqual(
      requests,
      ['a.md', 'b.md', 'c.md', 'c.md'].map((name) => `${name} document ${name} yes 32 true`),
    );
    // Of a file without a response, nothing is known; it is sent again until its author stops.
    await page.getByLabel('Publish d.md').check();
    await publish.click();
    await status.getByText(/^Waiting 3 s: The server does not respond and may not have received the file\./).waitFor();
    await page.getByRole('button', { name: 'Stop' }).click();
    await status.getByText(/^0 of 1 published\./).waitFor();
    assert.match((await readRows(page)).at(-1) ?? '', /^x \| d\.md \| Failed The server does not respond/);
    assert.equal(await page.getByRole('button', { name: 'Stop' }).isHidden(), true);
    assert.equal(await page.getByRole('progressbar', { name: 'Completed files' }).getAttribute('value'), '1');
  }),
);
