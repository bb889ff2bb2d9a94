/**
 * Tests the states that the view `delivery_states` derives from intent, connection, copy and
 * attempts.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Insertable, sql } from 'kysely';
import type { DB } from '../../../store/db/types.ts';
import { type AddedDelivery, openTestLedger, type TestLedger } from '../../support/database/ledger.ts';

let ledger: TestLedger;
before(async () => {
  ledger = await openTestLedger();
});
after(() => ledger.close());

interface Setup extends AddedDelivery {
  /** Defaults: a public article with dispatch 2 and revision 2, selected for every destination. */
  article?: Partial<Insertable<DB['articles']>>;
  connection?: 'active' | 'unauthorised' | 'none';
  /** The copy and attempts belong to an account other than the connected one. */
  isElsewhere?: boolean;
}

const [DUE, LATER] = [new Date(Date.now() - 60_000), new Date(Date.now() + 3_600_000)];
const HANDLED = { handledDispatch: 2 };
const CURRENT = { contentHash: 'sent', revision: 2 };
const OLD = { contentHash: 'old', revision: 1 };
const DRAFT = { status: 'DRAFT' } as const;
const CREATING = { dispatch: 2 };
const UPDATING = { action: 'update', dispatch: 2 } as const;
const FAILED = { outcome: 'failed', dispatch: 2, code: 'invalid', reason: 'No.' } as const;
const RETRIED = { outcome: 'retried', dispatch: 2, code: 'unavailable', reason: 'It was away.' } as const;

const CASES: [name: string, setup: Setup, state: string, errorCode: string | null, needsAuthor: boolean][] = [
  ['due, nothing sent', { dueAt: DUE }, 'pending', null, false],
  ['due again after a pause', { dueAt: LATER, attempts: [RETRIED] }, 'pending', 'unavailable', false],
  ['due now after a pause', { dueAt: DUE, attempts: [RETRIED] }, 'pending', null, false],
  ['due, disconnected', { dueAt: DUE, connection: 'none' }, 'held', 'not_connected', true],
  ['due, refused key', { dueAt: DUE, connection: 'unauthorised' }, 'held', 'unauthorised', true],
  [
    'not selected, disconnected',
    { dueAt: DUE, connection: 'none', article: { syndicate: false } },
    'stale',
    null,
    false,
  ],
  ['due, without a body', { dueAt: DUE, article: { body: ' \n' } }, 'stale', null, false],
  ['a create in progress', { dueAt: DUE, attempts: [CREATING] }, 'delivering', null, false],
  [
    'a create without an answer',
    { dueAt: DUE, attempts: [{ ...CREATING, code: 'outcome_unknown' }] },
    'delivering',
    'outcome_unknown',
    false,
  ],
  [
    'a create, then a refused key',
    { dueAt: DUE, attempts: [CREATING], connection: 'unauthorised' },
    'held',
    'unauthorised',
    true,
  ],
  [
    'a create reported as unknown',
    { ...HANDLED, attempts: [{ ...CREATING, unknownDispatch: 2, code: 'outcome_unknown' }] },
    'unknown',
    'outcome_unknown',
    true,
  ],
  [
    'a create reported as unknown, then skipped',
    { ...HANDLED, skippedDispatch: 2, attempts: [{ ...CREATING, unknownDispatch: 2 }] },
    'unknown',
    'skipped',
    false,
  ],
  [
    'up to date',
    { ...HANDLED, copy: CURRENT, attempts: [{ ...CREATING, outcome: 'delivered' }] },
    'delivered',
    null,
    false,
  ],
  ['up to date, disconnected', { ...HANDLED, copy: CURRENT, connection: 'none' }, 'delivered', null, false],
  ['up to date, skipped afterwards', { ...HANDLED, copy: CURRENT, skippedDispatch: 2 }, 'delivered', null, false],
  [
    'an imported original',
    { ...HANDLED, copy: { ...CURRENT, contentHash: null }, article: { imported: true } },
    'delivered',
    null,
    false,
  ],
  ['up to date, with an overwrite command', { dueAt: DUE, copy: CURRENT, overwrite: true }, 'stale', null, false],
  ['an outdated copy, due', { dueAt: DUE, copy: OLD }, 'stale', null, false],
  ['an update in progress', { dueAt: DUE, copy: OLD, attempts: [UPDATING] }, 'delivering', null, false],
  [
    'an unanswered update, nothing due',
    { ...HANDLED, copy: OLD, attempts: [UPDATING] },
    'stale',
    'outcome_unknown',
    false,
  ],
  [
    'an update that failed',
    { ...HANDLED, copy: OLD, attempts: [{ ...UPDATING, ...FAILED }] },
    'failed',
    'invalid',
    true,
  ],
  [
    'a copy that cannot be updated',
    { ...HANDLED, copy: OLD, attempts: [{ ...UPDATING, ...FAILED, code: 'cannot_update', wasSent: false }] },
    'stale',
    'cannot_update',
    false,
  ],
  ['a create that failed', { ...HANDLED, attempts: [FAILED] }, 'failed', 'invalid', true],
  [
    'failed, then published again',
    { dueAt: DUE, handledDispatch: 1, attempts: [{ ...FAILED, dispatch: 1 }] },
    'pending',
    null,
    false,
  ],
  ['failed, then skipped', { ...HANDLED, skippedDispatch: 2, attempts: [FAILED] }, 'failed', 'skipped', false],
  ['an outdated copy, skipped', { ...HANDLED, skippedDispatch: 2, copy: OLD }, 'stale', 'skipped', false],
  ['a draft with a live copy, due', { dueAt: DUE, copy: CURRENT, article: DRAFT }, 'stale', null, false],
  [
    'a draft with a live copy, disconnected',
    { dueAt: DUE, copy: CURRENT, article: DRAFT, connection: 'none' },
    'held',
    'not_connected',
    true,
  ],
  ['a draft without a copy', { dueAt: DUE, article: DRAFT }, 'stale', null, false],
  [
    'a draft with a hidden copy',
    { ...HANDLED, copy: { ...CURRENT, presence: 'hidden', withdrawnAt: DUE }, article: DRAFT },
    'stale',
    null,
    false,
  ],
  ['withdrawal requested, copy live', { dueAt: DUE, copy: CURRENT, withdrawRequested: true }, 'stale', null, false],
  [
    'cannot be withdrawn',
    {
      ...HANDLED,
      copy: CURRENT,
      withdrawRequested: true,
      attempts: [{ ...FAILED, action: 'withdraw', code: 'cannot_withdraw', wasSent: false }],
    },
    'failed',
    'cannot_withdraw',
    true,
  ],
  ['public again, copy hidden', { dueAt: DUE, copy: { ...CURRENT, presence: 'hidden' } }, 'stale', null, false],
  ['public again, copy deleted', { dueAt: DUE, copy: { ...CURRENT, presence: 'deleted' } }, 'pending', null, false],
  ['up to date at another account', { ...HANDLED, copy: CURRENT, isElsewhere: true }, 'stale', 'other_account', false],
  ['failed at another account', { ...HANDLED, attempts: [FAILED], isElsewhere: true }, 'stale', 'other_account', false],
];

