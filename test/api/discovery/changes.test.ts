import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { findFreePort } from '../../../scripts/start/ports.ts';
import { pruneChanges } from '../../../store/changes/list-changes.ts';
import { beginRestore } from '../../../store/restores/restore.ts';
import { markdown, startTestApi, type TestApi } from '../../support/api/api.ts';
import { eventually } from '../../support/eventually.ts';

interface Changes {
  data: { id: string; change: string; slug: string; url: string; document: string | null; at: string }[];
  next: string;
  more: boolean;
  code?: string;
  detail?: string;
  errors?: { path: string; message: string }[];
}

let api: TestApi;
before(async () => {
  api = await startTestApi({ temporal: `127.0.0.1:${await findFreePort()}` });
});
after(() => api.close());

async function sendRequest(query: Record<string, string> = {}) {
  const response = await fetch(`${api.url}/api/geo/changes?${new URLSearchParams(query)}`);
  return { status: response.status, headers: response.headers, body: (await response.json()) as Changes };
}

async function publish(title: string, more: Record<string, unknown> = {}) {
  const { body } = await api.publish({ content: markdown({ title, ...more }, `${title}: words.`) });
  assert.ok(body.data, JSON.stringify(body));
  return body.data;
}

/** Reads changes after `since` until `isThere` accepts them; older transactions delay the list. */
async function follow(since: string, isThere: (changes: Changes['data']) => boolean) {
  return eventually('the changes', async () => {
    const { body } = await sendRequest({ since, limit: '500' });
    return isThere(body.data) && body;
  });
}

const listSlugs = (changes: Changes['data']) => changes.map(({ slug }) => slug);

const settled = () =>
  eventually('the deriver', async () => {
    const { rows } = await sql`select 1 from articles where status = 'PUBLISHED' and derived_version = 0`.execute(
      api.db,
    );
    return rows.length === 0;
  });

test('added, changed and withdrawn articles are listed in order, each once with its current state', async () => {
  const start = (await sendRequest()).body.next;
  const [one, two] = [await publish('Change one'), await publish('Change two')];
  await publish('Change draft', { draft: true });
  await settled();
  const added = await follow(start, (data) => data.length === 2);
  assert.deepEqual(
    new Set(added.data.map(({ slug, change }) => `${slug} ${change}`)),
    new Set(['change-one added', 'change-two added']),
  );
  for (const { id, at, ...change } of added.data) {
    assert.ok([one.id, two.id].includes(id) && new Date(at).toISOString() === at, at);
    const [url, document] = [`${api.baseUrl}/${change.slug}`, `${api.baseUrl}/api/geo/posts/${change.slug}`];
    assert.deepEqual(change, { change: 'added', slug: change.slug, url, document });
  }
  await publish('Change one', { tags: ['new'] });
  await publish('Change two', { draft: true, slug: 'secret-name' });
  await settled();
  const later = await follow(
    added.next,
    (data) => data.length === 2 && data.some(({ change }) => change === 'withdrawn'),
  );
  const byId = new Map(later.data.map((entry) => [entry.id, entry]));
  assert.equal(byId.get(one.id)?.change, 'changed');
  assert.deepEqual(
    [byId.get(two.id)?.change, byId.get(two.id)?.slug, byId.get(two.id)?.document],
    ['withdrawn', 'change-two', null],
  );
  assert.equal((await sendRequest({ since: later.next })).body.data.length, 0);
  const first = await sendRequest({ limit: '1' });
  assert.deepEqual(
    [first.body.data.length, first.body.more, first.headers.get('access-control-allow-origin')],
    [1, true, '*'],
  );
  assert.equal(first.headers.get('cache-control'), 'no-store');
  assert.equal((await sendRequest({ since: first.body.next, limit: '1' })).body.more, false);
});

test('pages of any size contain each change once, in the same order', async () => {
  const start = (await sendRequest()).body.next;
  for (const title of ['Page one', 'Page two', 'Page three', 'Page four', 'Page five']) await publish(title);
  await settled();
  const { data } = await follow(start, (changes) => changes.length === 5);
  for (const limit of [1, 2, 5]) {
    const pages: Changes[] = [];
    do pages.push((await sendRequest({ since: pages.at(-1)?.next ?? start, limit: `${limit}` })).body);
    while (pages.at(-1)?.more);
    assert.deepEqual(listSlugs(pages.flatMap((page) => page.data)), listSlugs(data), `limit ${limit}`);
  }
});

