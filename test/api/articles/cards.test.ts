/** Tests the cards of articles at their addresses. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { markdown, startTestApi, type TestApi } from '../../support/api/api.ts';

let api: TestApi;
before(async () => {
  api = await startTestApi();
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
    assert.match(headers.get('cache-control') ?? '', /max-age=86400, immutable/);
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
  for (const name of ['nothing-0123456789abcdef.png', 'nothing.png', '..%2F-0123456789abcdef.png']) {
    assert.equal((await sendRequest(`${api.url}/cards/${name}`)).status, 404, name);
  }
});
