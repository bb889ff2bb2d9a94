/** Upgrades a release without rows for copies: copies, open attempts and visible states stay. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Kysely, sql } from 'kysely';
import { type Database, openDatabase } from '../../../store/db/database.ts';
import { migrateToLatest } from '../../../store/db/migrate.ts';
import { migrateTo } from '../../support/database/migrations.ts';
import { type OpenTestDatabase, openTestDatabase } from '../../support/environment.ts';

let server: OpenTestDatabase;
let url: string;
let db: Database;
const name = `courant_conversion_${process.pid}`;
before(async () => {
  server = await openTestDatabase();
  await sql.raw(`create database ${name}`).execute(server.db);
  url = Object.assign(new URL(server.url), { pathname: name }).href;
  await migrateTo(url, '0039-desk-events');
  db = openDatabase(url);
});
after(async () => {
  await db.destroy();
  await sql.raw(`drop database ${name} with (force)`).execute(server.db);
  await server.close();
});

type Row = Record<string, unknown>;
/** The database with the schema of that release. */
const then = () => db as unknown as Kysely<Record<string, Row>>;

const NOW = new Date();
const [EARLIER, LATER] = [new Date(NOW.getTime() - 600_000), new Date(NOW.getTime() + 3_600_000)];
const REMOTE = { remoteId: '105', url: 'https://there.example/105', changedAt: null };
const THERE = { remoteId: '105', remoteUrl: REMOTE.url, deliveredHash: 'sent', deliveredRevision: 1 };
const HANDLED = { handledDispatch: 1, attempts: 1 };
const ENDED = { endedAt: EARLIER };
const DRAFT = { status: 'DRAFT', publishedAt: null };
const LOST = { lastErrorCode: 'outcome_unknown', lastError: 'Nobody knows.' };
const FAILED = { lastErrorCode: 'invalid', lastError: 'No.' };
const LIVE = '105 live current';

interface Before {
  article?: Row;
  /** Null: published, but not planned yet. */
  delivery: Row | null;
  attempts?: Row[];
  /** Another article has the same copy. */
  isShared?: boolean;
  /** A copy at an account that was connected before. */
  former?: Row;
  isUnauthorised?: boolean;
}

interface Since {
  state: string;
  errorCode?: string;
  /** Id, presence, and `current` if it is. */
  copies: string[];
  isDue?: boolean;
}

