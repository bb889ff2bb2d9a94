/** Imports from every source, with a real worker, real sources over HTTP, and authors who import twice. */
import assert from 'node:assert/strict';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { DEMO_FOREM_KEY, DEMO_HASHNODE_TOKEN, DEMO_MEDIUM_TOKEN } from '../../sandbox/app.ts';
import { listDeliveries } from '../../store/deliveries/list.ts';
import { REPORTS_KEPT_DAYS, sweepImports } from '../../store/imports/sweep.ts';
import { markdown, type TestAuthor } from '../support/api.ts';
import { type DeliveryWorld, startDeliveryWorld } from '../support/delivery.ts';
import { eventually } from '../support/eventually.ts';
import { ask } from '../support/graphql.ts';

let world: DeliveryWorld;
const servers: Server[] = [];
before(async () => {
  world = await startDeliveryWorld({ api: { env: { ALLOW_PRIVATE_DESTINATIONS: 'true' } } });
});
after(async () => {
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve).closeAllConnections())));
  await world.close();
});

interface Report {
  id: string;
  state: string;
  reason: string | null;
  counts: Record<'listed' | 'created' | 'present' | 'refused' | 'adopted' | 'waiting', number>;
  notices: { code: string; message: string }[];
  items: {
    edges: {
      node: {
        title: string;
        outcome: string;
        code: string | null;
        reason: string | null;
        adopted: boolean;
        warnings: { code: string }[];
        article: { id: string; slug: string; status: string } | null;
      };
    }[];
  };
}

const REPORT = `{ import(id: "ID") { id state reason counts { listed created present refused adopted waiting } notices { code message }
  items(first: 100) { edges { node { title outcome code reason adopted warnings { code } article { id slug status } } } } } }`;

async function order(author: TestAuthor, args: string): Promise<string> {
  const answer = await ask(world.api, author.id, `mutation { importArticles(${args}) { id } }`);
  assert.equal(answer.code, undefined, answer.text);
  return answer.data.importArticles.id;
}

async function read(author: TestAuthor, id: string): Promise<Report> {
  const answer = await ask(world.api, author.id, REPORT.replace('ID', id));
  assert.equal(answer.code, undefined, answer.text);
  return answer.data.import;
}

async function importFrom(author: TestAuthor, args: string): Promise<Report> {
  const id = await order(author, args);
  return eventually(
    'the import to end',
    async () => {
      const report = await read(author, id);
      return report.state === 'RUNNING' ? null : report;
    },
    { withinMs: 40_000 },
  );
}

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function writeFeed(items: string, more = ''): string {
  return `<?xml version="1.0"?><rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:atom="http://www.w3.org/2005/Atom"><channel><title>A blog</title>${more}${items}</channel></rss>`;
}

function writeItem(number: number, more = ''): string {
  const day = new Date(Date.UTC(2020, 0, number)).toUTCString();
  return `<item><title>Post ${number}</title><link>https://blog.example/post-${number}</link><guid>${number}</guid><pubDate>${day}</pubDate>
    <content:encoded><![CDATA[<p>Text of <b>post</b> ${number}, <a href="/about">about</a>.</p>]]></content:encoded>${more}</item>`;
}

const outcomes = ({ items }: Report) => items.edges.map(({ node }) => node.outcome);
const findArticle = (id: string | undefined) =>
  world.api.db
    .selectFrom('articles')
    .selectAll()
    .where('id', '=', id ?? '')
    .executeTakeFirstOrThrow();

async function postToForem(key: string, article: object): Promise<{ id: number; url: string }> {
  const response = await fetch(`${world.sandboxUrl}/forem/api/articles`, {
    method: 'POST',
    headers: { 'api-key': key, 'content-type': 'application/json', 'user-agent': 'test' },
    body: JSON.stringify({ article: { published: true, ...article } }),
  });
  assert.equal(response.status, 201, await response.clone().text());
  return (await response.json()) as { id: number; url: string };
}

