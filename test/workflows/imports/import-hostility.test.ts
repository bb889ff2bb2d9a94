/** Tests unavailable, slow, hostile and endless sources, concurrent imports and their reports. */
import assert from 'node:assert/strict';
import type { RequestListener } from 'node:http';
import { after, before, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { EXPIRING_TABLES, sweepExpired } from '../../../store/operation/sweep-expired.ts';
import { buildImportWorkflowId } from '../../../temporal/names.ts';
import type { TestAuthor } from '../../support/api/api.ts';
import { runGraphql } from '../../support/api/graphql.ts';
import type { DeliveryWorld } from '../../support/delivery/delivery.ts';
import { listWaits } from '../../support/delivery/list-waits.ts';
import { eventually } from '../../support/eventually.ts';
import {
  type ImportWorld,
  outcomes,
  type Report,
  startImportWorld,
  writeFeed,
  writeItem,
} from '../support/import-world.ts';

let imports: ImportWorld;
let world: DeliveryWorld;
before(async () => {
  imports = await startImportWorld();
  ({ world } = imports);
});
after(() => imports.close());

test('an import waits for an unavailable source and honours its Retry-After', async () => {
  let requests = 0;
  const url = await imports.serve((_request, response) => {
    requests += 1;
    if (requests === 1) response.writeHead(503).end('<html>busy</html>');
    else if (requests === 2) response.writeHead(429, { 'retry-after': '3' }).end();
    else response.end(writeFeed(writeItem(1)));
  });
  const author = await world.api.createAuthor('patient');
  const report = await imports.importFrom(author, `source: RSS, identifier: "${url}"`);
  assert.deepEqual([report.state, requests, outcomes(report)], ['DONE', 3, ['CREATED']]);
  assert.deepEqual(await listWaits(world.client, buildImportWorkflowId(report.id)), [1_000, 3_000]);
});

const BOMB = `<!DOCTYPE rss [<!ENTITY a "aaaaaaaaaa">${Array.from({ length: 20 }, (_, n) => `<!ENTITY a${n + 1} "${`&a${n || ''};`.repeat(10)}">`).join('')}<!ENTITY f SYSTEM "file:///etc/passwd">]>`;

const HOSTILE: [name: string, listener: RequestListener, check: (report: Report) => void][] = [
  [
    'sends an endless response',
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
    'sends a gzip bomb',
    (_request, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(64 * 1024 * 1024))),
    ({ state, reason }) => assert.deepEqual([state, /compressed/.test(reason ?? '')], ['FAILED', true]),
  ],
  [
    'redirects to cloud metadata',
    (_request, response) => response.writeHead(302, { location: 'http://169.254.169.254/latest/' }).end(),
    ({ state, reason }) => assert.deepEqual([state, /not on the public internet/.test(reason ?? '')], ['FAILED', true]),
  ],
  [
    'sends the page of a proxy',
    (_request, response) => response.end('<!DOCTYPE html><html><body>Sign in</body></html>'),
    ({ state, reason }) => assert.deepEqual([state, /web page/.test(reason ?? '')], ['FAILED', true]),
  ],
  [
    'sends expanding or file-reading entities',
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
  test(`a source that ${name} is refused or read within limits`, async () => {
    const author = await world.api.createAuthor(name.replace(/\W+/g, '-').slice(0, 30));
    check(await imports.importFrom(author, `source: RSS, identifier: "${await imports.serve(listener)}"`));
  });
}

test('a path as a slug is reduced to a safe slug, and an oversized article is refused without stopping the import', async () => {
  const large = `<item><title>Large</title><guid>large</guid><description>${'x '.repeat(700_000)}</description></item>`;
  const path =
    '<item><title>Path</title><link>https://blog.example/..%2F..%2F.bashrc</link><guid>path</guid><description>Text</description></item>';
  const url = await imports.serve((_request, response) => response.end(writeFeed(large + path + writeItem(1))));
  const author = await world.api.createAuthor('slugs');
  const report = await imports.importFrom(author, `source: RSS, identifier: "${url}"`);
  const byTitle = new Map(report.items.edges.map(({ node }) => [node.title, node]));
  assert.deepEqual([byTitle.get('Large')?.outcome, byTitle.get('Large')?.code], ['REFUSED', 'too_large']);
  assert.deepEqual([byTitle.get('Path')?.article?.slug, byTitle.get('Post 1')?.outcome], ['path', 'CREATED']);
});

test('one import runs at a time, a cancelled one preserves its articles, and private addresses are refused (A11)', async () => {
  const url = await imports.serve(() => undefined);
  const author = await world.api.createAuthor('cancelling');
  const id = await imports.order(author, `source: RSS, identifier: "${url}"`);
  const second = await runGraphql(
    world.api,
    author.id,
    `mutation { importArticles(source: RSS, identifier: "${url}") { id } }`,
  );
  assert.equal(second.code, 'IMPORT_RUNNING');
  const cancel = () => runGraphql(world.api, author.id, `mutation { cancelImport(id: "${id}") }`);
  assert.deepEqual([(await cancel()).data.cancelImport, (await cancel()).data.cancelImport], [true, false]);
  assert.equal((await imports.read(author, id)).state, 'CANCELLED');
  const never = await runGraphql(
    world.api,
    author.id,
    'mutation { importArticles(source: RSS, identifier: "http://169.254.169.254/feed") { id } }',
  );
  assert.equal(never.code, 'BAD_IDENTIFIER');
});

test('a feed with 10,000 posts is listed up to the limit, with a notice that the oldest were left out', async () => {
  const feed = writeFeed(Array.from({ length: 10_000 }, (_, index) => writeItem(10_000 - index)).join(''));
  const url = await imports.serve((_request, response) => response.end(feed));
  const author = await world.api.createAuthor('long-feed');
  const id = await imports.order(author, `source: RSS, identifier: "${url}", dryRun: true`);
  const standing = await eventually(
    'the feed to be listed',
    async () => {
      const report = await imports.read(author, id);
      return report.counts.listed > 0 ? report : null;
    },
    { withinMs: 60_000 },
  );
  assert.equal(standing.counts.listed, 5_000);
  assert.deepEqual(
    standing.notices.map(({ code, message }) => [code, /the oldest were left out/.test(message)]),
    [['import_full', true]],
  );
  await runGraphql(world.api, author.id, `mutation { cancelImport(id: "${id}") }`);
  assert.equal((await imports.read(author, id)).items.edges[0]?.node.title, 'Post 10000');
});

test('an author’s imports are listed newest first, and their reports expire without affecting imported articles', async () => {
  const url = await imports.serve((_request, response) => response.end(writeFeed(writeItem(1))));
  const [author, other] = [await world.api.createAuthor('listing'), await world.api.createAuthor('not-listing')];
  const first = await imports.importFrom(author, `source: RSS, identifier: "${url}"`);
  const second = await imports.importFrom(author, `source: RSS, identifier: "${url}"`);
  const list = async (who: TestAuthor, args: string) =>
    (
      await runGraphql(
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
  const { days } = EXPIRING_TABLES.imports;
  await sweepExpired(world.api.db, 'imports', inDays(days - 1));
  assert.equal((await list(author, 'first: 5')).edges.length, 2);
  await sweepExpired(world.api.db, 'imports', inDays(days + 1));
  assert.deepEqual((await list(author, 'first: 5')).edges, []);
  assert.deepEqual(outcomes(await imports.importFrom(author, `source: RSS, identifier: "${url}"`)), ['PRESENT']);
});

test('a post with escape sequences is imported as written, and lone surrogates and NULs do not stop the import', async () => {
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
  const url = await imports.serve((_request, response) => response.end(feed));
  const author = await world.api.createAuthor('escapes');
  const report = await imports.importFrom(author, `source: RSS, identifier: "${url}"`);
  assert.deepEqual(outcomes(report), ['CREATED', 'CREATED', 'CREATED'], JSON.stringify(report));
  const find = (title: string) => report.items.edges.find(({ node }) => node.title.startsWith(title))?.node.article?.id;
  assert.equal((await imports.findArticle(find('Escapes'))).body.trim(), 'Write `\\u0000` or `\\ud800`.');
  assert.equal((await imports.findArticle(find('Half'))).body.trim(), 'Cut \ufffd here.');
  assert.deepEqual(outcomes(await imports.importFrom(author, `source: RSS, identifier: "${url}"`)), [
    'PRESENT',
    'PRESENT',
    'PRESENT',
  ]);
});
