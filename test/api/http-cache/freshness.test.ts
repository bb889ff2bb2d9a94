/** Tests two instances on one database: readers of both get every change, however it was made. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { findFreePort } from '../../../scripts/start/ports.ts';
import { deleteArticle, unpublishArticle } from '../../../store/articles/commands.ts';
import { markdown, startTestApi, type TestApi } from '../../support/api/api.ts';
import { eventually } from '../../support/eventually.ts';
import { startTcpProxy } from '../support/tcp-proxy.ts';

/** The guarantee is one second; the rest is tolerance for a busy machine. */
const SOON_MS = 10_000;

const CONNECTION_HEADERS = new Set(['date', 'connection', 'keep-alive', 'x-request-id']);

let api: TestApi;
let other: TestApi;
let temporal: string;
before(async () => {
  temporal = `127.0.0.1:${await findFreePort()}`;
  api = await startTestApi({ temporal });
  other = await startTestApi({ temporal, databaseUrl: api.databaseUrl, home: api.home });
});
after(async () => {
  await other.close();
  await api.close();
});

async function publish(title: string, body = 'The first words.', more: Record<string, unknown> = {}) {
  const { body: answer } = await api.publish({ content: markdown({ title, ...more }, body) });
  assert.ok(answer.data, JSON.stringify(answer));
  return { ...answer.data, command: { authorId: api.author.id, articleId: answer.data.id, now: new Date() } };
}

