/** The write page with script: editor, live preview, locally stored text and dropped files. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { markdown, startTestApi, type TestApi } from '../support/api/api.ts';
import { checkPage } from '../support/browser/check-page.ts';
import { takeScreenshots } from '../support/browser/screenshots.ts';
import { openTestBrowser } from '../support/browser.ts';
import { insertConnection } from '../support/database/insert-connection.ts';

const browser = openTestBrowser();
const { skip } = browser;

let api: TestApi;
let cookie = '';
before(async () => {
  if (skip) return;
  api = await startTestApi();
  await insertConnection(api, api.author.id, ['blogsite_a', 'forem']);
  cookie = await api.sessions.issue('courant:cookie', api.author.id);
});
after(() => api?.close());

async function withDesk(use: (page: Page) => Promise<void>, mayFail: RegExp[] = []): Promise<void> {
  await browser.withPage({ baseURL: api.baseUrl, mayFail }, async (page) => {
    await page.context().addCookies([{ name: 'courant_session', value: cookie, url: api.baseUrl }]);
    // Leaving the page opens a confirmation, which is accepted.
    page.on('dialog', (dialog) => dialog.accept());
    await use(page);
  });
}

const TEXT = '---\ntitle: Typed here\ntags: [a, b, c, d, e, f]\n---\n\nWritten **in the browser**.\n';
const getEditor = (page: Page) => page.getByRole('textbox', { name: /^Markdown, with its frontmatter/ });
const listKept = (page: Page) =>
  page.evaluate(() => Object.keys(localStorage).filter((name) => name.startsWith('courant.text.')));

interface TransferredFile {
  name: string;
  type?: string;
  text?: string;
  bytes?: number[];
  size?: number;
}

function createTransfer(page: Page, files: TransferredFile[]) {
  return page.evaluateHandle((fileSpecs) => {
    const data = new DataTransfer();
    for (const { name, type, text, bytes, size } of fileSpecs) {
      const content = new Uint8Array(size ?? bytes?.length ?? 0);
      content.set(bytes ?? []);
      data.items.add(new File([text ?? content], name, type ? { type } : {}));
    }
    return data;
  }, files);
}

async function drop(page: Page, files: TransferredFile[]) {
  await page.dispatchEvent('[data-write]', 'drop', { dataTransfer: await createTransfer(page, files) });
}

async function paste(page: Page, files: TransferredFile[]) {
  const transfer = await createTransfer(page, files);
  await getEditor(page).evaluate((target, clipboardData) => {
    const options = { clipboardData, bubbles: true, cancelable: true, composed: true };
    target.dispatchEvent(new ClipboardEvent('paste', options));
  }, transfer);
}

test('typed text is previewed with its losses, survives the page, and is removed after the publish', { skip }, () =>
  withDesk(async (page) => {
    await page.goto('/desk/write');
    await getEditor(page).fill(TEXT);
    await page.getByText('This is a new article').waitFor();
    await page.locator('#write-preview strong', { hasText: 'in the browser' }).waitFor();
    await page.getByText(/The tag “f” is not sent/).waitFor();
    await getEditor(page).press('ControlOrMeta+End');
    await page.keyboard.type('\nA second {% youtube abc %} line.');
    await page
      .getByRole('link', { name: /^Line 8/ })
      .first()
      .click();
    await page.locator('.cm-lint-marker').first().waitFor();
    await checkPage(page, 'write-full');

    await page.reload();
    await page.getByText('Restored unsaved text').waitFor();
    await page.getByText('A second').first().waitFor();
    assert.equal((await listKept(page)).length, 1);

    await page.getByRole('button', { name: 'Publish now' }).click();
    await page.waitForURL(/\/desk\/articles\//);
    assert.deepEqual(await listKept(page), []);
    const article = await api.db
      .selectFrom('articles')
      .selectAll()
      .where('title', '=', 'Typed here')
      .executeTakeFirst();
    assert.equal(article?.status, 'PUBLISHED');
    assert.match(article.source, /A second \{% youtube abc %\} line\.$/);
  }),
);

test('two windows store separate texts and do not overwrite each other', { skip }, () =>
  withDesk(async (page) => {
    await page.goto('/desk/write');
    await checkPage(page, 'write-empty');
    await getEditor(page).fill('# Of the first window');
    await page.waitForFunction(() => Object.keys(localStorage).length === 1);
    const other = await page.context().newPage();
    await other.goto('/desk/write');
    await getEditor(other).fill('# Of the second window');
    await other.waitForFunction(() => Object.keys(localStorage).length === 2);
    await page.reload();
    await page.getByText('Restored unsaved text').waitFor();
    assert.match(await getEditor(page).innerText(), /Of the first window/);
    await page.getByRole('button', { name: 'Discard' }).click();
    await page.waitForFunction(() => Object.keys(localStorage).length === 1);
    assert.match(await getEditor(other).innerText(), /Of the second window/);
  }),
);

test(
  'if the server is unreachable or the session has ended, the text stays and the page shows a notice',
  { skip },
  () =>
    withDesk(
      async (page) => {
        await page.goto('/desk/write');
        await page.route('**/desk/write**', (route) => route.abort('connectionrefused'));
        await getEditor(page).fill(markdown({ title: 'Kept meanwhile' }));
        await page.getByText('The server does not respond. Continue writing').waitFor();
        await page.getByRole('button', { name: 'Publish now' }).click();
        await page.getByText('Send it again; it is never published twice.').waitFor();
        await page.unroute('**/desk/write**');
        await page.context().clearCookies({ name: 'courant_session' });
        await page.getByRole('button', { name: 'Publish now' }).click();
        await page.getByText('Your session has ended.').waitFor();
        await page.context().addCookies([{ name: 'courant_session', value: cookie, url: api.baseUrl }]);
        await page.getByRole('button', { name: 'Publish now' }).click();
        await page.waitForURL(/\/desk\/articles\//);
        assert.deepEqual(await listKept(page), []);
      },
      [/CONNECTION_REFUSED/],
    ),
);

