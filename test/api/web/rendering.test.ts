/** Parts of pages: escaping, heads, fields, notices, times, cursors, and pages about errors. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fastify } from 'fastify';
import { ProblemError } from '../../../api/plugins/errors/problem.ts';
import { renderAvatar } from '../../../api/web/avatar.ts';
import { renderLocatedMessage } from '../../../api/web/desk/field-message.ts';
import { formatQuantity } from '../../../api/web/desk/format-count.ts';
import { formatLocal, formatTime, renderTime } from '../../../api/web/desk/times.ts';
import { errorPlugin } from '../../../api/web/error-handler.ts';
import { renderCheckbox, renderInput, renderSelect, renderTextarea } from '../../../api/web/fields.ts';
import { renderHead } from '../../../api/web/head.ts';
import { html, trustHtml } from '../../../api/web/html.ts';
import { readCursor, readTimePosition, writeCursor } from '../../../api/web/lists/cursor.ts';
import { readNextPath } from '../../../api/web/next-path.ts';
import { renderNotFoundPage, renderUnavailablePage, renderWithdrawnPage } from '../../../api/web/not-found-page.ts';
import { renderNotice, runToNotice } from '../../../api/web/notice.ts';
import { RefusedCommandError } from '../../../store/commands/refused-command.ts';
import { recordHtml } from '../../support/api/record-html.ts';

test('inserted values are escaped, HTML is not, and missing values are empty', () => {
  const items = ['<', '&'].map((text) => html`<li>${text}</li>`);
  assert.equal(
    html`${`<a b="c" d='e'>&`}|${null}|${undefined}|${false}|${0}|${trustHtml('<b>')}|${items}`.text,
    '&lt;a b=&quot;c&quot; d=&#39;e&#39;&gt;&amp;||||0|<b>|<li>&lt;</li><li>&amp;</li>',
  );
});

test('heads, pictures, fields and notices of pages', (context) => {
  const field = { name: 'title', label: 'Title <b>' };
  const options = [
    ['', 'None'],
    ['a', 'A'],
  ] as const;
  const person = { name: ' éva', pictureUrl: null };
  recordHtml(context, import.meta.dirname, 'parts', {
    'head, minimal': renderHead({ title: 'A title' }, html`<style></style>`),
    'head, complete': renderHead(
      { title: 'A <title>', description: 'What "it" is.', isNoindex: true, head: html`<link rel="next" href="/2">` },
      html`<style></style>`,
    ),
    'initial, small': renderAvatar(person, 'small'),
    'initial, large': renderAvatar(person, 'large'),
    'no initial': renderAvatar({ name: ' ', pictureUrl: null }),
    picture: renderAvatar({ name: 'x', pictureUrl: 'https://a.example/p?a&b' }, 'large'),
    'input, required': renderInput(field),
    'input, optional with hint and problem': renderInput(
      { ...field, id: 'other', value: '"x"', hint: html`<b>Hint</b>`, problem: 'Wrong <b>.', isOptional: true },
      html` maxlength="5"`,
    ),
    textarea: renderTextarea({ ...field, value: '\n<b>' }, html` rows="2"`),
    select: renderSelect({ ...field, value: 'a' }, options),
    'select, unknown value': renderSelect({ ...field, value: 'b' }, options),
    checked: renderCheckbox({ name: 'all', label: 'All <b>', isChecked: true }),
    unchecked: renderCheckbox({ name: 'all', label: 'All', isChecked: false }),
    done: renderNotice({ kind: 'done', text: 'Saved <b>.' }),
    refused: renderNotice({ kind: 'refused', text: 'No.' }),
    warning: renderNotice({ kind: 'warning', text: 'Careful.' }),
    'no notice': renderNotice(null),
    'message without a position': renderLocatedMessage({ message: 'Wrong <b>.' }),
    'message in a line': renderLocatedMessage({ message: 'Wrong.', line: 2 }),
    'message in a column': renderLocatedMessage({ message: 'Wrong.', line: 2, column: 7 }),
    time: renderTime(new Date('2026-11-22T19:21:00Z'), 'Asia/Tokyo'),
  });
});

test('times are formatted in the zone that they name', () => {
  const at = new Date('2026-01-02T23:04:05Z');
  assert.equal(formatTime(at, 'UTC'), '2 Jan 2026, 23:04 UTC');
  assert.equal(formatTime(at, 'Europe/Berlin'), '3 Jan 2026, 00:04 Europe/Berlin');
  assert.equal(formatLocal(at, 'UTC'), '2026-01-02T23:04');
  assert.equal(formatLocal(at, 'Europe/Berlin'), '2026-01-03T00:04');
  assert.equal(formatTime(at, 'Europe/Berlin'), '3 Jan 2026, 00:04 Europe/Berlin', 'both formats of one zone');
  assert.deepEqual(
    [0, 1, 2, 12_345].map((count) => formatQuantity(count, 'copy', 'copies')),
    ['0 copies', '1 copy', '2 copies', '12,345 copies'],
  );
});

test('a form that is refused becomes a notice; another failure does not', async () => {
  assert.deepEqual(await runToNotice(async () => 'Saved.'), { kind: 'done', text: 'Saved.' });
  const notice = { kind: 'warning', text: 'Careful.' } as const;
  assert.equal(await runToNotice(async () => notice), notice);
  const refuse = () => Promise.reject(new RefusedCommandError('NOT_FOUND', 'Gone.'));
  assert.deepEqual(await runToNotice(refuse), { kind: 'refused', text: 'Gone.' });
  await assert.rejects(
    runToNotice(() => Promise.reject(new Error('Broken.'))),
    /Broken/,
  );
});

test('a cursor contains its list and a position; any other text is none', () => {
  const id = '00000000-0000-4000-8000-000000000000';
  const position = { publishedAt: 1, id };
  assert.deepEqual(readCursor(writeCursor('a list', position)), { list: 'a list', position });
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  for (const cursor of [
    '',
    '!',
    encode({}),
    encode([1, position]),
    encode(['a', 1]),
    encode(['a', null]),
    encode(['a']),
  ])
    assert.equal(readCursor(cursor), null, cursor);
  const fits = encode(['x'.repeat(743), {}]);
  assert.deepEqual([fits.length, readCursor(fits)?.list.length], [1_000, 743]);
  assert.equal(readCursor(encode(['x'.repeat(744), {}])), null);
  for (const micros of [0, -7_999_999_999_999_999, 7_999_999_999_999_999])
    assert.deepEqual(readTimePosition(micros, id), { micros, id });
  for (const micros of [8_000_000_000_000_000, -8_000_000_000_000_000, 0.5, '1', null])
    assert.equal(readTimePosition(micros, id), null, String(micros));
  for (const other of ['x', 1, null, `${id}0`]) assert.equal(readTimePosition(1, other), null);
});

test('the path after signing in is one of this site, but no sign-in or sign-out', () => {
  for (const path of ['/', '/desk/write?draft=1#top', '/logins', '/logout-notes', '/a%20b'])
    assert.equal(readNextPath(path), path);
  for (const path of ['/login', '/login/', '/logout', '/logout/x', '/a b', '/ü', 'desk', '/x/../login', 5, ['/a']])
    assert.equal(readNextPath(path), '/desk', String(path));
});

test('errors are pages for browsers and problems for programs', async () => {
  const app = fastify({ genReqId: () => 'r-1' });
  await app.register(errorPlugin);
  const fail = (status: number) => async () => {
    throw new ProblemError(status, 'invalid_request', 'Detail.', { headers: { 'retry-after': '2' } });
  };
  for (const prefix of ['', '/api']) {
    app.get(`${prefix}/failed`, fail(503));
    app.get(`${prefix}/refused`, fail(422));
    app.post(`${prefix}/failed`, fail(503));
  }
  const send = async (url: string, method: 'GET' | 'POST' = 'GET') => {
    const { statusCode, headers, body } = await app.inject({ url, method });
    const isPage = headers['content-type'] === 'text/html; charset=utf-8';
    assert.equal(headers['cache-control'], 'no-store');
    assert.ok(isPage || headers['content-type'] === 'application/problem+json; charset=utf-8');
    return [statusCode, headers['retry-after'], isPage ? 'page' : JSON.parse(body).detail];
  };
  assert.deepEqual(await send('/failed'), [503, '2', 'page']);
  assert.deepEqual(await send('/failed', 'POST'), [503, '2', 'Detail.']);
  assert.deepEqual(await send('/refused'), [422, '2', 'Detail.']);
  assert.deepEqual(await send('/api/failed'), [503, '2', 'Detail.']);
  const missing = (path: string) => [404, undefined, `Nothing found at GET ${path}.`];
  assert.deepEqual(await send('/nowhere?a=1'), [404, undefined, 'page']);
  for (const path of ['/api', '/graphql/x', '/notifications/x', '/health/x', '/.well-known/x'])
    assert.deepEqual(await send(`${path}?a=1`), missing(path));
  for (const path of ['/apis', '/x/api/', '/well-known/x']) assert.equal((await send(path))[2], 'page', path);
  assert.deepEqual(await send('/nowhere?a=1', 'POST'), [404, undefined, 'Nothing found at POST /nowhere.']);
  assert.deepEqual(await send(`/api/${'x'.repeat(300)}`), missing(`/api/${'x'.repeat(195)}`));
  const headers = (await app.inject('/nowhere')).headers;
  assert.deepEqual(
    [headers['x-content-type-options'], headers['referrer-policy']],
    ['nosniff', 'strict-origin-when-cross-origin'],
  );
  assert.match(
    String(headers['content-security-policy']),
    /^default-src 'none'; img-src \* data:; style-src 'sha256-[\w+/=]{44}'; script-src 'sha256-[\w+/=]{44}' 'strict-dynamic'; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'$/,
  );
  await app.close();
});

test('pages about missing articles state the reason and offer a search', (context) => {
  const readMain = (page: string) =>
    trustHtml(/<title>.*<\/title>/.exec(page)?.[0] + (/<main[\s\S]*<\/main>/.exec(page)?.[0] ?? ''));
  recordHtml(context, import.meta.dirname, 'missing-pages', {
    'not found': readMain(renderNotFoundPage()),
    withdrawn: readMain(renderWithdrawnPage()),
    unavailable: readMain(renderUnavailablePage()),
  });
  assert.match(renderNotFoundPage(), /<meta name="robots" content="noindex">/);
  assert.doesNotMatch(renderUnavailablePage(), /noindex/);
});