async function read(url: string, headers: Record<string, string> = {}) {
  const response = await fetch(url, { headers, redirect: 'manual' });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

const seenBy = (url: string, path: string, what: RegExp | number) =>
  eventually(
    `${path} to show ${what}`,
    async () => {
      const { status, text } = await read(`${url}${path}`);
      return typeof what === 'number' ? status === what : what.test(text);
    },
    { withinMs: SOON_MS },
  );

/** Waits until the article is derived, so that only the test changes it. */
async function waitUntilDerived(id: string) {
  await eventually(
    'the deriver',
    async () => {
      const row = await api.db.selectFrom('articles').select('derivedVersion').where('id', '=', id).executeTakeFirst();
      return (row?.derivedVersion ?? 0) > 0;
    },
    { withinMs: 30_000 },
  );
}

test('a publish, a change and a withdrawal are visible on every instance, and at once where they were made', async () => {
  const { id, slug } = await publish('Seen everywhere');
  for (const words of ['second', 'third', 'fourth']) {
    await Promise.all([read(`${api.url}/${slug}`), read(`${other.url}/${slug}`), read(`${other.url}/`)]);
    await publish('Seen everywhere', `The ${words} words.`);
    assert.match((await read(`${api.url}/${slug}`)).text, new RegExp(`The ${words} words`), 'where it was published');
    await seenBy(other.url, `/${slug}`, new RegExp(`The ${words} words`));
  }
  await seenBy(other.url, '/', /Seen everywhere/);
  await waitUntilDerived(id);
  await publish('Seen everywhere', 'The fourth words.', { draft: true });
  assert.equal((await read(`${api.url}/${slug}`)).status, 410);
  await seenBy(other.url, `/${slug}`, 410);
  assert.doesNotMatch((await read(`${api.url}/`)).text, /Seen everywhere/);
});

test('every kind of write invalidates the cache: commands, author names, comments, rows changed by an operator', async () => {
  const { slug, command, id } = await publish('Written by any way');
  await waitUntilDerived(id);
  const path = `/${slug}`;
  const show = async (what: RegExp | number, change: () => Promise<unknown>) => {
    await Promise.all([read(`${api.url}${path}`), read(`${other.url}${path}`)]);
    await change();
    await seenBy(api.url, path, what);
    await seenBy(other.url, path, what);
  };
  await show(/Ada Renamed/, () =>
    api.db.updateTable('users').set({ name: 'Ada Renamed' }).where('id', '=', api.author.id).execute(),
  );
  await show(/By hand/, () => sql`update articles set title = 'By hand' where id = ${id}`.execute(api.db));
  await show(410, () => unpublishArticle(api.db, command));
  await show(200, () => publish('Written by any way'));
  await show(410, () => deleteArticle(api.db, command));
});

test('a series shows the current name of its author, and gives 404 after the author’s suspension', async () => {
  const someone = await api.createAuthor('serial');
  const content = markdown({ title: 'A part', series_id: 'Told in parts' });
  const { body } = await api.publish({ content }, { token: someone.token });
  const id = body.data?.id ?? '';
  await waitUntilDerived(id);
  const { rows } = await sql<{ id: string }>`with made as (
      insert into series (author_id, title, title_key, created_at)
      values (${someone.id}, 'Told', 'told', now()) returning id)
    update articles set part_of = made.id, part_position = 1 from made where articles.id = ${id}
    returning made.id`.execute(api.db);
  const paths = [`/series/${rows[0]?.id}`, `/series/${rows[0]?.id}/feed.json`];
  for (const path of paths) await seenBy(other.url, path, /A part/);
  await sql`update users set name = 'Renamed Serial' where id = ${someone.id}`.execute(api.db);
  for (const path of paths) await seenBy(other.url, path, /Renamed Serial/);
  await sql`update users set suspended_at = now() where id = ${someone.id}`.execute(api.db);
  for (const path of paths) await seenBy(other.url, path, 404);
});

test('a former address redirects to the new one while the article is public', async () => {
  const { id } = await publish('On the move', 'Words.', { slug: 'from-here' });
  await read(`${other.url}/from-here`);
  await publish('On the move', 'Words.', { slug: 'to-there', courant_id: id });
  await seenBy(other.url, '/from-here', 301);
  await publish('On the move', 'Words.', { slug: 'to-there', courant_id: id, draft: true });
  await seenBy(other.url, '/from-here', 410);
});

test('once an older article of an author is public, agents no longer get the younger one with its canonical URL', async () => {
  const canonical_url = 'https://blog.example/taken-over';
  const older = await publish('The older one', 'Words.', { id: 'older', canonical_url, draft: true });
  const younger = await publish('The younger one', 'Words.', { id: 'younger', canonical_url });
  const path = `/api/geo/posts/${younger.slug}`;
  await seenBy(other.url, path, 200);
  await publish('The older one', 'Words.', { id: 'older', canonical_url });
  await seenBy(other.url, path, 404);
  assert.equal((await read(`${api.url}/api/geo/posts/${older.slug}`)).status, 200);
});

test('HEAD, conditions and codings give the same responses with and without the cache', async () => {
  const { id, slug } = await publish('Asked in many ways', 'Words. '.repeat(1_000));
  await waitUntilDerived(id);
  await seenBy(api.url, `/${slug}`, /Words/);
  const tags = new Set<string>();
  const lastModified = async () => (await read(`${api.url}/${slug}`)).headers.get('last-modified');
  await eventually('the end of the second of the change', async () => (await lastModified()) !== null);
  for (const path of [`/${slug}`, `/${slug}`, `/${slug}?from=a-mail`, `/${slug}/`]) {
    for (const coding of ['br', 'gzip', 'zstd', 'identity']) {
      const accepted = { 'accept-encoding': coding };
      const whole = await read(`${api.url}${path}`, accepted);
      const etag = whole.headers.get('etag') ?? '';
      tags.add(etag);
      assert.match(whole.text, /Words\. Words/);
      assert.equal(whole.headers.get('content-encoding') ?? 'identity', coding);
      assert.equal(whole.headers.get('vary'), 'Accept, accept-encoding');
      assert.equal(whole.headers.get('cache-control'), 'public, max-age=0, stale-while-revalidate=1');
      const head = await fetch(`${api.url}${path}`, { method: 'HEAD', headers: accepted });
      assert.deepEqual([head.status, head.headers.get('etag'), await head.text()], [200, etag, '']);
      assert.equal(head.headers.get('content-length'), whole.headers.get('content-length'));
      const same = await read(`${api.url}${path}`, {
        ...accepted,
        'if-none-match': etag,
        'if-modified-since': 'nonsense',
      });
      assert.deepEqual([same.status, same.text, same.headers.get('etag')], [304, '', etag]);
      for (const name of ['vary', 'cache-control']) {
        assert.equal(same.headers.get(name), whole.headers.get(name), name);
      }
      // Browsers adopt the headers of a 304, so it may only have headers of the page.
      for (const [name, value] of same.headers) {
        if (!CONNECTION_HEADERS.has(name)) assert.equal(value, whole.headers.get(name), name);
      }
      const part = await read(`${api.url}${path}`, { ...accepted, range: 'bytes=0-9', 'if-range': etag });
      assert.deepEqual([part.status, part.text.length], [200, whole.text.length], 'ranges are ignored');
    }
  }
  assert.equal(tags.size, 4, 'an ETag stands for bytes: each coding has its own');
});

test('unknown addresses are not cached; drafts and scheduled articles get the same response as unknown addresses (A52)', async () => {
  const { slug } = await publish('Still here');
  await publish('Hidden draft', 'Secret.', { draft: true });
  await publish('Hidden schedule', 'Secret.', { scheduled_at: '2099-01-01T00:00:00Z' });
  await read(`${api.url}/${slug}`);
  const bodies = new Set<string>();
  for (const path of ['hidden-draft', 'hidden-schedule', 'never-heard-of', '%61%62c', `${'x'.repeat(900)}`]) {
    const { status, text, headers } = await read(`${api.url}/${path}`);
    assert.equal(status, 404, path);
    assert.equal(headers.get('cache-control'), 'no-store');
    bodies.add(text);
  }
  assert.equal(bodies.size, 1);
  const requests = Array.from({ length: 200 }, (_, number) => read(`${api.url}/missing-${number}?x=${number}`));
  assert.ok((await Promise.all(requests)).every(({ status }) => status === 404));
  assert.equal((await read(`${api.url}/${slug}`)).status, 200);
});

test('a request for an unknown address does not affect another response being made', async () => {
  for (let times = 0; times < 20; times++) {
    await sql`select announce_change(array['everything'])`.execute(api.db);
    const [nothing, list] = await Promise.all([read(`${api.url}/.md`), read(`${api.url}/index.md`)]);
    assert.deepEqual([nothing.status, list.status], [404, 200]);
  }
});

test('hostile spellings of an address get a response, but never the article of another address (A44)', async () => {
  await publish('Target');
  for (const [path, expected] of [
    ['/%74arget', [200]],
    ['/target%2F..', [404]],
    ['/..%2ftarget', [404]],
    ['/target%00', [404]],
    ['/%FF%FE', [400, 404]],
    ['/%E0%A4%A', [400, 404]],
    [`/${'%C3%A4'.repeat(400)}`, [404, 414]],
    ['/target;q', [404]],
    ['/TARGET', [404]],
    ['/authors/%2e%2e%2ftarget', [404]],
  ] as const) {
    for (let times = 0; times < 2; times++) {
      const { status } = await read(`${api.url}${path}`);
      assert.ok((expected as readonly number[]).includes(status), `${path}: ${status}`);
    }
  }
});

test('without the LISTEN connection, readers get current responses and concurrent requests share one (F20)', async (t) => {
  const proxy = await startTcpProxy({ port: Number(new URL(api.databaseUrl).port) });
  t.after(() => proxy.close());
  const throughProxy = new URL(api.databaseUrl);
  throughProxy.port = String(proxy.port);
  const disconnected = await startTestApi({
    temporal,
    databaseUrl: api.databaseUrl,
    home: api.home,
    env: { DATABASE_URL: throughProxy.href },
  });
  t.after(() => disconnected.close());
  const { id, slug } = await publish('Not heard of', 'Words of before.');
  await waitUntilDerived(id);
  await seenBy(disconnected.url, `/${slug}`, /Words of before/);
  assert.ok(proxy.freezeOpenConnections() >= 1);
  await publish('Not heard of', 'Words of after.');
  await seenBy(disconnected.url, `/${slug}`, /Words of after/);
  proxy.cut();
  await publish('Not heard of', 'Words while cut.');
  await seenBy(disconnected.url, `/${slug}`, /Words while cut/);
  const crowd = await Promise.all(Array.from({ length: 50 }, () => read(`${disconnected.url}/${slug}`)));
  assert.ok(crowd.every(({ status, text }) => status === 200 && text.includes('Words while cut')));
  proxy.restore();
  await publish('Not heard of', 'Words again.');
  await seenBy(disconnected.url, `/${slug}`, /Words again/);
});

test('after a publish that overlaps a rendering, no response has the former text (A44)', async () => {
  const { slug } = await publish('Raced', 'Version 0.');
  let newest = 0;
  let isOver = false;
  const readers = Array.from({ length: 8 }, async () => {
    while (!isOver) {
      const published = newest;
      const { text } = await read(`${api.url}/${slug}`);
      const seen = Number(/Version (\d+)\./.exec(text)?.[1]);
      assert.ok(seen >= published, `${seen} after ${published} was published`);
    }
  });
  try {
    for (let version = 1; version <= 15; version++) {
      await publish('Raced', `Version ${version}.`);
      newest = version;
    }
  } finally {
    isOver = true;
  }
  await Promise.all(readers);
});