const CASES: [what: string, before: Before, since: Since][] = [
  ['published and not planned yet', { delivery: null }, { state: 'pending', copies: [], isDue: true }],
  [
    'published again after a change',
    { article: { dispatch: 2 }, delivery: { state: 'failed', ...HANDLED, lastErrorCode: 'account_changed' } },
    { state: 'pending', copies: [], isDue: true },
  ],
  [
    'published again after a failure',
    { article: { dispatch: 2 }, delivery: { state: 'failed', ...HANDLED, ...FAILED } },
    { state: 'pending', copies: [], isDue: true },
  ],
  [
    'withdrawal requested in an update',
    { delivery: { state: 'delivered', ...HANDLED, ...THERE, withdrawRequested: true } },
    { state: 'stale', copies: [LIVE], isDue: true },
  ],
  [
    'a post that two articles have',
    { delivery: { state: 'delivered', ...HANDLED, ...THERE }, isShared: true },
    { state: 'delivered', copies: [LIVE] },
  ],
  [
    'delivered',
    { delivery: { state: 'delivered', ...THERE, ...HANDLED }, attempts: [{ outcome: 'delivered', ...ENDED }] },
    { state: 'delivered', copies: [LIVE] },
  ],
  [
    'delivered, republished since',
    { article: { dispatch: 2, revision: 2 }, delivery: { state: 'delivered', ...THERE, ...HANDLED } },
    { state: 'stale', copies: [LIVE], isDue: true },
  ],
  [
    'imported',
    {
      article: { imported: true },
      delivery: { state: 'delivered', ...THERE, deliveredHash: null, ...HANDLED, attempts: 0 },
    },
    { state: 'delivered', copies: [LIVE] },
  ],
  [
    'hidden',
    { article: DRAFT, delivery: { state: 'stale', ...THERE, ...HANDLED, withdrawnAt: EARLIER } },
    { state: 'stale', copies: ['105 hidden current'] },
  ],
  [
    'deleted twice',
    { article: DRAFT, delivery: { state: 'stale', ...HANDLED, withdrawnAt: EARLIER, formerRemoteIds: ['103', '104'] } },
    { state: 'stale', copies: ['103 deleted', '104 deleted current'] },
  ],
  [
    'deleted, and made anew',
    { delivery: { state: 'delivered', ...THERE, ...HANDLED, formerRemoteIds: ['103'] } },
    { state: 'delivered', copies: ['103 deleted', LIVE] },
  ],
  [
    'another account since',
    {
      delivery: { state: 'failed', ...HANDLED, lastErrorCode: 'account_changed', lastError: 'It stays live.' },
      former: THERE,
    },
    { state: 'stale', errorCode: 'other_account', copies: [LIVE] },
  ],
  [
    'failed',
    { delivery: { state: 'failed', ...HANDLED, ...FAILED }, attempts: [{ outcome: 'failed', ...ENDED }] },
    { state: 'failed', errorCode: 'invalid', copies: [] },
  ],
  [
    'failed before anything was sent',
    { delivery: { state: 'failed', handledDispatch: 1, ...FAILED } },
    { state: 'failed', errorCode: 'invalid', copies: [] },
  ],
  [
    'failed, and a copy there',
    { delivery: { state: 'failed', ...THERE, deliveredRevision: 0, ...HANDLED, ...FAILED } },
    { state: 'failed', errorCode: 'invalid', copies: [LIVE] },
  ],
  [
    'stays as it was',
    {
      delivery: {
        state: 'stale',
        ...THERE,
        deliveredRevision: 0,
        ...HANDLED,
        lastErrorCode: 'cannot_update',
        lastError: 'It stays.',
      },
    },
    { state: 'stale', errorCode: 'cannot_update', copies: [LIVE] },
  ],
  [
    'in a pause',
    {
      delivery: {
        state: 'pending',
        attempts: 1,
        nextAttemptAt: LATER,
        lastErrorCode: 'unavailable',
        lastError: 'It was away.',
      },
      attempts: [{ outcome: 'retried', ...ENDED }],
    },
    { state: 'pending', errorCode: 'unavailable', copies: [], isDue: true },
  ],
  ['pending', { delivery: { state: 'pending' } }, { state: 'pending', copies: [], isDue: true }],
  ['pending, a draft since', { article: DRAFT, delivery: { state: 'pending' } }, { state: 'stale', copies: [] }],
  [
    'a create under way',
    { delivery: { state: 'delivering', attempts: 1 }, attempts: [{}] },
    { state: 'delivering', copies: ['null uncertain current'], isDue: true },
  ],
  [
    'a create that was answered',
    {
      delivery: { state: 'delivering', attempts: 1 },
      attempts: [{ answer: JSON.stringify({ kind: 'done', remote: REMOTE }), answeredAt: EARLIER }],
    },
    { state: 'delivering', copies: ['null uncertain current'], isDue: true },
  ],
  [
    'a create of which its author was asked',
    { delivery: { state: 'unknown', ...HANDLED, ...LOST }, attempts: [{}] },
    { state: 'unknown', errorCode: 'outcome_unknown', copies: ['null uncertain current'] },
  ],
  [
    'an update under way',
    { delivery: { state: 'delivering', ...THERE, ...HANDLED, handledDispatch: 0 }, attempts: [{ action: 'update' }] },
    { state: 'delivering', copies: [LIVE], isDue: true },
  ],
  [
    'an update under way, of what was hidden',
    {
      delivery: { state: 'delivering', ...THERE, withdrawnAt: EARLIER, attempts: 1 },
      attempts: [{ action: 'update' }],
    },
    { state: 'delivering', copies: ['105 uncertain current'], isDue: true },
  ],
  [
    'held',
    {
      delivery: { state: 'held', ...HANDLED, lastErrorCode: 'unauthorised', lastError: 'The key was refused.' },
      isUnauthorised: true,
    },
    { state: 'held', errorCode: 'unauthorised', copies: [], isDue: true },
  ],
  [
    'skipped',
    { delivery: { state: 'failed', ...HANDLED, skippedDispatch: 1, lastErrorCode: 'skipped', lastError: 'Skipped.' } },
    { state: 'failed', errorCode: 'skipped', copies: [] },
  ],
];

