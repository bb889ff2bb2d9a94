/** Finding a post on Ghost by its canonical URL. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ghost } from '../../../destinations/ghost/index.ts';
import { expectDone, makeArticle, startSandbox } from '../destination-harness.ts';
import { openGhost, POST, startGhost } from './support/scripted-ghost.ts';

test('a canonical URL inside the same Ghost is found, although Ghost stores another spelling', async (context) => {
  const { url } = await startSandbox(context);
  const client = openGhost(`${url}/ghost-site`);
  const article = makeArticle({ canonicalUrl: `${url}/ghost-site/it's-here/` });
  const post = expectDone(await client.create(ghost.format(article).payload));
  assert.deepEqual(expectDone(await client.find({ ...article, slug: 'other' })), post);
});

test('the filter finds the post at once; only another spelling of the canonical URL requires the complete list', async (context) => {
  const entry = (index: number) => ({
    ...POST,
    id: index.toString(16).padStart(24, '0'),
    canonical_url: `https://a.io/${index}`,
  });
  const { origin, seen } = await startGhost(context, ({ path }) => {
    const { searchParams } = new URL(path, 'http://x');
    if (searchParams.has('filter')) return { status: 200, json: { posts: [], meta: {} } };
    const page = Number(searchParams.get('page'));
    const posts = Array.from({ length: 100 }, (_, index) => entry((page - 1) * 100 + index));
    return { status: 200, json: { posts, meta: { pagination: { next: page + 1 } } } };
  });
  const find = (index: number) =>
    openGhost(origin).find({ canonicalUrl: `https://a.io/${index}/`, slug: 's', title: 't' });
  assert.equal(expectDone(await find(250))?.remoteId, entry(250).id);
  assert.equal(seen.length, 4);
  assert.equal((await find(99_999)).kind, 'unavailable', 'beyond the end of the walk nothing is known');
  assert.equal(seen.length, 4 + 101, 'the walk has an end');
  assert.match(seen[0]?.path ?? '', /filter=canonical_url/);
});

test('a quote in a canonical URL cannot end the filter’s string', async (context) => {
  const { origin, seen } = await startGhost(context, () => ({ status: 200, json: { posts: [] } }));
  await openGhost(origin).find({
    canonicalUrl: "https://a.io/'+status:draft,slug:'x",
    slug: "s'],id:'1\\",
    title: 't',
  });
  const filter = new URL(seen[0]?.path ?? '', 'http://x').searchParams.get('filter') ?? '';
  assert.doesNotMatch(filter.replace(/'(?:[^'\\]|\\.)*'/g, '_'), /status|id:/);
});

test('of a draft and a published post with one canonical URL, the published one is found', async (context) => {
  const canonical_url = 'https://a.io/x';
  const published = { ...POST, id: '1'.repeat(24), canonical_url };
  const { origin } = await startGhost(context, () => ({
    status: 200,
    json: { posts: [{ ...POST, id: '2'.repeat(24), canonical_url, status: 'draft' }, published] },
  }));
  const post = await openGhost(origin).find({ canonicalUrl: canonical_url, slug: 'x', title: 't' });
  assert.equal(expectDone(post)?.remoteId, published.id);
});
