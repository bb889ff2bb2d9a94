/** The steps of an import: listing, pausing and the decisions about single posts. */
import assert from 'node:assert/strict';
import { after, before, type TestContext, test } from 'node:test';
import { MockActivityEnvironment } from '@temporalio/testing';
import type { Insertable } from 'kysely';
import type { ActivityDeps } from '../../../activities/deps.ts';
import { createImportActivities, type ImportNext } from '../../../activities/import/advance.ts';
import type { SourcePost } from '../../../article/import/source-post.ts';
import { SOURCES } from '../../../sources/registry.ts';
import type { SourcePage, SourceResult } from '../../../sources/types.ts';
import type { DB } from '../../../store/db/types.ts';
import { openTestLedger, type TestLedger } from '../../support/database/ledger.ts';

const NOW = new Date('2026-11-20T12:00:00Z');
const PLACE = { baseUrl: 'https://feed.example/rss', name: '', origin: 'feed.example' };

let ledger: TestLedger;
before(async () => {
  ledger = await openTestLedger();
});
after(() => ledger.close());

const POST: SourcePost = {
  ...{ remoteId: 'p1', url: 'https://feed.example/p1', title: 'A post', subtitle: null, excerpt: null, tags: [] },
  ...{ slug: null, canonicalUrl: null, coverImage: null, series: null, language: null },
  ...{ publishedAt: null, updatedAt: null },
  body: { format: 'html', text: '<p>Words.</p>', base: null, isExcerpt: false },
};

/** An author has at most one running import. */
async function addImport(more: Partial<Insertable<DB['imports']>> = {}): Promise<string> {
  const userId = await ledger.addAuthor();
  const values: Insertable<DB['imports']> = {
    ...{
      userId,
      source: 'rss' as const,
      identifier: 'feed.example',
      place: JSON.stringify(PLACE),
      images: 'keep' as const,
    },
    ...{ asDraft: false, dryRun: false, cursor: JSON.stringify({ page: 1 }), createdAt: NOW, ...more },
  };
  const row = await ledger.db.insertInto('imports').values(values).returning('id').executeTakeFirstOrThrow();
  return row.id;
}

async function addItem(importId: string, post: Partial<SourcePost> | null, more: object = {}): Promise<void> {
  const { title, url, remoteId } = { ...POST, ...post };
  const values = { importId, number: 1, remoteId, title, url, hasBody: true, ...more };
  await ledger.db
    .insertInto('importItems')
    .values({ ...values, post: post && JSON.stringify({ ...POST, ...post }) })
    .execute();
}

const readImport = (id: string) =>
  ledger.db.selectFrom('imports').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
const readItem = (importId: string) =>
  ledger.db
    .selectFrom('importItems')
    .select(['outcome', 'code', 'reason', 'attempts'])
    .where('importId', '=', importId)
    .executeTakeFirstOrThrow();

function advance(importId: string, { failures = 0, conversions = {} as object } = {}): Promise<ImportNext> {
  const deps = { db: ledger.db, now: () => NOW, baseUrl: 'https://here.example', allowPrivate: true, conversions };
  const { advanceImport } = createImportActivities(deps as unknown as ActivityDeps);
  return new MockActivityEnvironment().run(advanceImport, { importId, failures });
}

function answerList(t: TestContext, ...answers: SourceResult<SourcePage>[]) {
  t.mock.restoreAll();
  return t.mock.method(SOURCES.rss, 'list', async () => answers.shift() ?? assert.fail('one more page was requested'));
}

const BUSY = { kind: 'later', reason: 'The feed is busy.', retryAfterMs: null } as const;
const EMPTY: { kind: 'done'; value: SourcePage } = { kind: 'done', value: { posts: [], next: null, notices: [] } };

test('an import that is deleted or has ended does nothing', async () => {
  assert.deepEqual(await advance('00000000-0000-4000-8000-000000000000'), { kind: 'ended', state: 'cancelled' });
  const failed = await addImport({ state: 'failed', endedAt: NOW });
  assert.deepEqual(await advance(failed), { kind: 'ended', state: 'failed' });
});

test('each failed request in a row doubles the pause, up to 15 minutes', async (t) => {
  const id = await addImport();
  for (const [failures, retryAfterMs, afterMs] of [
    [0, null, 1_000],
    [1, null, 2_000],
    [9, null, 512_000],
    [10, null, 900_000],
    [14, null, 900_000],
    [0, 60_000, 60_000],
    [9, 60_000, 512_000],
  ] as const) {
    answerList(t, { ...BUSY, retryAfterMs });
    const waits = { kind: 'wait', afterMs, failures: failures + 1, listed: 0, done: 0 };
    assert.deepEqual(await advance(id, { failures }), waits);
    assert.equal((await readImport(id)).waitsUntil?.getTime(), NOW.getTime() + afterMs);
  }
});

test('after sixteen failed requests an import fails', async (t) => {
  const id = await addImport();
  answerList(t, BUSY);
  assert.deepEqual(await advance(id, { failures: 15 }), { kind: 'ended', state: 'failed' });
  const { state, reason, endedAt } = await readImport(id);
  const why = 'The feed is busy. 16 requests failed. Import again later: imported articles are not duplicated.';
  assert.deepEqual([state, reason, endedAt], ['failed', why, NOW]);
});