async function add([
  what,
  { article = {}, delivery, attempts = [], former, isUnauthorised = false, isShared = false },
]: (typeof CASES)[number]) {
  const insert = (table: string, row: Row) =>
    then()
      .insertInto(table)
      .values(row)
      .returning('id')
      .executeTakeFirstOrThrow()
      .then(({ id }) => id as string);
  const userId = await insert('users', {
    username: what.replaceAll(/\W+/g, '-'),
    name: what,
    email: `${what.replaceAll(/\W+/g, '-')}@example.org`,
    passwordHash: 'x',
  });
  const place = { userId, destination: 'blogsite_a', platform: 'forem' };
  const accountId = await insert('accounts', { ...place, identity: 'now' });
  const status = isUnauthorised ? { status: 'unauthorised', statusReason: 'The key was refused.' } : {};
  const connection = { ...place, accountId, baseUrl: 'https://there.example', credentialsSealed: Buffer.alloc(1) };
  await insert('connections', { ...connection, ...status });
  const texts = {
    slug: userId,
    title: what,
    titleKey: what,
    canonicalKey: `self:${userId}`,
    source: '',
    body: 'Words.',
  };
  const values = {
    ...{ authorId: userId, ...texts, derived: '{}', fingerprint: Buffer.alloc(1), contentHash: '' },
    ...{
      crossPost: '{"blogsite_a": true}',
      status: 'PUBLISHED',
      publishedAt: EARLIER,
      dispatchedAt: new Date(),
      dispatch: 1,
      revision: 1,
      ...article,
    },
  };
  const articleId = await insert('articles', values);
  const of = { accountId, destination: 'blogsite_a', ...delivery };
  const deliveryId = delivery && (await insert('deliveries', { articleId, ...of }));
  if (isShared) {
    const other = { slug: `${userId}-2`, titleKey: 'other', canonicalKey: 'other' };
    await insert('deliveries', { articleId: await insert('articles', { ...values, ...other }), ...of });
  }
  for (const [index, attempt] of attempts.entries()) {
    const sent = { action: 'create', dispatch: 1, revision: 1, contentHash: 'sent', lookUp: '{}', startedAt: EARLIER };
    const values = { deliveryId, accountId, number: index + 1, ...sent, ...attempt };
    await then().insertInto('deliveryAttempts').values(values).execute();
  }
  if (former) {
    const formerAccount = await insert('accounts', { ...place, identity: 'before' });
    await then()
      .insertInto('formerPosts')
      .values({ deliveryId, accountId: formerAccount, ...former })
      .execute();
  }
  return { what, articleId };
}

test('deliveries, posts and attempts of an earlier release get states, copies and due times', async () => {
  const added = [];
  for (const one of CASES) added.push(await add(one));
  await migrateToLatest(url);
  const seen = [];
  for (const { what, articleId } of added) {
    const { state, errorCode, dueAt } = await db
      .selectFrom('deliveryStates')
      .select(['state', 'errorCode', 'dueAt'])
      .where('articleId', '=', articleId)
      .where('destination', '=', 'blogsite_a')
      .executeTakeFirstOrThrow();
    const copies = await db
      .selectFrom('copies')
      .selectAll()
      .where('articleId', '=', articleId)
      .orderBy('remoteId')
      .execute();
    const described = copies.map(
      ({ remoteId, presence, isCurrent }) => `${remoteId} ${presence}${isCurrent ? ' current' : ''}`,
    );
    seen.push([what, { state, errorCode, copies: described, isDue: dueAt !== null }]);
  }
  assert.deepEqual(
    seen,
    CASES.map(([what, , since]) => [what, { errorCode: null, isDue: false, ...since }]),
  );
  const open = await db.selectFrom('deliveryAttempts').select('copyId').where('endedAt', 'is', null).execute();
  assert.equal(open.length, 5);
  assert.ok(open.every(({ copyId }) => copyId !== null));
});
