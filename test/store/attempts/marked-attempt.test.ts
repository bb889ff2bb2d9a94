/** Tests the mark of an attempt: its conditions, and the rows that it writes and ends. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { connectDestination } from '../../../store/connections/connect.ts';
import { disconnectDestination } from '../../../store/connections/disconnect.ts';
import {
  overwriteDelivery,
  retryDelivery,
  settleDelivery,
  skipDelivery,
  withdrawDelivery,
} from '../../../store/deliveries/commands.ts';
import { loadSealer } from '../../../store/secrets/sealing.ts';
import { type AddedDelivery, openTestLedger, type TestLedger } from '../../support/database/ledger.ts';
import { waitForLock } from '../../support/database/locks.ts';
import { begin as beginWith, type Decision, type StartedDelivery } from '../deliveries/support/begun.ts';

let ledger: TestLedger;
before(async () => {
  ledger = await openTestLedger();
});
after(() => ledger.close());

const begin = (delivery?: AddedDelivery, article?: Parameters<typeof beginWith>[2]) =>
  beginWith(ledger, delivery, article);
const DUE = new Date();
const COPY = { remoteId: 'r', contentHash: 'old', revision: 1, remoteChangedAt: 't' };
const EARLIER = new Date(DUE.getTime() - 600_000);

const publish = (more: string) => (begun: StartedDelivery) =>
  sql`update articles set dispatch = dispatch + 1, ${sql.raw(more)} where id = ${begun.articleId}`.execute(ledger.db);
const connect = async ({ authorId: userId }: StartedDelivery, identity: string | null) => {
  const sealer = await loadSealer({ home: '', key: Buffer.alloc(32, 1).toString('base64') });
  const account = { identity: identity ?? userId, name: identity };
  const place = { destination: 'blogsite_a', platform: 'forem', baseUrl: 'https://forem.example/api' } as const;
  await connectDestination(ledger.db, sealer, { userId, ...place, credentials: {}, account });
};

const CHANGES: Record<string, (begun: StartedDelivery) => Promise<unknown>> = {
  edited: publish('revision = revision + 1'),
  'published again': publish('revision = revision'),
  'made a draft': publish(`status = 'DRAFT'`),
  scheduled: publish(`status = 'SCHEDULED', scheduled_at = now() + interval '1 day'`),
  skipped: ({ target }) => skipDelivery(ledger.db, target),
  'withdrawn by command': ({ target }) => withdrawDelivery(ledger.db, target),
  'withdrawn and then retried by command': async ({ target }) => {
    await withdrawDelivery(ledger.db, target);
    await retryDelivery(ledger.db, target);
  },
  'attempted by another worker': ({ mark }) => mark(),
  'with its author suspended': ({ authorId }) =>
    sql`update users set suspended_at = now() where id = ${authorId}`.execute(ledger.db),
  disconnected: ({ authorId }) => disconnectDestination(ledger.db, authorId, 'blogsite_a'),
  'disconnected and reconnected to the same account': async (begun) => {
    await disconnectDestination(ledger.db, begun.authorId, 'blogsite_a');
    await connect(begun, null);
  },
  'reconnected with another key': (begun) => connect(begun, null),
  'connected to another account': (begun) => connect(begun, 'another'),
  'with its credential refused': async ({ end, decision }) =>
    end(await decision(crypto.randomUUID()), { kind: 'unauthorised', reason: 'No.', isUnsettled: false }),
};

for (const [change, make] of Object.entries(CHANGES)) {
  test(`a delivery ${change} during the preparation of an attempt is not marked, so nothing is sent (F28)`, async () => {
    const begun = await begin();
    const mark = await begun.prepare();
    await make(begun);
    assert.equal(await mark(), null);
  });
}

test('an overwrite or settle command during the preparation of an attempt prevents its mark (F28)', async () => {
  const update = await begin({ dueAt: DUE, copy: COPY });
  const markUpdate = await update.prepare();
  await overwriteDelivery(ledger.db, update.target);
  assert.equal(await markUpdate(), null);
  const unknown = await begin({ handledDispatch: 1, attempts: [{ startedAt: EARLIER }] });
  await settleDelivery(ledger.db, unknown.target, { finding: null, canUpdate: true });
  const markCreate = await unknown.prepare();
  await retryDelivery(ledger.db, unknown.target);
  assert.equal(await markCreate(), null);
});

test('two workers with the same current plan mark one attempt (F28)', async () => {
  const { prepare, outcomes } = await begin();
  const mark = await prepare();
  const marked = await Promise.all([mark(), mark(), mark()]);
  assert.equal(marked.filter((sent) => sent !== null).length, 1);
  assert.deepEqual(await outcomes(), [null]);
});

test('a mark sets the state to delivering and clears the content hash of the copy', async () => {
  const { mark, row } = await begin({ dueAt: DUE, copy: COPY });
  const { version } = await row();
  const sent = await mark();
  const { state, contentHash, presence, remoteId, ...rest } = await row();
  assert.deepEqual([state, contentHash, presence, remoteId], ['delivering', null, 'live', 'r']);
  assert.deepEqual([rest.version, sent.version], [(version ?? 0) + 1, rest.version]);
});

test('a marked attempt has its content hash, its dispatch and its look-up keys', async () => {
  const { plan, mark, attempts, row } = await begin({ dueAt: DUE }, { dispatch: 4, revision: 3 });
  const { situation, lookUp } = await plan();
  await mark({ text: 'Kept.' });
  const [attempt] = await attempts();
  const { accountId, copyId, presence } = await row();
  assert.deepEqual(
    [attempt?.accountId, attempt?.copyId, attempt?.action, attempt?.dispatch, attempt?.revision, attempt?.contentHash],
    [accountId, copyId, 'create', 4, 3, situation.article.hash],
  );
  assert.equal(presence, 'uncertain');
  assert.deepEqual([attempt?.lookUp, attempt?.payload, attempt?.wasSent], [lookUp, { text: 'Kept.' }, true]);
  assert.deepEqual([attempt?.answer, attempt?.outcome, attempt?.endedAt], [null, null, null]);
});

test('the next attempt voids an update of unknown outcome and clears the post’s time', async () => {
  const open = { action: 'update', startedAt: EARLIER } as const;
  const { mark, outcomes, row } = await begin({ dueAt: DUE, copy: COPY, attempts: [open] });
  await mark();
  assert.deepEqual(await outcomes(), ['void', null]);
  assert.equal((await row()).remoteChangedAt, null);
});

test('a mark changes neither ended attempts nor an open attempt at another account', async () => {
  const { authorId, deliveryId, mark, plan, outcomes } = await begin({
    ...{ dueAt: DUE },
    attempts: [{ outcome: 'absent', startedAt: EARLIER }],
  });
  const accountId = await ledger.addAccount(authorId);
  const sent = { action: 'create', dispatch: 1, revision: 1, contentHash: 'sent', lookUp: '{}' } as const;
  await ledger.db
    .insertInto('deliveryAttempts')
    .values({ ...sent, deliveryId, accountId })
    .execute();
  assert.equal((await plan()).situation.delivery.inFlight, null, 'it is no attempt at this account');
  await mark();
  assert.deepEqual(await outcomes(), ['absent', null, null]);
});

test('a create after a deletion adds a copy, a create after one without a post does not', async () => {
  for (const [copy, presences] of [
    [{ ...COPY, presence: 'deleted' }, ['deleted', 'uncertain']],
    [{ presence: 'absent', remoteId: null }, ['uncertain']],
  ] as const) {
    const { articleId, mark } = await begin({ dueAt: DUE, copy });
    await mark();
    const rows = await ledger.db
      .selectFrom('copies')
      .select(['presence', 'isCurrent'])
      .where('articleId', '=', articleId)
      .orderBy('isCurrent')
      .execute();
    assert.deepEqual(
      rows.map(({ presence }) => presence),
      presences,
    );
    assert.equal(rows.filter(({ isCurrent }) => isCurrent).length, 1);
  }
});

test('a copy of a suspended author can still be withdrawn', async () => {
  const begun = await begin({ dueAt: DUE, copy: COPY }, { status: 'DRAFT' });
  await sql`update users set suspended_at = now() where id = ${begun.authorId}`.execute(ledger.db);
  assert.ok(await begun.mark());
});

test('the mark of an attempt locks its connection and its delivery (F28)', async () => {
  const { db } = ledger;
  const open = { action: 'update', startedAt: EARLIER } as const;
  const { deliveryId, connectionId, prepare } = await begin({ dueAt: DUE, copy: COPY, attempts: [open] });
  const mark = await prepare();
  let marking: Promise<Decision | null> | undefined;
  await db.transaction().execute(async (tx) => {
    // Blocks the mark at the previous attempt, after all its checks.
    await sql`select from delivery_attempts where delivery_id = ${deliveryId} for update`.execute(tx);
    marking = mark();
    await waitForLock(db);
    const changes = { connections: ['update', connectionId], deliveries: ['no key update', deliveryId] } as const;
    for (const [table, [strength, id]] of Object.entries(changes)) {
      const change = sql`select from ${sql.table(table)} where id = ${id} for ${sql.raw(strength)} nowait`.execute(db);
      await assert.rejects(change, /could not obtain lock/, table);
    }
  });
  assert.ok(await marking);
});
