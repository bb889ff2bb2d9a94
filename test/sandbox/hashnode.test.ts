/** The simulated Hashnode responds as Hashnode's documentation describes. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import {
  buildSandbox,
  FREE_HASHNODE_PUBLICATION,
  FREE_HASHNODE_TOKEN,
  DEMO_HASHNODE_PUBLICATION as PUBLICATION,
  DEMO_HASHNODE_TOKEN as TOKEN,
} from '../../sandbox/app.ts';

interface Answer {
  status: number;
  data: Record<string, never> | null;
  code: string | undefined;
}

async function startHashnode(context: TestContext) {
  const sandbox = await buildSandbox();
  context.after(() => sandbox.close());
  const { url } = await sandbox.listen();
  const request = async (query: string, variables: object = {}, token: string | null = TOKEN): Promise<Answer> => {
    const answer = await fetch(`${url}/hashnode`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(token === null ? {} : { authorization: `Bearer ${token}` }) },
      body: JSON.stringify({ query, variables }),
    });
    const text = await answer.text();
    const json = text.startsWith('{') ? JSON.parse(text) : {};
    return { status: answer.status, data: json.data ?? null, code: json.errors?.[0]?.extensions?.code };
  };
  const publish = (input: object, token: string | null = TOKEN) =>
    request(
      'mutation P($input: PublishPostInput!) { publishPost(input: $input) { post { id slug url canonicalUrl tags { slug name } } } }',
      {
        input: { publicationId: PUBLICATION, title: 'Title', contentMarkdown: 'Body', ...input },
      },
      token,
    );
  return { url, request, publish };
}

test('a published post is found by its slug and has a page', async (context) => {
  const { request, publish } = await startHashnode(context);
  const { data } = await publish({ slug: 'my-post', tags: [{ slug: 'node' }], originalArticleURL: 'https://a.io/x' });
  const { post } = (data as unknown as { publishPost: { post: Record<string, unknown> } }).publishPost;
  assert.deepEqual(
    [post.slug, post.canonicalUrl, post.tags],
    ['my-post', 'https://a.io/x', [{ slug: 'node', name: 'node' }]],
  );
  assert.match(String(post.id), /^[0-9a-f]{24}$/);
  assert.equal((await fetch(String(post.url))).status, 200);
  const found = await request(
    `{ publication(id: "${PUBLICATION}") { post(slug: "my-post") { id } posts(first: 5) { edges { node { id } } } } }`,
  );
  assert.deepEqual(found.data, {
    publication: { post: { id: post.id }, posts: { edges: [{ node: { id: post.id } }] } },
  });
});

test('without a valid token nothing can be written, and `me` is refused', async (context) => {
  const { request, publish } = await startHashnode(context);
  for (const token of [null, 'wrong', '__proto__']) {
    const written = await publish({}, token);
    assert.deepEqual([written.status, written.code], [200, 'UNAUTHENTICATED']);
    assert.deepEqual(await request('{ me { id } }', {}, token), {
      status: 200,
      data: { me: null },
      code: 'UNAUTHENTICATED',
    });
  }
});

test('the token’s prefix may be missing or in capitals', async (context) => {
  const { url } = await startHashnode(context);
  for (const authorization of [TOKEN, `BEARER ${TOKEN}`, `bearer  ${TOKEN}`]) {
    const answer = await fetch(`${url}/hashnode/`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization },
      body: '{"query": "{ me { username } }"}',
    });
    assert.deepEqual(await answer.json(), { data: { me: { username: 'demo' } } });
  }
});

test('a publication without the Pro plan can be neither written nor read', async (context) => {
  const { request, publish } = await startHashnode(context);
  assert.equal((await publish({ publicationId: FREE_HASHNODE_PUBLICATION }, FREE_HASHNODE_TOKEN)).code, 'FORBIDDEN');
  assert.equal((await request(`{ publication(id: "${FREE_HASHNODE_PUBLICATION}") { id } }`)).code, 'FORBIDDEN');
  assert.equal((await request('{ me { username } }', {}, FREE_HASHNODE_TOKEN)).code, undefined);
});

test('publications are found by id or host; unknown ones are null', async (context) => {
  const { request } = await startHashnode(context);
  assert.deepEqual((await request('{ publication(host: "demo.hashnode.dev") { id } }')).data, {
    publication: { id: PUBLICATION },
  });
  assert.deepEqual((await request('{ publication(host: "nobody.example.com") { id } }')).data, { publication: null });
  assert.equal((await request('{ publication { id } }')).code, 'BAD_USER_INPUT');
});

test('invalid input is refused', async (context) => {
  const { publish } = await startHashnode(context);
  const tags = Array.from({ length: 16 }, (_, index) => ({ slug: `t${index}` }));
  for (const input of [
    { tags },
    { tags: [{ slug: 'Not A Slug' }] },
    { title: ' ' },
    { contentMarkdown: '' },
    { originalArticleURL: 'nowhere' },
    { slug: '../x' },
    { publicationId: 'blog' },
    { title: 7 },
    { unknown: true },
  ]) {
    const { status, code } = await publish(input);
    assert.deepEqual([status, code], [200, 'BAD_USER_INPUT'], JSON.stringify(input));
  }
  assert.equal((await publish({ tags: tags.slice(1) })).code, undefined);
});

test('a query that does not match the schema or cannot be parsed is HTTP 400', async (context) => {
  const { request } = await startHashnode(context);
  assert.deepEqual(await request('{ nothing }'), { status: 400, data: null, code: 'GRAPHQL_VALIDATION_FAILED' });
  assert.deepEqual(await request('{ me {'), { status: 400, data: null, code: 'GRAPHQL_PARSE_FAILED' });
});

test('a request over 100 KB is too large', async (context) => {
  const { publish } = await startHashnode(context);
  assert.equal((await publish({ contentMarkdown: 'x'.repeat(102_400) })).status, 413);
  assert.equal((await publish({ contentMarkdown: 'x'.repeat(101_000) })).status, 200);
});

test('an update changes the sent fields, a slug in use gets a suffix, and a delisted post is in no list', async (context) => {
  const { request, publish } = await startHashnode(context);
  const readId = ({ data }: Answer) =>
    (data as unknown as { publishPost: { post: { id: string; slug: string } } }).publishPost.post;
  const first = readId(await publish({ slug: 'same', subtitle: 'Sub' }));
  const second = readId(await publish({ slug: 'same' }));
  assert.match(second.slug, /^same-[0-9a-f]{6}$/);
  const update =
    'mutation U($input: UpdatePostInput!) { updatePost(input: $input) { post { title subtitle preferences { isDelisted } } } }';
  const updated = await request(update, { input: { id: first.id, title: 'New', isDelisted: true } });
  assert.deepEqual(updated.data, {
    updatePost: { post: { title: 'New', subtitle: 'Sub', preferences: { isDelisted: true } } },
  });
  const list = await request(
    `{ publication(id: "${PUBLICATION}") { posts(first: 500) { edges { node { id } } } post(slug: "same") { id } } }`,
  );
  assert.deepEqual(list.data, {
    publication: { posts: { edges: [{ node: { id: second.id } }] }, post: { id: first.id } },
  });
  assert.equal((await request(update, { input: { id: '0'.repeat(24) } })).code, 'NOT_FOUND');
});

test('posts are listed newest first, in pages', async (context) => {
  const { request, publish } = await startHashnode(context);
  for (const title of ['one', 'two', 'three']) await publish({ title });
  const page = (after: string) =>
    request(
      `{ publication(id: "${PUBLICATION}") { posts(first: 2${after}) { edges { node { title } } pageInfo { hasNextPage endCursor } } } }`,
    );
  const posts = (answer: Answer) =>
    (
      answer.data as unknown as {
        publication: {
          posts: { edges: { node: { title: string } }[]; pageInfo: { hasNextPage: boolean; endCursor: string } };
        };
      }
    ).publication.posts;
  const first = posts(await page(''));
  assert.deepEqual([first.edges.map(({ node }) => node.title), first.pageInfo.hasNextPage], [['three', 'two'], true]);
  const second = posts(await page(`, after: "${first.pageInfo.endCursor}"`));
  assert.deepEqual([second.edges.map(({ node }) => node.title), second.pageInfo.hasNextPage], [['one'], false]);
});