test('one dropped file is opened; several become a list that is published in sequence, each once', { skip }, () =>
  withDesk(async (page) => {
    await page.goto('/desk/write');
    await drop(page, [{ name: 'latin-1.md', bytes: [0x23, 0x20, 0xc4, 0x70, 0x66, 0x65, 0x6c] }]);
    await page
      .getByRole('alert')
      .getByText(/not valid UTF-8/)
      .waitFor();
    await drop(page, [{ name: 'huge.md', size: 100 * 1024 * 1024 }]);
    await page
      .getByRole('alert')
      .getByText(/has 100\.0 MiB; the limit is 1 MiB/)
      .waitFor();
    await drop(page, [{ name: 'one.md', text: '# Dropped alone\r\n\r\nText.\r\n' }]);
    await page.getByText('one.md is open in the editor.').waitFor();
    await page.getByText('This is a new article').waitFor();

    await drop(page, [
      { name: 'good.md', text: markdown({ title: 'Good' }) },
      { name: 'bad.md', text: '---\ntitle: [\n---\n' },
      { name: 'secret.md', text: markdown({ title: 'Secret', private: true }) },
      { name: 'draft.md', text: markdown({ title: 'A draft', draft: true }) },
      { name: 'picture.png', text: 'no' },
    ]);
    await page.getByText('4 of 4 checked; 2 can be published.').waitFor();
    await page.getByText('4 Markdown files. 1 other file is skipped.').waitFor();
    const row = (name: string) => page.getByRole('row').filter({ has: page.getByRole('rowheader', { name }) });
    await row('bad.md').getByText('Needs fixes').waitFor();
    await row('secret.md').getByText('May not be public').waitFor();
    await takeScreenshots(page, 'write-files');
    await page.getByRole('button', { name: 'Publish selected files' }).click();
    await page.getByText('2 published.', { exact: true }).waitFor();
    await row('good.md').getByText('Created').waitFor();
    const rows = await api.db.selectFrom('articles').select(['title', 'status']).orderBy('title').execute();
    const found = rows.filter(({ title }) => ['Good', 'Secret', 'A draft'].includes(title));
    assert.deepEqual(found, [
      { title: 'A draft', status: 'DRAFT' },
      { title: 'Good', status: 'PUBLISHED' },
    ]);
  }),
);