async function add({ article = {}, connection = 'active', isElsewhere = false, ...delivery }: Setup): Promise<string> {
  const { db } = ledger;
  const authorId = await ledger.addAuthor();
  const connectionId = await ledger.addConnection(authorId);
  const articleId = await ledger.addArticle(authorId, { dispatch: 2, revision: 2, ...article });
  const accountId = isElsewhere ? await ledger.addAccount(authorId) : undefined;
  const id = await ledger.addDelivery(articleId, { ...delivery, ...(accountId && { accountId }) });
  const row = (from: 'delete' | 'update') =>
    from === 'delete'
      ? db.deleteFrom('connections').where('id', '=', connectionId).execute()
      : db.updateTable('connections').set({ status: 'unauthorised' }).where('id', '=', connectionId).execute();
  if (connection !== 'active') await row(connection === 'none' ? 'delete' : 'update');
  return id;
}

test('the state follows from intent, connection, current copy and attempts', async () => {
  const seen = [];
  for (const [name, setup] of CASES) {
    const { state, errorCode, needsAuthor } = await ledger.delivery(await add(setup));
    seen.push([name, state, errorCode, needsAuthor]);
  }
  assert.deepEqual(
    seen,
    CASES.map(([name, , ...expected]) => [name, ...expected]),
  );
});

test('versions, slots, payloads and times do not change the state', async () => {
  const { db } = ledger;
  const read = () =>
    db.selectFrom('deliveryStates').selectAll().where('deliveryId', 'is not', null).orderBy('deliveryId').execute();
  const before = await read();
  assert.ok(before.length >= CASES.length);
  const at = sql<Date>`clock_timestamp() - interval '30 days'`;
  await db.updateTable('deliveries').set({ version: 99, createdAt: at, slotAt: at }).execute();
  await db.updateTable('copies').set({ updatedAt: at }).execute();
  await db.updateTable('deliveryAttempts').set({ payload: '{}', contentHash: 'other', repeatedAt: at }).execute();
  const derive = (rows: typeof before) => rows.map(({ version: _, ...derived }) => derived);
  assert.deepEqual(derive(await read()), derive(before));
});