test('a refused first page fails the import; a refused later page ends the list with a notice', async (t) => {
  const refused = { kind: 'refused', code: 'too_large', reason: 'The feed is too large.' } as const;
  const first = await addImport();
  answerList(t, refused);
  assert.deepEqual(await advance(first), { kind: 'ended', state: 'failed' });
  assert.equal((await readImport(first)).reason, 'The feed is too large.');
  const second = await addImport();
  const list = answerList(t, { kind: 'done', value: { ...EMPTY.value, next: { page: 2 } } }, refused);
  assert.deepEqual(await advance(second), { kind: 'ended', state: 'done' });
  assert.deepEqual((await readImport(second)).notices, [
    { code: 'too_large', message: 'The list of posts is incomplete. The feed is too large.' },
  ]);
  assert.deepEqual(
    list.mock.calls.map((call) => (call.arguments as unknown[])[1]),
    [{ page: 1 }, { page: 2 }],
  );
});

test('posts before the chosen day are not imported; posts without a date are', async (t) => {
  const id = await addImport({ since: NOW });
  const list = (remoteId: string, publishedAt: string | null) => ({
    ...{ hasBody: true, account: null, post: { ...POST, remoteId, publishedAt } },
  });
  const posts = [
    list('before', '2026-11-20T11:59:59Z'),
    list('at', '2026-11-20T12:00:00Z'),
    list('after', '2026-11-20T12:00:01Z'),
    list('undated', null),
  ];
  answerList(t, { kind: 'done', value: { ...EMPTY.value, posts } });
  await advance(id, { conversions: { convert: async () => ({ ok: false, code: 'x', reason: 'No.' }) } });
  const rows = ledger.db.selectFrom('importItems').select('remoteId').where('importId', '=', id);
  assert.deepEqual((await rows.execute()).map(({ remoteId }) => remoteId).sort(), ['after', 'at', 'undated']);
});

for (const [name, post, item, expected] of [
  ['that is no longer stored', null, {}, ['lost', 'The listed post is no longer stored. Import again.']],
  [
    'that failed eight times',
    {},
    { attempts: 8 },
    ['given_up', 'The post could not be fetched or read after several attempts. Import again later.'],
  ],
  [
    'without a text from a source without single posts',
    {},
    { hasBody: false },
    ['lost', 'The listed post is no longer stored. Import again.'],
  ],
  [
    'for members of Medium',
    { body: { format: 'medium', text: '<p>Begins</p>', base: null, isExcerpt: true } },
    {},
    [
      'members_only',
      'Medium’s feed contains only the beginning of this story, because it is for members. Publish its full text from a file.',
    ],
  ],
  ['that cannot be converted', {}, { attempts: 7 }, ['too_complex', 'It is too complex.']],
  [
    'with an excerpt in another format',
    { body: { format: 'html', text: '<p>Begins</p>', base: null, isExcerpt: true } },
    {},
    ['too_complex', 'It is too complex.'],
  ],
] satisfies [string, Partial<SourcePost> | null, object, [string, string]][]) {
  test(`a post ${name} is refused: ${expected[0]}`, async () => {
    const id = await addImport({ cursor: null });
    await addItem(id, post, item);
    const convert = async () => ({ ok: false, code: 'too_complex', reason: 'It is too complex.' });
    assert.deepEqual(await advance(id, { conversions: { convert } }), { kind: 'ended', state: 'done' });
    const { outcome, code, reason } = await readItem(id);
    assert.deepEqual([outcome, code, reason], ['refused', ...expected]);
  });
}

test('a post that no thread can convert now is converted later, and the attempt does not count', async () => {
  const id = await addImport({ cursor: null, asDraft: true });
  await addItem(id, {});
  const tasks: unknown[] = [];
  const convert = async (...task: unknown[]) => {
    tasks.push(task);
    return 'busy';
  };
  const waits = { kind: 'wait', afterMs: 5_000, failures: 1, listed: 1, done: 0 };
  assert.deepEqual(await advance(id, { conversions: { convert } }), waits);
  assert.deepEqual(await readItem(id), { outcome: null, code: null, reason: null, attempts: 0 });
  const task = { post: POST, isDraft: true, copies: null, siteOrigin: 'https://here.example', now: NOW };
  assert.deepEqual(tasks, [[(await readImport(id)).userId, task]]);
});

test('an attempt counts before it begins, so that a post that ends its worker is not retried for ever', async () => {
  const id = await addImport({ cursor: null });
  await addItem(id, {});
  const convert = async () => {
    assert.equal((await readItem(id)).attempts, 1);
    throw new Error('lost');
  };
  await assert.rejects(advance(id, { conversions: { convert } }), { message: 'lost' });
  assert.equal((await readItem(id)).attempts, 1);
});

test('a run ends after ten seconds; the next one continues', async (t) => {
  const id = await addImport({ cursor: null });
  for (const number of [1, 2, 3]) await addItem(id, { remoteId: `p${number}` }, { number });
  let at = 0;
  t.mock.method(performance, 'now', () => at);
  const convert = async () => {
    at += 6_000;
    return { ok: false, code: 'x', reason: 'No.' };
  };
  const next = await advance(id, { failures: 3, conversions: { convert } });
  t.mock.restoreAll();
  assert.deepEqual(next, { kind: 'continue', failures: 0, listed: 3, done: 2 });
});