test('a dropped text saved as a draft before its preview arrives does not unpublish its article', { skip }, () =>
  withDesk(
    async (page) => {
      await api.publish({ content: markdown({ title: 'Public already' }) });
      const findStatus = async () =>
        (await api.db.selectFrom('articles').select('status').where('title', '=', 'Public already').executeTakeFirst())
          ?.status;
      await page.goto('/desk/write');
      await page.route('**/desk/write/preview', () => undefined);
      await drop(page, [{ name: 'one.md', text: markdown({ title: 'Public already' }, 'Newer text.') }]);
      await page.getByText('one.md is open in the editor.').waitFor();
      await page.getByRole('button', { name: 'Save as a draft' }).click();
      await page.getByRole('alert').getByText('“Public already” is public.').waitFor();
      assert.equal(await findStatus(), 'PUBLISHED');
      await page.getByLabel('I am sure. Continue anyway.').check();
      // The confirmation is for that text only.
      await drop(page, [{ name: 'two.md', text: markdown({ title: 'Public already' }, 'Other text.') }]);
      await page.getByText('two.md is open in the editor.').waitFor();
      await page.getByRole('button', { name: 'Save as a draft' }).click();
      await page.getByRole('alert').getByText('“Public already” is public.').waitFor();
      assert.equal(await findStatus(), 'PUBLISHED');
      await page.getByLabel('I am sure. Continue anyway.').check();
      await page.getByRole('button', { name: 'Save as a draft' }).click();
      await page.waitForURL(/\/desk\/articles\//);
      assert.equal(await findStatus(), 'DRAFT');
    },
    [/422/],
  ),
);

test('of two files that update one article, only the first is selected, with the reason', { skip }, () =>
  withDesk(async (page) => {
    await api.publish({ content: markdown({ title: 'Same' }) });
    await page.goto('/desk/write');
    await drop(page, [
      { name: 'first.md', text: markdown({ title: 'Same' }) },
      { name: 'second.md', text: markdown({ title: 'Same' }, 'Other text.') },
      { name: 'third.md', text: markdown({ title: 'Not the same' }) },
    ]);
    await page.getByText('3 of 3 checked; 2 can be published.').waitFor();
    const row = (name: string) => page.getByRole('row').filter({ has: page.getByRole('rowheader', { name }) });
    await row('second.md').getByText('It updates the same article as first.md').waitFor();
    assert.equal(await row('first.md').getByRole('checkbox').isChecked(), true);
    assert.equal(await row('second.md').getByRole('checkbox').isChecked(), false);
  }),
);

const PNG = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

test('a dropped, pasted or chosen picture is rejected by name, with the alternative', { skip }, () =>
  withDesk(async (page) => {
    await page.goto('/desk/write');
    const expectRefusal = async (names: string) => {
      const text = `${names}: Pictures cannot be uploaded yet.`;
      await page.getByRole('alert').getByText(text).waitFor();
      await page.getByRole('alert').getByText('![What it shows](https://example.org/picture.png)').waitFor();
    };
    await getEditor(page).fill('Typed before.');
    await drop(page, [{ name: 'photo.jpg', type: 'image/jpeg', size: 8 * 1024 * 1024 }]);
    await expectRefusal('photo.jpg');
    await takeScreenshots(page, 'write-picture');
    await drop(page, [
      { name: 'drawing.svg', type: 'image/svg+xml', text: '<svg xmlns="http://www.w3.org/2000/svg"/>' },
    ]);
    await expectRefusal('drawing.svg');
    // Without a media type and too large for a text, so only the first bytes identify the picture.
    await drop(page, [{ name: 'named-like-text.md', bytes: PNG, size: 3_000_000 }]);
    await expectRefusal('named-like-text.md');
    await drop(page, [
      { name: 'first.png', type: 'image/png', bytes: PNG },
      { name: 'second.gif', type: 'image/gif', bytes: PNG },
    ]);
    await expectRefusal('first.png, second.gif');
    assert.equal(await page.locator('#write-files').isHidden(), true);
    await drop(page, [
      { name: 'beside.png', type: 'image/png', bytes: PNG },
      { name: 'text.md', text: markdown({ title: 'Beside a picture' }) },
    ]);
    await expectRefusal('beside.png');
    await page.getByText('1 of 1 checked; 1 can be published.').waitFor();
    await paste(page, [{ name: 'pasted.png', type: 'image/png', bytes: PNG }]);
    await expectRefusal('pasted.png');
    await page
      .getByLabel('Open a Markdown file')
      .setInputFiles({ name: 'chosen.png', mimeType: 'image/png', buffer: Buffer.from(PNG) });
    await expectRefusal('chosen.png');
    assert.equal(await getEditor(page).innerText(), 'Typed before.');
  }),
);

test('text typed during a publish is not lost, and the page is not left', { skip }, () =>
  withDesk(async (page) => {
    await page.goto('/desk/write');
    await getEditor(page).fill(markdown({ title: 'Sent slowly' }));
    await page.getByText('This is a new article').waitFor();
    const sending = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<void>();
    await page.route('**/desk/write', async (route) => {
      sending.resolve();
      await goOn.promise;
      await route.continue();
    });
    await page.getByRole('button', { name: 'Publish now' }).click();
    await sending.promise;
    await getEditor(page).press('ControlOrMeta+End');
    await page.keyboard.type('Typed meanwhile.');
    goOn.resolve();
    await page.getByText('Your later changes are not published yet').waitFor();
    assert.match(await getEditor(page).innerText(), /Typed meanwhile\./);
    await page.getByText(/This updates your article/).waitFor();
    await page.getByRole('button', { name: 'Publish now' }).click();
    await page.waitForURL(/\/desk\/articles\//);
    const rows = await api.db.selectFrom('articles').select('source').where('title', '=', 'Sent slowly').execute();
    assert.equal(rows.length, 1);
    assert.match(rows[0]?.source ?? '', /Typed meanwhile\./);
    assert.deepEqual(await listKept(page), []);
  }),
);

test('a text without room removes no other text, and the author is notified', { skip }, () =>
  withDesk(async (page) => {
    await page.goto('/desk/write');
    const [mine, others] = [`courant.text.${api.author.id}.new.older`, 'courant.text.somebody.new.else'];
    await page.evaluate(
      ([first = '', second = '']) => {
        const text = JSON.stringify({ text: '# Older', seen: '', fileName: '', at: 1 });
        localStorage.setItem(first, text);
        localStorage.setItem(second, text);
        localStorage.setItem('full', 'x'.repeat(5_200_000));
      },
      [mine, others],
    );
    await getEditor(page).fill(`# Large\n\n${'word '.repeat(20_000)}`);
    await page.getByText(/does not fit into the storage of this browser/).waitFor();
    assert.deepEqual((await listKept(page)).sort(), [mine, others].sort());
  }),
);

test(
  'the editor uses the colors of the desk in its text, gutter, search panel and matches, in both schemes',
  { skip },
  () =>
    withDesk(async (page) => {
      await page.goto('/desk/write');
      await getEditor(page).fill('Found words and other words.\n');
      await getEditor(page).press('ControlOrMeta+f');
      await page.keyboard.type('words');
      await page.locator('.cm-searchMatch').first().waitFor();
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        for (const [selector, property, variable] of [
          ['.cm-editor', 'background-color', '--paper'],
          ['.cm-editor', 'color', '--text'],
          ['.cm-cursor', 'border-left-color', '--text'],
          ['.cm-gutters', 'background-color', '--raised'],
          ['.cm-gutters', 'color', '--soft'],
          ['.cm-panels', 'background-color', '--raised'],
          ['.cm-panels', 'color', '--text'],
          ['.cm-panels-top', 'border-bottom-color', '--line'],
          ['.cm-textfield', 'background-color', '--paper'],
          ['.cm-textfield', 'color', '--text'],
          ['.cm-button', 'border-top-color', '--strong-line'],
          ['.cm-searchMatch:not(.cm-searchMatch-selected)', 'background-color', '--mark'],
        ] as const) {
          const colors = await page
            .locator(selector)
            .first()
            .evaluate(
              (element, names) => {
                const expected = document.body.appendChild(document.createElement('span'));
                expected.style.color = `var(${names.variable})`;
                const found = getComputedStyle(element).getPropertyValue(names.property);
                const color = getComputedStyle(expected).color;
                expected.remove();
                return { found, color };
              },
              { property, variable },
            );
          assert.equal(colors.found, colors.color, `${colorScheme} ${selector} ${property}`);
        }
      }
    }),
);