test('posts of a feed become articles with their dates, addresses and texts, and a second run adds only what is new', async () => {
  let items = writeItem(2) + writeItem(1);
  const url = await serve((_request, response) => response.end(writeFeed(items)));
  const author = await world.api.createAuthor('feeds');
  const first = await importFrom(author, `source: RSS, identifier: "${url}/feed.xml"`);
  assert.deepEqual([first.state, outcomes(first)], ['DONE', ['CREATED', 'CREATED']], JSON.stringify(first));
  const article = await findArticle(first.items.edges[0]?.node.article?.id);
  assert.equal(article.givenCanonicalUrl, 'https://blog.example/post-2');
  assert.equal(article.publishedAt?.toISOString(), '2020-01-02T00:00:00.000Z');
  assert.equal(article.body.trim(), 'Text of **post** 2, [about](https://blog.example/about).');
  assert.deepEqual([article.imported, article.slug, article.status], [true, 'post-2', 'PUBLISHED']);

  items = writeItem(3) + items;
  const second = await importFrom(author, `source: RSS, identifier: "${url}/feed.xml"`);
  assert.deepEqual(outcomes(second), ['CREATED', 'PRESENT', 'PRESENT']);
  assert.deepEqual(await world.notifications(author), []);
  assert.deepEqual(await listDeliveries(world.api.db, article.id), []);
});

test('a dry run stores nothing and says what would become of each; a limit and a date bound it; drafts stay drafts', async () => {
  const url = await serve((_request, response) =>
    response.end(writeFeed([5, 4, 3, 2, 1].map((n) => writeItem(n)).join(''))),
  );
  const author = await world.api.createAuthor('bounded');
  const dry = await importFrom(author, `source: RSS, identifier: "${url}", dryRun: true`);
  assert.equal(dry.counts.created, 5);
  assert.ok(dry.items.edges.every(({ node }) => node.article === null));
  const two = await importFrom(author, `source: RSS, identifier: "${url}", limit: 2, draft: true`);
  assert.deepEqual(
    two.items.edges.map(({ node }) => [node.title, node.article?.status]),
    [
      ['Post 5', 'DRAFT'],
      ['Post 4', 'DRAFT'],
    ],
  );
  const since = await importFrom(author, `source: RSS, identifier: "${url}", since: "2020-01-03"`);
  assert.deepEqual(outcomes(since), ['PRESENT', 'PRESENT', 'CREATED']);
});

test('pages of a feed are followed, and a feed that leads in a circle ends', async () => {
  const url = await serve((request, response) => {
    const page = Number(URL.parse(request.url ?? '', 'http://x')?.searchParams.get('page') ?? 1);
    const next = page === 3 ? 1 : page + 1;
    response.end(
      writeFeed(writeItem(10 - page), `<atom:link rel="next" href="${next === 1 ? '/' : `/?page=${next}`}"/>`),
    );
  });
  const author = await world.api.createAuthor('paged');
  const report = await importFrom(author, `source: RSS, identifier: "${url}/"`);
  assert.deepEqual([report.state, report.counts.created], ['DONE', 3]);
});

