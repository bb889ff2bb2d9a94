/** Tests the cards of articles at their addresses. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { markdown, startTestApi, type TestApi } from '../../support/api/api.ts';
import { publish as publishAndDerive } from './support/site.ts';

let api: TestApi;
const logged: string[] = [];
before(async () => {
  api = await startTestApi({ observed: { log: { write: (line: string) => logged.push(line) } } });
});
after(() => api.close());

async function publish(frontmatter: Record<string, unknown>): Promise<string> {
  const { body } = await api.publish({ content: markdown(frontmatter) });
  assert.ok(body.data, JSON.stringify(body));
  return `${api.url}/${body.data.slug}`;
}

async function readPicture(page: string): Promise<string> {
  const text = await (await fetch(page)).text();
  assert.match(text, /<meta name="twitter:card" content="summary_large_image">/);
  return /property="og:image" content="([^"]+)"/.exec(text)?.[1] ?? '';
}

const sendRequest = (address: string) => fetch(address, { redirect: 'manual' });

test('a page links to the cacheable card of its article, which is the same for concurrent requests', async () => {
  const card = await readPicture(await publish({ title: 'A card for all', tags: ['one', 'two'] }));
  assert.match(card, /\/cards\/a-card-for-all-[0-9a-f]{16}\.png$/);
  const answers = await Promise.all(Array.from({ length: 30 }, () => sendRequest(card)));
  const bodies = await Promise.all(answers.map(async (answer) => Buffer.from(await answer.arrayBuffer())));
  for (const [index, { status, headers }] of answers.entries()) {
    assert.equal(status, 200);
    assert.equal(headers.get('content-type'), 'image/png');
    assert.equal(headers.get('cache-control'), 'public, max-age=86400, immutable');
    assert.equal(headers.get('access-control-allow-origin'), '*');
    assert.deepEqual(bodies[index], bodies[0]);
  }
  assert.deepEqual([bodies[0]?.readUInt32BE(16), bodies[0]?.readUInt32BE(20)], [1200, 630]);
  const again = await fetch(card, { headers: { 'if-none-match': answers[0]?.headers.get('etag') ?? '' } });
  assert.equal(again.status, 304);
});

test('an article with a cover image uses it instead of a card', async () => {
  const cover = 'https://pictures.example/cover.png';
  assert.equal(await readPicture(await publish({ title: 'With a cover', cover_image: cover })), cover);
});

test('the address of a former card redirects to the current one, also under a former slug', async () => {
  const before = await readPicture(await publish({ id: 'renamed', title: 'Before', slug: 'before' }));
  const page = await publish({ id: 'renamed', title: 'After', slug: 'after' });
  const after = await readPicture(page);
  assert.notEqual(after, before);
  for (const old of [before, before.replace('/cards/before-', '/cards/after-')]) {
    const answer = await sendRequest(old);
    assert.equal(answer.status, 301);
    assert.equal(answer.headers.get('location'), after);
  }
  assert.equal((await sendRequest(after)).status, 200);
});

test('the card of a withdrawn article gives 410, and a card without an article 404', async () => {
  const card = await readPicture(await publish({ title: 'Taken back', id: 'taken-back' }));
  assert.equal((await sendRequest(card)).status, 200);
  await publish({ title: 'Taken back', id: 'taken-back', draft: true });
  assert.equal((await sendRequest(card)).status, 410);
  const gone = (await (await sendRequest(card)).json()) as { code: string; detail: string };
  assert.deepEqual([gone.code, gone.detail], ['withdrawn', 'This article is no longer published.']);
  const absent = await (await sendRequest(`${api.url}/cards/nothing.png`)).json();
  assert.equal((absent as { detail: string }).detail, 'No published canonical article has this slug.');
  for (const name of ['nothing-0123456789abcdef.png', 'nothing.png', '..%2F-0123456789abcdef.png']) {
    assert.equal((await sendRequest(`${api.url}/cards/${name}`)).status, 404, name);
  }
});

test('the former address of the card of a withdrawn article gives 410', async () => {
  const former = await readPicture(
    await publish({ title: 'Moved, then withdrawn', id: 'moved-card', slug: 'first-one' }),
  );
  await publish({ title: 'Moved, then withdrawn', id: 'moved-card', slug: 'second-one' });
  assert.equal((await sendRequest(former)).status, 301);
  await publish({ title: 'Moved, then withdrawn', id: 'moved-card', slug: 'second-one', draft: true });
  assert.equal((await sendRequest(former)).status, 410);
});

test('an article whose card cannot be drawn has the default card, and is not drawn again at once', async () => {
  await publishAndDerive(api, { title: '画不出来', slug: 'cannot-be-drawn' });
  // Choosing a font for a language that is no text fails.
  const row = sql`update articles set derived = jsonb_set(derived, '{language}', '7') where slug = 'cannot-be-drawn'`;
  await row.execute(api.db);
  const redirect = await sendRequest(`${api.url}/cards/cannot-be-drawn-0123456789abcdef.png`);
  const card = redirect.headers.get('location') ?? '';
  const stored = await readFile(new URL('../../../api/articles/cards/default-card.png', import.meta.url));
  for (const answer of [await sendRequest(card), await sendRequest(card)]) {
    assert.deepEqual([answer.status, answer.headers.get('content-type')], [200, 'image/png']);
    assert.doesNotMatch(answer.headers.get('cache-control') ?? '', /max-age=[1-9]/);
    assert.ok(Buffer.from(await answer.arrayBuffer()).equals(stored));
  }
  const warnings = logged.map((line) => JSON.parse(line)).filter(({ msg }) => /card/.test(msg));
  assert.deepEqual(
    warnings.map(({ title, msg }) => [title, msg]),
    [['画不出来', 'cannot draw a card; showing the default card']],
  );
});
