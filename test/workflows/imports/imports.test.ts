/**
 * Tests imports and repeated imports from every source, with a real worker and sources over HTTP.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { DEMO_FOREM_KEY, DEMO_HASHNODE_TOKEN, DEMO_MEDIUM_TOKEN } from '../../../sandbox/app.ts';
import { markdown } from '../../support/api/api.ts';
import { runGraphql } from '../../support/api/graphql.ts';
import type { DeliveryWorld } from '../../support/delivery/delivery.ts';
import { eventually } from '../../support/eventually.ts';
import { listDeliveries } from '../../support/list-deliveries.ts';
import { type ImportWorld, outcomes, startImportWorld, writeFeed, writeItem } from '../support/import-world.ts';

let imports: ImportWorld;
let world: DeliveryWorld;
before(async () => {
  imports = await startImportWorld();
  ({ world } = imports);
});
after(() => imports.close());

test('posts of a feed become articles with dates, URLs and texts, and a second run adds only new posts', async () => {
  let items = writeItem(2) + writeItem(1);
  const url = await imports.serve((_request, response) => response.end(writeFeed(items)));
  const author = await world.api.createAuthor('feeds');
  const first = await imports.importFrom(author, `source: RSS, identifier: "${url}/feed.xml"`);
  assert.deepEqual([first.state, outcomes(first)], ['DONE', ['CREATED', 'CREATED']], JSON.stringify(first));
  const article = await imports.findArticle(first.items.edges[0]?.node.article?.id);
  assert.equal(article.givenCanonicalUrl, 'https://blog.example/post-2');
  assert.equal(article.publishedAt?.toISOString(), '2020-01-02T00:00:00.000Z');
  assert.equal(article.body.trim(), 'Text of **post** 2, [about](https://blog.example/about).');
  assert.deepEqual([article.imported, article.slug, article.status], [true, 'post-2', 'PUBLISHED']);

  items = writeItem(3) + items;
  const second = await imports.importFrom(author, `source: RSS, identifier: "${url}/feed.xml"`);
  assert.deepEqual(outcomes(second), ['CREATED', 'PRESENT', 'PRESENT']);
  assert.deepEqual(await world.notifications(author), []);
  assert.deepEqual(await listDeliveries(world.api.db, article.id), []);
});

test('a dry run stores nothing and reports each outcome, limits and dates apply, and drafts remain drafts', async () => {
  const url = await imports.serve((_request, response) =>
    response.end(writeFeed([5, 4, 3, 2, 1].map((n) => writeItem(n)).join(''))),
  );
  const author = await world.api.createAuthor('bounded');
  const dry = await imports.importFrom(author, `source: RSS, identifier: "${url}", dryRun: true`);
  assert.equal(dry.counts.created, 5);
  assert.ok(dry.items.edges.every(({ node }) => node.article === null));
  const two = await imports.importFrom(author, `source: RSS, identifier: "${url}", limit: 2, draft: true`);
  assert.deepEqual(
    two.items.edges.map(({ node }) => [node.title, node.article?.status]),
    [
      ['Post 5', 'DRAFT'],
      ['Post 4', 'DRAFT'],
    ],
  );
  const since = await imports.importFrom(author, `source: RSS, identifier: "${url}", since: "2020-01-03"`);
  assert.deepEqual(outcomes(since), ['PRESENT', 'PRESENT', 'CREATED']);
});

test('posts beyond the storage of the author are refused with the reason, and the import ends', async () => {
  const url = await imports.serve((_request, response) => response.end(writeFeed(writeItem(2) + writeItem(1))));
  const author = await world.api.createAuthor('full');
  await world.api.db
    .updateTable('users')
    .set({ storedBytes: 2 ** 40 })
    .where('id', '=', author.id)
    .execute();
  const report = await imports.importFrom(author, `source: RSS, identifier: "${url}/feed.xml"`);
  assert.deepEqual([report.state, outcomes(report)], ['DONE', ['REFUSED', 'REFUSED']], JSON.stringify(report));
  for (const { node } of report.items.edges) assert.match(node.reason ?? '', /storage|store/i);
});

test('pages of a feed are followed, and a circular feed ends', async () => {
  const url = await imports.serve((request, response) => {
    const page = Number(URL.parse(request.url ?? '', 'http://x')?.searchParams.get('page') ?? 1);
    const next = page === 3 ? 1 : page + 1;
    response.end(
      writeFeed(writeItem(10 - page), `<atom:link rel="next" href="${next === 1 ? '/' : `/?page=${next}`}"/>`),
    );
  });
  const author = await world.api.createAuthor('paged');
  const report = await imports.importFrom(author, `source: RSS, identifier: "${url}/"`);
  assert.deepEqual([report.state, report.counts.created], ['DONE', 3]);
});

test('Forem articles are imported as Markdown, and the copy of a connected account is adopted and updated by a publish', async () => {
  const author = await world.api.createAuthor('forem-author');
  await world.connect(author, 'blogsite_a');
  const probe = await fetch(`${world.sandboxUrl}/forem/api/users/me`, {
    headers: { 'api-key': DEMO_FOREM_KEY, 'user-agent': 'test' },
  });
  const { id: userId } = (await probe.json()) as { id: number };
  await world.api.db
    .updateTable('accounts')
    .set({ identity: `${new URL(world.sandboxUrl).host}/forem ${userId}` })
    .where('userId', '=', author.id)
    .execute();
  const body = 'Some `code`.\n\n{% youtube dQw4w9WgXcQ %}\n';
  const post = await imports.postToForem(DEMO_FOREM_KEY, {
    title: 'At home there',
    body_markdown: body,
    tags: ['one', 'two'],
    canonical_url: 'https://elsewhere.example/at-home',
  });
  const report = await imports.importFrom(author, 'source: BLOGSITE_A, identifier: "demo"');
  const item = report.items.edges.find(({ node }) => node.title === 'At home there')?.node;
  assert.deepEqual([item?.outcome, item?.adopted], ['CREATED', true], JSON.stringify(report));
  const article = await imports.findArticle(item?.article?.id);
  assert.deepEqual(
    [article.body, article.tags, article.givenCanonicalUrl],
    [body, ['one', 'two'], 'https://elsewhere.example/at-home'],
  );
  const [delivery] = await listDeliveries(world.api.db, article.id);
  assert.deepEqual([delivery?.state, delivery?.remoteId], ['delivered', String(post.id)]);

  const content = markdown(
    {
      title: 'At home there',
      courant_id: article.id,
      canonical_url: 'https://elsewhere.example/at-home',
      cross_post: { blogsite_b: false },
    },
    'Anew.\n',
  );
  const published = await world.api.publish({ content }, { token: author.token });
  assert.equal(published.body.action, 'updated');
  await eventually('the update', async () =>
    (await world.log('At home there')).some(({ action }) => action === 'update'),
  );
  assert.deepEqual(
    (await world.log('At home there')).map(({ action }) => action),
    ['create', 'update'],
  );
});

test('an imported post does not match an existing article by title alone, on the first or a later import', async () => {
  const author = await world.api.createAuthor('same-title');
  await world.connect(author, 'blogsite_a');
  const probe = await fetch(`${world.sandboxUrl}/forem/api/users/me`, {
    headers: { 'api-key': DEMO_FOREM_KEY, 'user-agent': 'test' },
  });
  const { id: userId } = (await probe.json()) as { id: number };
  const identity = `${new URL(world.sandboxUrl).host}/forem ${userId}`;
  await world.api.db.updateTable('accounts').set({ identity }).where('userId', '=', author.id).execute();
  await imports.postToForem(DEMO_FOREM_KEY, { title: 'Weekly notes', body_markdown: 'Of another week.' });
  const content = markdown({ title: 'Weekly notes', status: 'DRAFT' }, 'Of this week.\n');
  await world.api.publish({ content }, { token: author.token });
  for (const _ of ['once', 'again']) {
    const report = await imports.importFrom(author, 'source: BLOGSITE_A, identifier: "demo"');
    const item = report.items.edges.find(({ node }) => node.title === 'Weekly notes')?.node;
    assert.deepEqual([item?.outcome, item?.adopted], ['PRESENT', false], JSON.stringify(report));
    assert.match(item?.reason ?? '', /may be a different one.*canonical URL/);
    const deliveries = await listDeliveries(world.api.db, item?.article?.id ?? '');
    assert.deepEqual(
      deliveries.filter(({ remoteId }) => remoteId !== null),
      [],
    );
  }
});

test('an imported article deleted here remains at the source, and a further import does not restore it', async () => {
  const author = await world.api.createAuthor('deleting');
  await world.connect(author, 'blogsite_a');
  await imports.postToForem(DEMO_FOREM_KEY, { title: 'Stays there', body_markdown: 'Text.' });
  const report = await imports.importFrom(author, 'source: BLOGSITE_A, identifier: "demo"');
  const id = report.items.edges.find(({ node }) => node.title === 'Stays there')?.node.article?.id;
  await runGraphql(world.api, author.id, `mutation { deleteArticle(id: "${id}") { article { id } } }`);
  const again = await imports.importFrom(author, 'source: BLOGSITE_A, identifier: "demo"');
  const item = again.items.edges.find(({ node }) => node.title === 'Stays there')?.node;
  assert.deepEqual([item?.outcome, item?.article], ['PRESENT', null]);
  assert.match(item?.reason ?? '', /You deleted this article here/);
  assert.deepEqual(
    (await world.log('Stays there')).map(({ action }) => action),
    ['create'],
  );
});

test('a Hashnode blog is imported with Markdown, series and slugs, or without the paid plan from its feed, with a notice', async () => {
  const author = await world.api.createAuthor('hashnode-author');
  await world.connect(author, 'blogsite_b');
  const mutation = `mutation ($input: PublishPostInput!) { publishPost(input: $input) { post { id } } }`;
  const publish = async (token: string, publicationId: string) => {
    const input = {
      publicationId,
      title: 'From Hashnode',
      contentMarkdown: '![A](https://a.example/b.png align="center")\n\n%[https://a.example/x]',
      slug: 'from-hashnode',
    };
    const response = await fetch(`${world.sandboxUrl}/hashnode`, {
      method: 'POST',
      headers: { authorization: token, 'content-type': 'application/json' },
      body: JSON.stringify({ query: mutation, variables: { input } }),
    });
    assert.doesNotMatch(await response.text(), /errors/);
  };
  await publish(DEMO_HASHNODE_TOKEN, '665f1f77bcf86cd799439011');
  const report = await imports.importFrom(author, 'source: BLOGSITE_B, identifier: "demo.hashnode.dev"');
  assert.equal(report.state, 'DONE', JSON.stringify(report));
  const item = report.items.edges.find(({ node }) => node.title === 'From Hashnode')?.node;
  assert.deepEqual([item?.outcome, item?.article?.slug], ['CREATED', 'from-hashnode']);
  const article = await imports.findArticle(item?.article?.id);
  assert.match(article.body, /align="center"/);
  assert.match(JSON.stringify(article.derived), /<img[^>]+b\.png/);

  const free = await imports.importFrom(
    author,
    `source: BLOGSITE_B, identifier: "${world.sandboxUrl}/hashnode-blog/free"`,
  );
  assert.equal(free.state, 'DONE', JSON.stringify(free));
  assert.equal(free.notices[0]?.code, 'read_from_feed');
});

test('the newest stories are imported from Medium’s feed, and a story of the connected account is adopted', async () => {
  const author = await world.api.createAuthor('medium-author');
  await world.connect(author, 'blogsite_c');
  const me = await fetch(`${world.sandboxUrl}/medium/v1/me`, {
    headers: { authorization: `Bearer ${DEMO_MEDIUM_TOKEN}`, 'user-agent': 'test' },
  });
  const { data } = (await me.json()) as { data: { id: string } };
  await world.api.db.updateTable('accounts').set({ identity: data.id }).where('userId', '=', author.id).execute();
  await fetch(`${world.sandboxUrl}/medium/v1/users/${data.id}/posts`, {
    method: 'POST',
    headers: { authorization: `Bearer ${DEMO_MEDIUM_TOKEN}`, 'content-type': 'application/json', 'user-agent': 'test' },
    body: JSON.stringify({
      title: 'A story',
      contentFormat: 'html',
      content: '<h4>Below</h4><p>Text.</p><pre>a<br>b</pre>',
    }),
  });
  const report = await imports.importFrom(author, 'source: BLOGSITE_C, identifier: "@demo"');
  const item = report.items.edges.find(({ node }) => node.title === 'A story')?.node;
  assert.deepEqual([item?.outcome, item?.adopted], ['CREATED', true], JSON.stringify(report));
  const article = await imports.findArticle(item?.article?.id);
  assert.deepEqual([article.subtitle, article.body.trim()], ['Below', 'Text.\n\n```\na\nb\n```']);
});

test('names and addresses of any length and script are imported once', async () => {
  const noise = (length: number) =>
    Array.from({ length }, () => String.fromCodePoint(0x4e00 + Math.floor(Math.random() * 20_000))).join('');
  const letters = (length: number) =>
    Array.from({ length }, () => Math.floor(Math.random() * 36).toString(36)).join('');
  const guid = noise(490);
  const item = (name: string, id: string) =>
    `<item><title>${name}</title><link>https://blog.example/${name}/${letters(1_900)}</link><guid isPermaLink="false">${id}</guid><description>Text of ${name}</description></item>`;
  const feed = writeFeed(item('first', guid) + item('second', guid));
  const url = await imports.serve((_request, response) => response.end(feed));
  const author = await world.api.createAuthor('long-names');
  const args = `source: RSS, identifier: "${url}/${noise(600)}"`;
  assert.deepEqual(outcomes(await imports.importFrom(author, args)), ['CREATED', 'CREATED']);
  assert.deepEqual(outcomes(await imports.importFrom(author, args)), ['PRESENT', 'PRESENT']);
});

test('a further import fetches no text of imported posts, and its limit applies to new posts', async () => {
  const article = (id: number) => ({
    id,
    title: `Article ${id}`,
    url: `https://forem.example/ann/${id}`,
    published_at: '2024-01-01T00:00:00Z',
    user: { user_id: 7 },
  });
  let present = 2;
  const requests: string[] = [];
  const url = await imports.serve((request, response) => {
    requests.push(request.url ?? '');
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://x');
    const id = /^\/api\/articles\/(\d+)$/.exec(pathname)?.[1];
    response.setHeader('content-type', 'application/json');
    if (id !== undefined) return response.end(JSON.stringify({ ...article(Number(id)), body_markdown: `Text ${id}.` }));
    const list =
      searchParams.get('page') === '1' ? Array.from({ length: present }, (_, index) => article(index + 1)) : [];
    return response.end(JSON.stringify(list));
  });
  const author = await world.api.createAuthor('again');
  const args = `source: BLOGSITE_A, identifier: "${url}/ann"`;
  assert.deepEqual(outcomes(await imports.importFrom(author, args)), ['CREATED', 'CREATED']);
  requests.length = 0;
  present = 3;
  assert.deepEqual(outcomes(await imports.importFrom(author, args)).sort(), ['CREATED', 'PRESENT', 'PRESENT']);
  assert.deepEqual(
    requests.filter((path) => /articles\/\d/.test(path)),
    ['/api/articles/3'],
  );
});

test('a post dated in the future is dated at its import, so that later articles come before it', async () => {
  const nextYear = new Date(Date.now() + 365 * 24 * 60 * 60_000).toUTCString();
  const item = writeItem(1).replace(/<pubDate>.*<\/pubDate>/, `<pubDate>${nextYear}</pubDate>`);
  const url = await imports.serve((_request, response) => response.end(writeFeed(item)));
  const author = await world.api.createAuthor('futurist');
  const report = await imports.importFrom(author, `source: RSS, identifier: "${url}/feed.xml"`);
  const { publishedAt, updatedAt } = await imports.findArticle(report.items.edges[0]?.node.article?.id);
  for (const at of [publishedAt, updatedAt]) assert.ok(at && at.getTime() <= Date.now(), at?.toISOString());
});
