/** Pictures of imported posts, copied: fetched from real servers, kept as files, served by the API, exported and deleted with their author. */
import assert from 'node:assert/strict';
import { readdir, rename, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { unzipSync } from 'fflate';
import { sweepImages } from '../../api/background/sweep-images.ts';
import { createFileImages } from '../../images/file-images.ts';
import { nameImage, writeImageName } from '../../images/image-name.ts';
import { findFreePort } from '../../scripts/start/ports.ts';
import { deleteAccount } from '../../store/users/delete-account.ts';
import { makePng, PICTURES } from '../images/pictures.ts';
import type { TestAuthor } from '../support/api.ts';
import { type DeliveryWorld, startDeliveryWorld } from '../support/delivery.ts';
import { eventually } from '../support/eventually.ts';
import { ask } from '../support/graphql.ts';

const HUGE = makePng('x'.repeat(11 * 1024 * 1024));
const SVG = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';

let world: DeliveryWorld;
let source: Server;
let url: string;
let items = '';
const asked: string[] = [];
const busy = new Map<string, number>();
before(async () => {
  world = await startDeliveryWorld({ api: { env: { ALLOW_PRIVATE_DESTINATIONS: 'true' } } });
  source = createServer((request, response) => {
    const path = request.url ?? '/';
    asked.push(path);
    const left = busy.get(path) ?? 0;
    if (left > 0) {
      busy.set(path, left - 1);
      return response.writeHead(503).end();
    }
    const bodies: Record<string, string | Buffer> = { ...FILES, '/feed': writeFeed(items) };
    if (path === '/broken.png') return response.writeHead(503).end();
    if (path === '/moved.png') return response.writeHead(302, { location: '/shared.png' }).end();
    if (path === '/to-metadata.png') return response.writeHead(302, { location: 'http://169.254.169.254/x.png' }).end();
    const body = bodies[path];
    return body === undefined
      ? response.writeHead(404).end()
      : response.writeHead(200, { 'content-type': 'image/png' }).end(body);
  });
  await new Promise<void>((resolve) => source.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(source.address() as AddressInfo).port}`;
});
after(async () => {
  source.close().closeAllConnections();
  await world.close();
});

const FILES: Record<string, string | Buffer> = {
  '/shared.png': PICTURES.png,
  '/photo.jpg': PICTURES.jpg,
  '/late.gif': PICTURES.gif,
  '/vector.svg': SVG,
  '/page.png': '<html><script>alert(1)</script>',
  '/huge.png': HUGE,
};

function writeFeed(content: string): string {
  return `<?xml version="1.0"?><rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/"><channel><title>A blog</title>${content}</channel></rss>`;
}

function writeItem(name: string, html: string): string {
  return `<item><title>${name}</title><link>${url}/${name}</link><guid>${name}</guid><content:encoded><![CDATA[${html}]]></content:encoded></item>`;
}

interface Item {
  outcome: string;
  reason: string | null;
  warnings: { code: string; message: string }[];
  article: { id: string } | null;
}

async function importAll(author: TestAuthor, images = 'COPY'): Promise<Item[]> {
  const ordered = await ask(
    world.api,
    author.id,
    `mutation { importArticles(source: RSS, identifier: "${url}/feed", images: ${images}) { id } }`,
  );
  const query = `{ import(id: "${ordered.data.importArticles.id}") { state images items(first: 50) { edges { node { outcome reason warnings { code message } article { id } } } } } }`;
  return eventually(
    'the import to end',
    async () => {
      const { state, items: page } = (await ask(world.api, author.id, query)).data.import;
      return state === 'RUNNING' ? null : page.edges.map(({ node }: { node: Item }) => node);
    },
    { withinMs: 60_000 },
  );
}

const findArticle = (item: Item | undefined) =>
  world.api.db
    .selectFrom('articles')
    .selectAll()
    .where('id', '=', item?.article?.id ?? '')
    .executeTakeFirstOrThrow();
const addressOf = (bytes: Buffer, type: 'png' | 'jpg' | 'gif') => `/images/${writeImageName(nameImage(bytes, type))}`;
const origin = () => `http://localhost:${new URL(world.api.url).port}`;
const listFiles = async () =>
  (await readdir(join(world.api.home, 'images'), { recursive: true })).filter((name) => name.includes('.'));
const get = (path: string, headers: Record<string, string> = {}) => fetch(`${world.api.url}${path}`, { headers });

test('pictures of the text are copied, one that many posts show once; a second run fetches none of them again', async () => {
  const author = await world.api.createAuthor('pictures');
  items =
    writeItem(
      'one',
      '<p>A <img src="/shared.png" alt="shared"> and <img src="/photo.jpg?size=1&amp;v=2" alt="photo"></p>',
    ) + writeItem('two', '<p>Again <img src="/shared.png" alt="shared"> and <img src="/moved.png" alt="moved"></p>');
  FILES['/photo.jpg?size=1&v=2'] = PICTURES.jpg;
  const [one, two] = await importAll(author);
  assert.deepEqual([one?.outcome, one?.warnings, two?.warnings], ['CREATED', [], []]);
  const base = `http://localhost:${new URL(world.api.url).port}`;
  const [png, jpg] = [addressOf(PICTURES.png, 'png'), addressOf(PICTURES.jpg, 'jpg')];
  const { body, source: document } = await findArticle(one);
  assert.equal(body.trim(), `A ![shared](${base}${png}) and ![photo](${base}${jpg})`);
  assert.ok(document.includes(`${base}${png}`));
  assert.equal((await findArticle(two)).body.trim(), `Again ![shared](${base}${png}) and ![moved](${base}${png})`);
  assert.equal((await listFiles()).length, 2);
  assert.equal(
    asked.filter((path) => path === '/shared.png').length,
    2,
    'once by its address, and once by what leads to it',
  );
  const before = asked.length;
  assert.deepEqual(
    (await importAll(author)).map(({ outcome }) => outcome),
    ['PRESENT', 'PRESENT'],
  );
  assert.deepEqual(asked.slice(before), ['/feed']);
});

test('a further import copies the pictures of what is here already, as long as it is as it was imported', async () => {
  const author = await world.api.createAuthor('pictures-later');
  FILES['/first.png'] = makePng('first');
  FILES['/second.png'] = makePng('second');
  items =
    writeItem('kept', '<p><img src="/first.png" alt="1"></p>') +
    writeItem('own', '<p><img src="/second.png" alt="2"></p>');
  const [kept, own] = await importAll(author, 'KEEP');
  const before = await findArticle(kept);
  assert.ok(before.body.includes(`${url}/first.png`));
  const content = `---\ntitle: own\ncourant_id: ${own?.article?.id}\n---\n\n![2](${url}/second.png)\n`;
  assert.equal((await world.api.publish({ content }, { token: author.token })).body.action, 'updated');

  const again = await importAll(author);
  assert.deepEqual(
    again.map(({ outcome, reason, warnings }) => [outcome, reason, warnings]),
    [
      ['PRESENT', 'Imported before. A picture was copied now.', []],
      ['PRESENT', 'Imported before.', []],
    ],
  );
  const after = await findArticle(kept);
  assert.equal(after.body, before.body.replace(`${url}/first.png`, `${origin()}${addressOf(makePng('first'), 'png')}`));
  assert.ok(after.source.includes(addressOf(makePng('first'), 'png')));
  assert.deepEqual(
    [after.slug, after.publishedAt, after.updatedAt, after.imported, after.dispatch],
    [before.slug, before.publishedAt, before.updatedAt, true, before.dispatch],
  );
  assert.ok((await findArticle(own)).body.includes(`${url}/second.png`), 'what its author publishes is as it says');
  const asks = asked.length;
  assert.deepEqual(
    (await importAll(author)).map(({ reason }) => reason),
    ['Imported before.', 'Imported before.'],
  );
  assert.deepEqual(asked.slice(asks), ['/feed']);
});

test('a picture that has to wait holds up its own post alone', async () => {
  const author = await world.api.createAuthor('one-waits');
  FILES['/slow.png'] = makePng('slow');
  busy.set('/slow.png', 3);
  items = writeItem('new', '<p>Text.</p>') + writeItem('old', '<p><img src="/slow.png" alt="slow"></p>');
  const [first, last] = await importAll(author);
  assert.deepEqual([last?.outcome, last?.warnings], ['CREATED', []]);
  const [before, after] = [await findArticle(first), await findArticle(last)];
  assert.ok(before.createdAt < after.createdAt, 'the oldest would have been the first');
});

test('a picture that is none, is too large, leads to a private address or is gone stays where it is, and the item says so', async () => {
  const author = await world.api.createAuthor('refused-pictures');
  const away = `http://127.0.0.1:${await findFreePort()}/away.png`;
  const pictures = ['/vector.svg', '/page.png', '/huge.png', '/gone.png', '/to-metadata.png', away, '/late.gif'];
  busy.set('/late.gif', 2);
  items = writeItem('bad', pictures.map((src) => `<p><img src="${src}" alt="x"></p>`).join(''));
  const [item] = await importAll(author);
  assert.equal(item?.outcome, 'CREATED');
  const messages = item.warnings.map(({ message }) => message);
  for (const [address, reason] of [
    ['/vector.svg', /no PNG, JPEG/],
    ['/page.png', /no PNG, JPEG/],
    ['/huge.png', /larger than 10 MiB/],
    ['/gone.png', /HTTP 404/],
    ['/to-metadata.png', /not on the public internet/],
    [away, /could not be reached/],
  ] as const) {
    const message = messages.find((text) => text.includes(`${address} `)) ?? '';
    assert.match(message, reason, messages.join('\n'));
  }
  assert.equal(messages.length, 6);
  const { body } = await findArticle(item);
  assert.ok(body.includes(`![x](${url}/vector.svg)`) && body.includes(`![x](${away})`));
  assert.ok(body.includes(addressOf(PICTURES.gif, 'gif')), 'what was busy was asked for again');
});

test('a picture is served with its type and may do nothing; what is no name is a 404, and nothing is listed (A44)', async () => {
  const png = addressOf(PICTURES.png, 'png');
  const answer = await get(png);
  assert.equal(answer.status, 200);
  assert.deepEqual(Buffer.from(await answer.arrayBuffer()), PICTURES.png);
  const { headers } = answer;
  assert.equal(headers.get('content-type'), 'image/png');
  assert.equal(headers.get('content-length'), String(PICTURES.png.length));
  assert.equal(headers.get('x-content-type-options'), 'nosniff');
  assert.equal(headers.get('content-security-policy'), "default-src 'none'; frame-ancestors 'none'; sandbox");
  assert.equal(headers.get('cache-control'), 'public, max-age=31536000, immutable');
  assert.equal((await get(png, { 'if-none-match': headers.get('etag') ?? '' })).status, 304);
  const head = await fetch(`${world.api.url}${png}`, { method: 'HEAD' });
  assert.deepEqual([head.status, head.headers.get('content-length')], [200, String(PICTURES.png.length)]);
  const wrong = [
    '/images',
    '/images/',
    png.replace('.png', '.jpg'),
    png.replace('.png', '.svg'),
    `${png}.html`,
    png.toUpperCase(),
  ];
  for (const path of [
    ...wrong,
    '/images/incoming',
    `/images/${'0'.repeat(64)}.png`,
    '/images/..%2f..%2fcredentials.key',
  ]) {
    const missing = await get(path);
    assert.equal(missing.status, 404, path);
    assert.doesNotMatch(missing.headers.get('cache-control') ?? '', /immutable/);
  }
  assert.match(await askRaw('/images/../../credentials.key'), /^HTTP\/1\.1 404/);
});

test('an export carries the pictures; with the account they are gone, but for those of somebody else', async () => {
  const [leaving, staying] = [await world.api.createAuthor('leaving'), await world.api.createAuthor('staying')];
  const own = makePng('only of one');
  FILES['/own.png'] = own;
  items = writeItem('own', '<p><img src="/own.png" alt="own"><img src="/shared.png" alt="shared"></p>');
  await importAll(leaving);
  items = writeItem('other', '<p><img src="/shared.png" alt="shared"></p>');
  await importAll(staying);
  const { url: address } = (await ask(world.api, leaving.id, 'mutation { exportEverything { url } }')).data
    .exportEverything;
  const files = unzipSync(new Uint8Array(await (await fetch(address)).arrayBuffer()));
  assert.deepEqual(Buffer.from(files[addressOf(own, 'png').slice(1)] ?? []), own);
  assert.ok(files[addressOf(PICTURES.png, 'png').slice(1)]);

  const { db } = world.api;
  const { passwordHash } = await db
    .selectFrom('users')
    .select('passwordHash')
    .where('id', '=', leaving.id)
    .executeTakeFirstOrThrow();
  await deleteAccount(db, { userId: leaving.id, passwordHash, deadPasswordHash: 'dead', now: new Date() });
  await sweepImages(db, createFileImages(join(world.api.home, 'images')), new Date());
  assert.equal((await get(addressOf(own, 'png'))).status, 404);
  assert.equal((await get(addressOf(PICTURES.png, 'png'))).status, 200);
});

test('one picture that its server fails to give keeps none of the others there from being copied', async () => {
  FILES['/beside.png'] = makePng('beside a broken one');
  items = writeItem('broken', '<p><img src="/broken.png" alt="broken"></p>');
  const [broken] = await importAll(await world.api.createAuthor('broken-picture'));
  assert.match(broken?.warnings[0]?.message ?? '', /broken.png stays where it is/);
  items = writeItem('beside', '<p><img src="/beside.png" alt="beside"></p>');
  const [item] = await importAll(await world.api.createAuthor('beside-a-broken-one'));
  assert.deepEqual(item?.warnings, []);
});

test('a copy that the store has lost is fetched again for the next post that shows it', async () => {
  const author = await world.api.createAuthor('lost-copy');
  const bytes = makePng('lost by its store');
  FILES['/lost.png'] = bytes;
  items = writeItem('before', '<p><img src="/lost.png" alt="lost"></p>');
  await importAll(author);
  const images = createFileImages(join(world.api.home, 'images'));
  await images.remove(nameImage(bytes, 'png'));
  items = writeItem('after', '<p><img src="/lost.png" alt="lost"></p>') + items;
  await importAll(author);
  assert.equal((await get(addressOf(bytes, 'png'))).status, 200);
});

test('a picture that is here already, of somebody else, becomes the author’s too and outlives the other account', async () => {
  const [first, second] = [await world.api.createAuthor('first-of-two'), await world.api.createAuthor('second-of-two')];
  const bytes = makePng('of two');
  FILES['/two.png'] = bytes;
  items = writeItem('first', '<p><img src="/two.png" alt="two"></p>');
  await importAll(first);
  const own = `http://localhost:${new URL(world.api.url).port}`;
  const missing = `${own}/images/${'0'.repeat(64)}.png`;
  items = writeItem(
    'second',
    `<p><img src="${own}${addressOf(bytes, 'png')}" alt="two"><img src="${missing}" alt="none"></p>`,
  );
  const [item] = await importAll(second);
  assert.match(item?.warnings.map(({ message }) => message).join() ?? '', /0000.png stays where it is/);
  const { db } = world.api;
  const keeps = await db.selectFrom('authorImages').select('hash').where('authorId', '=', second.id).execute();
  assert.deepEqual(keeps, [{ hash: nameImage(bytes, 'png').hash }]);
});

test('while our store of pictures is away a post waits, and no attempt counts against it', async () => {
  const author = await world.api.createAuthor('store-away');
  FILES['/patient.png'] = makePng('patient');
  items = writeItem('patient', '<p><img src="/patient.png" alt="patient"></p>');
  const folder = join(world.api.home, 'images');
  await rename(folder, `${folder}-away`);
  await writeFile(folder, 'no folder');
  const done = importAll(author);
  const { db } = world.api;
  const waiting = () =>
    db
      .selectFrom('importItems')
      .innerJoin('imports', 'imports.id', 'importItems.importId')
      .select(['attempts', 'waitsUntil'])
      .where('imports.userId', '=', author.id)
      .executeTakeFirst();
  const seen = new Set<number>();
  await eventually(
    'the third pause',
    async () => {
      const at = (await waiting())?.waitsUntil?.getTime();
      if (at !== undefined) seen.add(at);
      return seen.size >= 3 ? true : null;
    },
    { withinMs: 60_000 },
  );
  assert.equal((await waiting())?.attempts, 0);
  await rm(folder);
  await rename(`${folder}-away`, folder);
  assert.deepEqual(
    (await done).map(({ outcome, warnings }) => [outcome, warnings]),
    [['CREATED', []]],
  );
});

/** As no client of ours would ask. */
function askRaw(path: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    const socket = connect(Number(new URL(world.api.url).port), '127.0.0.1', () => {
      socket.write(`GET ${path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`);
    });
    socket.on('data', (chunk) => {
      text += chunk.toString();
    });
    socket.on('close', () => resolve(text));
    socket.on('error', reject);
  });
}
