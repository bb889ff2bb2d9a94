/** The card of an article at its address: named by the page, drawn once, moved and gone as the article is. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { markdown, startTestApi, type TestApi } from '../../support/api.ts';

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

const ask = (address: string) => fetch(address, { redirect: 'manual' });

test('a page names the card of its article, a picture that may be kept and that a crowd is given alike', async () => {
  const card = await readPicture(await publish({ title: 'A card for all', tags: ['one', 'two'] }));
  assert.match(card, /\/cards\/a-card-for-all-[0-9a-f]{16}\.png$/);
  const answers = await Promise.all(Array.from({ length: 30 }, () => ask(card)));
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

test('where the author gave a cover, that is the picture', async () => {
  const cover = 'https://pictures.example/cover.png';
  assert.equal(await readPicture(await publish({ title: 'With a cover', cover_image: cover })), cover);
});

test('a former card leads to the present one, under a former slug too', async () => {
  const before = await readPicture(await publish({ id: 'renamed', title: 'Before', slug: 'before' }));
  const page = await publish({ id: 'renamed', title: 'After', slug: 'after' });
  const after = await readPicture(page);
  assert.notEqual(after, before);
  for (const old of [before, before.replace('/cards/before-', '/cards/after-')]) {
    const answer = await ask(old);
    assert.equal(answer.status, 301);
    assert.equal(answer.headers.get('location'), after);
  }
  assert.equal((await ask(after)).status, 200);
});

test('a card is gone with its article, and there is none where no article is', async () => {
  const card = await readPicture(await publish({ title: 'Taken back', id: 'taken-back' }));
  assert.equal((await ask(card)).status, 200);
  await publish({ title: 'Taken back', id: 'taken-back', draft: true });
  assert.equal((await ask(card)).status, 410);
  for (const name of ['nothing-0123456789abcdef.png', 'nothing.png', '..%2F-0123456789abcdef.png']) {
    assert.equal((await ask(`${api.url}/cards/${name}`)).status, 404, name);
  }
});