test('a transaction that began earlier and commits later is not skipped', async () => {
  await settled();
  const { id } = await publish('Committed late');
  await settled();
  let cursor = (await follow((await sendRequest()).body.next, () => true)).next;
  const seen: string[] = [];
  const read = async () => {
    const { body } = await sendRequest({ since: cursor });
    cursor = body.next;
    seen.push(...body.data.map(({ slug }) => slug));
  };
  await api.db.transaction().execute(async (tx) => {
    await sql`update articles set updated_at = clock_timestamp() where id = ${id}`.execute(tx);
    await publish('Committed before');
    await read();
    assert.ok(!seen.includes('committed-before'), 'it waits for the older one');
  });
  await eventually('both', async () => {
    await read();
    return seen.includes('committed-late') && seen.includes('committed-before');
  });
});

test('articles of a suspended author are withdrawn, and added again when the suspension ends', async () => {
  const someone = await api.createAuthor('to-be-suspended');
  await api.publish({ content: markdown({ title: 'Of a suspended author' }) }, { token: someone.token });
  await settled();
  const cursor = (await follow((await sendRequest()).body.next, () => true)).next;
  const suspend = (at: Date | null) =>
    api.db.updateTable('users').set({ suspendedAt: at }).where('id', '=', someone.id).execute();
  await suspend(new Date());
  const withdrawn = await follow(cursor, (data) => data.some(({ change }) => change === 'withdrawn'));
  await suspend(null);
  await follow(withdrawn.next, (data) =>
    data.some(({ slug, change }) => slug === 'of-a-suspended-author' && change === 'added'),
  );
});

test('thinning out the log leaves no gap for any cursor', async () => {
  const start = (await sendRequest()).body.next;
  for (let times = 0; times < 20; times++) await publish('Changed often', { tags: [`t${times}`] });
  await settled();
  const before = await follow(start, (data) => data.length === 1);
  await pruneChanges(api.db);
  const { rows } = await sql`select 1 from article_changes where article_id = ${before.data[0]?.id}`.execute(api.db);
  assert.ok(rows.length <= 2, String(rows.length));
  assert.deepEqual((await sendRequest({ since: start })).body, before);
});

test('the log is thinned out to two rows per article even if more articles change than one sweep reads', async () => {
  const someone = await api.createAuthor('prolific');
  for (let times = 0; times < 4; times++) {
    await sql`insert into article_changes (article_id, author_id, slug, appeared)
      select md5('article ' || n)::uuid, ${someone.id}, 'many-' || n, ${times === 0}
      from generate_series(1, 12000) n`.execute(api.db);
  }
  const start = (await sendRequest()).body.next;
  await eventually('no more than two rows of each', async () => {
    await pruneChanges(api.db);
    const { rows } = await sql<{ count: number }>`select count(*)::int as count from article_changes
      where author_id = ${someone.id}`.execute(api.db);
    return rows[0]?.count === 24_000;
  });
  await sql`delete from article_changes where author_id = ${someone.id}`.execute(api.db);
  assert.equal((await sendRequest({ since: start })).status, 200);
});

test('an invalid cursor gives 422, and a cursor from before a restore gives 410 start_again (A49)', async () => {
  for (const query of [
    { since: 'x' },
    { since: "1' or 1=1" },
    { since: '' },
    { limit: '0' },
    { limit: '501' },
    { limit: 'all' },
  ]) {
    assert.equal((await sendRequest(query)).status, 422, JSON.stringify(query));
  }
  for (const limit of ['1', '9', '10', '99', '100', '499', '500'])
    assert.equal((await sendRequest({ limit })).status, 200, limit);
  for (const limit of ['01', '1000', '1 ', '510', '600', '5x', 'x5'])
    assert.equal((await sendRequest({ limit })).status, 422, limit);
  const forge = (text: string) => Buffer.from(text).toString('base64url');
  const epoch = '0'.repeat(36);
  for (const text of [`x${epoch}.1`, `${epoch}.1x`, `${epoch}.${'1'.repeat(16)}`, `${epoch}.`, `${epoch}`]) {
    const { status, body } = await sendRequest({ since: forge(text) });
    assert.deepEqual(
      [status, body.detail, body.errors],
      [
        ...[422, 'since is not a cursor of this site.'],
        [{ path: 'since', message: 'is not a cursor of this site; omit it to start from the beginning' }],
      ],
      text,
    );
  }
  const { body } = await sendRequest();
  await beginRestore(api.db);
  const stale = await sendRequest({ since: body.next });
  assert.deepEqual(
    [stale.status, stale.body.code, stale.body.detail],
    [
      ...[410, 'start_again'],
      'This site was restored, moved or updated since then, so its changes cannot be listed. Start again without since.',
    ],
  );
  const slugs = async () => (await sendRequest({ limit: '500' })).body.data.map(({ slug }) => slug);
  const restored = await slugs();
  assert.deepEqual(
    restored,
    body.data.map(({ slug }) => slug),
    'the order stays',
  );
  await sql`update change_epoch set history = 'another cluster'`.execute(api.db);
  const again = (await sendRequest()).body.next;
  assert.equal((await sendRequest({ since: again })).status, 200);
});