test('articles of a Forem keep their Markdown; the copy of a connected account is adopted, and the next publish updates it', async () => {
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
  const post = await postToForem(DEMO_FOREM_KEY, {
    title: 'At home there',
    body_markdown: body,
    tags: ['one', 'two'],
    canonical_url: 'https://elsewhere.example/at-home',
  });
  const report = await importFrom(author, 'source: BLOGSITE_A, identifier: "demo"');
  const item = report.items.edges.find(({ node }) => node.title === 'At home there')?.node;
  assert.deepEqual([item?.outcome, item?.adopted], ['CREATED', true], JSON.stringify(report));
  const article = await findArticle(item?.article?.id);
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

test('an imported article that its author deletes here stays at the source, and no further import brings it back', async () => {
  const author = await world.api.createAuthor('deleting');
  await world.connect(author, 'blogsite_a');
  await postToForem(DEMO_FOREM_KEY, { title: 'Stays there', body_markdown: 'Text.' });
  const report = await importFrom(author, 'source: BLOGSITE_A, identifier: "demo"');
  const id = report.items.edges.find(({ node }) => node.title === 'Stays there')?.node.article?.id;
  await ask(world.api, author.id, `mutation { deleteArticle(id: "${id}") { article { id } } }`);
  const again = await importFrom(author, 'source: BLOGSITE_A, identifier: "demo"');
  const item = again.items.edges.find(({ node }) => node.title === 'Stays there')?.node;
  assert.deepEqual([item?.outcome, item?.article], ['PRESENT', null]);
  assert.match(item?.reason ?? '', /You deleted it here/);
  assert.deepEqual(
    (await world.log('Stays there')).map(({ action }) => action),
    ['create'],
  );
});

test('a Hashnode blog gives Markdown, series and slugs; one without the paid plan is read from its feed, which is said', async () => {
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
  const report = await importFrom(author, 'source: BLOGSITE_B, identifier: "demo.hashnode.dev"');
  assert.equal(report.state, 'DONE', JSON.stringify(report));
  const item = report.items.edges.find(({ node }) => node.title === 'From Hashnode')?.node;
  assert.deepEqual([item?.outcome, item?.article?.slug], ['CREATED', 'from-hashnode']);
  const article = await findArticle(item?.article?.id);
  assert.match(article.body, /align="center"/);
  assert.match(JSON.stringify(article.derived), /<img[^>]+b\.png/);

  const free = await importFrom(author, `source: BLOGSITE_B, identifier: "${world.sandboxUrl}/hashnode-blog/free"`);
  assert.equal(free.state, 'DONE', JSON.stringify(free));
  assert.equal(free.notices[0]?.code, 'read_from_feed');
});

test('Medium’s feed gives the newest stories; a story of the connected account is adopted', async () => {
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
  const report = await importFrom(author, 'source: BLOGSITE_C, identifier: "@demo"');
  const item = report.items.edges.find(({ node }) => node.title === 'A story')?.node;
  assert.deepEqual([item?.outcome, item?.adopted], ['CREATED', true], JSON.stringify(report));
  const article = await findArticle(item?.article?.id);
  assert.deepEqual([article.subtitle, article.body.trim()], ['Below', 'Text.\n\n```\na\nb\n```']);
});

test('a source that is away is waited for, and one that asks for a pause gets it', async () => {
  let asked = 0;
  const url = await serve((_request, response) => {
    asked += 1;
    if (asked === 1) response.writeHead(503).end('<html>busy</html>');
    else if (asked === 2) response.writeHead(429, { 'retry-after': '1' }).end();
    else response.end(writeFeed(writeItem(1)));
  });
  const author = await world.api.createAuthor('patient');
  const report = await importFrom(author, `source: RSS, identifier: "${url}"`);
  assert.deepEqual([report.state, asked, outcomes(report)], ['DONE', 3, ['CREATED']]);
});

const BOMB = `<!DOCTYPE rss [<!ENTITY a "aaaaaaaaaa">${Array.from({ length: 20 }, (_, n) => `<!ENTITY a${n + 1} "${`&a${n || ''};`.repeat(10)}">`).join('')}<!ENTITY f SYSTEM "file:///etc/passwd">]>`;

const HOSTILE: [name: string, listener: RequestListener, check: (report: Report) => void][] = [
  [
    'answers endlessly',
    (_request, response) => {
      const chunk = Buffer.alloc(1024 * 1024, 0x20);
      const more = () => {
        while (!response.destroyed && response.write(chunk));
      };
      response.on('drain', more);
      more();
    },
    ({ state, reason }) => assert.deepEqual([state, /larger than/.test(reason ?? '')], ['FAILED', true]),
  ],
  [
    'is a gzip bomb',
    (_request, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(64 * 1024 * 1024))),
    ({ state, reason }) => assert.deepEqual([state, /compressed/.test(reason ?? '')], ['FAILED', true]),
  ],
  [
    'redirects to the metadata of a cloud',
    (_request, response) => response.writeHead(302, { location: 'http://169.254.169.254/latest/' }).end(),
    ({ state, reason }) => assert.deepEqual([state, /not on the public internet/.test(reason ?? '')], ['FAILED', true]),
  ],
  [
    'is the page of a proxy',
    (_request, response) => response.end('<!DOCTYPE html><html><body>Sign in</body></html>'),
    ({ state, reason }) => assert.deepEqual([state, /web page/.test(reason ?? '')], ['FAILED', true]),
  ],
  [
    'has entities that grow and that read files',
    (_request, response) =>
      response.end(
        `${BOMB}${writeFeed(`<item><title>Bomb</title><guid>b</guid><description>&a20; &f;</description></item>`)}`,
      ),
    ({ state, items }) => {
      assert.equal(state, 'DONE');
      assert.equal(items.edges.length, 1);
    },
  ],
];

for (const [name, listener, check] of HOSTILE) {
  test(`a source that ${name} is refused or read within bounds`, async () => {
    const author = await world.api.createAuthor(name.replace(/\W+/g, '-').slice(0, 30));
    check(await importFrom(author, `source: RSS, identifier: "${await serve(listener)}"`));
  });
}

test('a slug that is a path names no file and no foreign address, and an article too large is refused while the rest goes on', async () => {
  const large = `<item><title>Large</title><guid>large</guid><description>${'x '.repeat(700_000)}</description></item>`;
  const path =
    '<item><title>Path</title><link>https://blog.example/..%2F..%2F.bashrc</link><guid>path</guid><description>Text</description></item>';
  const url = await serve((_request, response) => response.end(writeFeed(large + path + writeItem(1))));
  const author = await world.api.createAuthor('slugs');
  const report = await importFrom(author, `source: RSS, identifier: "${url}"`);
  const byTitle = new Map(report.items.edges.map(({ node }) => [node.title, node]));
  assert.deepEqual([byTitle.get('Large')?.outcome, byTitle.get('Large')?.code], ['REFUSED', 'too_large']);
  assert.deepEqual([byTitle.get('Path')?.article?.slug, byTitle.get('Post 1')?.outcome], ['path', 'CREATED']);
});

test('one import at a time; a cancelled one keeps what it made; private addresses are refused where the operator allows none (A11)', async () => {
  const url = await serve(() => undefined);
  const author = await world.api.createAuthor('cancelling');
  const id = await order(author, `source: RSS, identifier: "${url}"`);
  const second = await ask(
    world.api,
    author.id,
    `mutation { importArticles(source: RSS, identifier: "${url}") { id } }`,
  );
  assert.equal(second.code, 'IMPORT_RUNNING');
  const cancel = () => ask(world.api, author.id, `mutation { cancelImport(id: "${id}") }`);
  assert.deepEqual([(await cancel()).data.cancelImport, (await cancel()).data.cancelImport], [true, false]);
  assert.equal((await read(author, id)).state, 'CANCELLED');
  const never = await ask(
    world.api,
    author.id,
    'mutation { importArticles(source: RSS, identifier: "http://169.254.169.254/feed") { id } }',
  );
  assert.equal(never.code, 'BAD_IDENTIFIER');
});

test('of a feed with 10,000 posts so many are listed as an import may have, and it says that the oldest were left out', async () => {
  const feed = writeFeed(Array.from({ length: 10_000 }, (_, index) => writeItem(10_000 - index)).join(''));
  const url = await serve((_request, response) => response.end(feed));
  const author = await world.api.createAuthor('long-feed');
  const id = await order(author, `source: RSS, identifier: "${url}", dryRun: true`);
  const standing = await eventually(
    'the feed to be listed',
    async () => {
      const report = await read(author, id);
      return report.counts.listed > 0 ? report : null;
    },
    { withinMs: 60_000 },
  );
  assert.equal(standing.counts.listed, 5_000);
  assert.deepEqual(
    standing.notices.map(({ code, message }) => [code, /the oldest were left out/.test(message)]),
    [['import_full', true]],
  );
  await ask(world.api, author.id, `mutation { cancelImport(id: "${id}") }`);
  assert.equal((await read(author, id)).items.edges[0]?.node.title, 'Post 10000');
});

test('one’s imports are listed, the newest first and nobody else’s; a report is forgotten in time, and what it imported is still known', async () => {
  const url = await serve((_request, response) => response.end(writeFeed(writeItem(1))));
  const [author, other] = [await world.api.createAuthor('listing'), await world.api.createAuthor('not-listing')];
  const first = await importFrom(author, `source: RSS, identifier: "${url}"`);
  const second = await importFrom(author, `source: RSS, identifier: "${url}"`);
  const list = async (who: TestAuthor, args: string) =>
    (
      await ask(
        world.api,
        who.id,
        `{ imports(${args}) { edges { node { id state images counts { present } } } pageInfo { hasNextPage endCursor } } }`,
      )
    ).data.imports;
  const page = await list(author, 'first: 1');
  assert.deepEqual(page.edges, [{ node: { id: second.id, state: 'DONE', images: 'KEEP', counts: { present: 1 } } }]);
  const rest = await list(author, `first: 1, after: "${page.pageInfo.endCursor}"`);
  assert.deepEqual([rest.edges[0].node.id, rest.pageInfo.hasNextPage], [first.id, false]);
  assert.deepEqual((await list(other, 'first: 5')).edges, []);

  const inDays = (days: number) => new Date(Date.now() + days * 24 * 3_600_000);
  await sweepImports(world.api.db, inDays(REPORTS_KEPT_DAYS - 1));
  assert.equal((await list(author, 'first: 5')).edges.length, 2);
  // A few at a time, the oldest first: those of other tests are among them.
  for (let sweep = 0; sweep < 5; sweep += 1) await sweepImports(world.api.db, inDays(REPORTS_KEPT_DAYS + 1));
  assert.deepEqual((await list(author, 'first: 5')).edges, []);
  assert.deepEqual(outcomes(await importFrom(author, `source: RSS, identifier: "${url}"`)), ['PRESENT']);
});

test('a post keeps what its author wrote of escapes, and half a character or a NUL in it stops nothing', async () => {
  const items = [
    {
      id: 'escapes',
      url: 'https://blog.example/escapes',
      title: 'Escapes',
      content_html: '<p>Write <code>\\u0000</code> or <code>\\ud800</code>.</p>',
    },
    {
      id: 'half \ud83d',
      url: 'https://blog.example/half',
      title: 'Half \ud83d',
      content_html: '<p>Cut \ud83d here.</p>',
      summary: 'cut \udc00',
      tags: ['t\ud83d'],
    },
    { id: 'nul \0', url: 'https://blog.example/nul', title: 'A \0 in it', content_html: '<p>One \0 byte.</p>' },
  ];
  const feed = JSON.stringify({ version: 'https://jsonfeed.org/version/1.1', title: 'A blog', items });
  const url = await serve((_request, response) => response.end(feed));
  const author = await world.api.createAuthor('escapes');
  const report = await importFrom(author, `source: RSS, identifier: "${url}"`);
  assert.deepEqual(outcomes(report), ['CREATED', 'CREATED', 'CREATED'], JSON.stringify(report));
  const find = (title: string) => report.items.edges.find(({ node }) => node.title.startsWith(title))?.node.article?.id;
  assert.equal((await findArticle(find('Escapes'))).body.trim(), 'Write `\\u0000` or `\\ud800`.');
  assert.equal((await findArticle(find('Half'))).body.trim(), 'Cut \ufffd here.');
  assert.deepEqual(outcomes(await importFrom(author, `source: RSS, identifier: "${url}"`)), [
    'PRESENT',
    'PRESENT',
    'PRESENT',
  ]);
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
  const url = await serve((_request, response) => response.end(feed));
  const author = await world.api.createAuthor('long-names');
  const args = `source: RSS, identifier: "${url}/${noise(600)}"`;
  assert.deepEqual(outcomes(await importFrom(author, args)), ['CREATED', 'CREATED']);
  assert.deepEqual(outcomes(await importFrom(author, args)), ['PRESENT', 'PRESENT']);
});

test('a further import asks the source for no text that is here already, and its bounds are for what is new', async () => {
  const article = (id: number) => ({
    id,
    title: `Article ${id}`,
    url: `https://forem.example/ann/${id}`,
    published_at: '2024-01-01T00:00:00Z',
    user: { user_id: 7 },
  });
  let present = 2;
  const asked: string[] = [];
  const url = await serve((request, response) => {
    asked.push(request.url ?? '');
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
  assert.deepEqual(outcomes(await importFrom(author, args)), ['CREATED', 'CREATED']);
  asked.length = 0;
  present = 3;
  assert.deepEqual(outcomes(await importFrom(author, args)).sort(), ['CREATED', 'PRESENT', 'PRESENT']);
  assert.deepEqual(
    asked.filter((path) => /articles\/\d/.test(path)),
    ['/api/articles/3'],
  );
});
