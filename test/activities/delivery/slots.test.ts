/**
 * Tests the rate slots of deliveries: blocks and slots belong to the account, not to its
 * credential.
 */
import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import { MockActivityEnvironment } from '@temporalio/testing';
import { createDeliveryActivities } from '../../../activities/delivery/index.ts';
import { describeDecision, planDelivery } from '../../../activities/delivery/plan.ts';
import { callInBudget, reserveStepSlot } from '../../../activities/delivery/slots.ts';
import type { ActivityDeps } from '../../../activities/deps.ts';
import type { PlannedStep } from '../../../delivery/activity-messages.ts';
import { NO_FAILURES } from '../../../delivery/retry-state.ts';
import type { SendOutcome } from '../../../delivery/types.ts';
import { forem } from '../../../destinations/forem/index.ts';
import { markAttempt } from '../../../store/attempts/mark-attempt.ts';
import { connectDestination } from '../../../store/connections/connect.ts';
import { disconnectDestination } from '../../../store/connections/disconnect.ts';
import { blockConnection } from '../../../store/connections/rate-budget.ts';
import { createSealer } from '../../../store/secrets/sealing.ts';
import { ahead, assertNear } from '../../store/connections/budget.ts';
import { openTestLedger, type TestLedger } from '../../support/database/ledger.ts';

let ledger: TestLedger;
const sealer = createSealer(randomBytes(32));
before(async () => {
  ledger = await openTestLedger();
});
after(() => ledger.close());

const SLOW = { intervalMs: 60_000, burst: 1 };
const adapter = { ...forem, limits: { ...forem.limits, pacing: SLOW } };

function createDeps(): ActivityDeps {
  return {
    db: ledger.db,
    pacing: true,
    findDestination: () => adapter,
    baseUrl: 'https://courant.example',
    httpTimeoutMs: 15_000,
    lateArrivalMs: 90_000,
    now: () => new Date(),
  } as unknown as ActivityDeps;
}

/** Connects account A for a new author, with `size` due deliveries. */
async function openAccountA(size = 2) {
  const { db } = ledger;
  const userId = await ledger.addAuthor();
  const connect = (identity: string, apiKey: string) =>
    connectDestination(db, sealer, {
      userId,
      destination: 'blogsite_a',
      platform: 'forem',
      baseUrl: 'https://forem.example/api',
      credentials: { apiKey },
      account: { identity, name: identity },
    });
  const { id: connectionId } = await connect('A', 'one');
  const articles: string[] = [];
  for (let index = 0; index < size; index++) articles.push(await ledger.addArticle(userId, { dispatch: 1 }));
  const plan = async (articleId = '') => {
    const planned = await planDelivery(createDeps(), { articleId, destination: 'blogsite_a' });
    assert.ok(planned);
    return planned;
  };
  return {
    userId,
    connectionId,
    articles,
    connect,
    plan,
    wait: async (articleId = '') => reserveStepSlot(createDeps(), await plan(articleId)),
    planStep(articleId = '', looks = false): Promise<PlannedStep> {
      const input = { articleId, destination: 'blogsite_a', retry: looks ? null : NO_FAILURES } as const;
      const { planStep } = createDeliveryActivities(createDeps());
      return new MockActivityEnvironment().run((planInput: typeof input) => planStep(planInput), input);
    },
    readSlot: async (articleId = '') => {
      const row = ledger.db.selectFrom('deliveries').select('slotAt').where('articleId', '=', articleId);
      return (await row.executeTakeFirstOrThrow()).slotAt;
    },
  };
}

test('an account that is reconnected with a new key has the same block and slots', async () => {
  const { connectionId, articles, connect, wait } = await openAccountA();
  await blockConnection(ledger.db, connectionId, 600_000);
  for (const id of articles) await wait(id);
  await connect('A', 'two');
  for (const [index, id] of articles.entries()) assertNear(await wait(id), 600_000 + index * 60_000);
});

test('another account does not inherit the block and slots of the former one', async () => {
  const { connectionId, articles, connect, wait, readSlot } = await openAccountA();
  await blockConnection(ledger.db, connectionId, 600_000);
  for (const id of articles) await wait(id);
  await connect('B', 'two');
  for (const id of articles) assert.equal(await readSlot(id), null);
  assert.equal(await wait(articles[0]), 0);
});

test('a destination that is reconnected after a disconnection has no earlier slots', async () => {
  const { userId, articles, connect, wait } = await openAccountA();
  for (const id of articles) await wait(id);
  assertNear(await wait(articles[1]), 60_000);
  await disconnectDestination(ledger.db, userId, 'blogsite_a');
  await connect('A', 'one');
  assert.equal(await wait(articles[1]), 0);
});

test('a call that gets a 429 blocks its account before it ends, and its delivery remains the first (F11)', async () => {
  const { articles, plan, wait } = await openAccountA(3);
  const [first, second, third] = articles;
  for (const id of [first, second]) await wait(id);
  const answer = { kind: 'rateLimited', retryAfterMs: 300_000, reason: '429' } as const;
  const outcome: SendOutcome = await callInBudget(createDeps(), await plan(first), async () => answer);
  assert.ok(outcome.kind === 'rateLimited' && outcome.isBlocked, JSON.stringify(outcome));
  assertNear(outcome.retryAfterMs, 300_000);
  assertNear(await wait(second), 360_000);
  assertNear(await wait(third), 420_000);
  assertNear(await wait(first), 300_000);
});

test('a call that fails before its mark uses up its slot; a call that is not made does not', async () => {
  const { articles, plan, readSlot, wait } = await openAccountA();
  const [first, second] = articles;
  for (const id of [first, second]) await wait(id);
  await callInBudget(createDeps(), await plan(second), async (): Promise<SendOutcome> => ({ kind: 'changed' }));
  assertNear(await wait(second), 60_000);
  const unavailable = { kind: 'unavailable', reason: '503' } as const;
  await callInBudget(createDeps(), await plan(second), async (): Promise<SendOutcome> => unavailable);
  assert.equal(await readSlot(second), null);
  assertNear(await wait(second), 120_000);
});

test('only a successful answer resets the number of refusals', async () => {
  const { connectionId, articles, plan } = await openAccountA(1);
  const set = ledger.db.updateTable('connections').set({ refusals: 3 }).where('id', '=', connectionId);
  await set.execute();
  const readRefusals = async () => (await plan(articles[0])).budget.refusals;
  const unavailable = { kind: 'unavailable', reason: 'cut' } as const;
  await callInBudget(createDeps(), await plan(articles[0]), async (): Promise<SendOutcome> => unavailable);
  assert.equal(await readRefusals(), 3);
  const found = { kind: 'found', remote: { remoteId: '1', url: 'https://there.example/1', changedAt: null } } as const;
  await callInBudget(createDeps(), await plan(articles[0]), async (): Promise<SendOutcome> => found);
  assert.equal(await readRefusals(), 0);
});

test('a look-up waits only for a block, because the limits apply to writes', async () => {
  const { connectionId, articles, wait, plan, planStep } = await openAccountA();
  const [first, second = ''] = articles;
  await wait(first);
  await ledger.addDelivery(second, { dueAt: new Date(), attempts: [{}] });
  assert.equal((await plan(second)).step.kind, 'reconcile');
  assert.equal(await wait(second), 0);
  await blockConnection(ledger.db, connectionId, 60_000);
  assertNear(await wait(second), 60_000);
  const looked = await planStep(second, true);
  assert.ok(looked.kind === 'step' && looked.step.kind === 'reconcile');
  assert.equal((await plan(second)).budget.slotMs, null);
});

test('a withdrawal needs no slot and ignores blocks', async () => {
  const { connectionId, articles, plan, planStep, wait } = await openAccountA();
  const [first, second = ''] = articles;
  await wait(first);
  assertNear(await wait(second), 60_000);
  await blockConnection(ledger.db, connectionId, 600_000);
  await ledger.addDelivery(second, { dueAt: new Date(), copy: {} });
  await ledger.db.updateTable('articles').set({ status: 'DRAFT' }).where('id', '=', second).execute();
  assert.equal((await plan(second)).step.kind, 'withdraw');
  assert.equal(await wait(second), 0);
  const looked = await planStep(second, true);
  assert.ok(
    looked.kind === 'step' && looked.step.kind === 'withdraw' && looked.slotInMs === 0,
    'a command for it ends the wait at once',
  );
});

test('a read-only plan reserves nothing and returns the time until an existing slot', async () => {
  const { connectionId, articles, planStep, readSlot, wait } = await openAccountA();
  const [first, second] = articles;
  await wait(first);
  const before = await planStep(second, true);
  assert.ok(before.kind === 'step' && before.slotInMs === 0);
  assert.equal(await readSlot(second), null);
  await wait(second);
  const waiting = await planStep(second, true);
  assert.ok(waiting.kind === 'step');
  assertNear(waiting.slotInMs, 60_000);
  await ledger.db
    .updateTable('connections')
    .set({ blockedUntil: ahead(300_000) })
    .where('id', '=', connectionId)
    .execute();
  const blocked = await planStep(second, true);
  assert.ok(blocked.kind === 'step');
  assertNear(blocked.slotInMs, 300_000);
});

test('a slot is freed by the mark of the attempt, by a failure, and when nothing is due any more', async () => {
  const { articles, plan, planStep, readSlot, wait } = await openAccountA(4);
  const [, marked, failed, skipped = ''] = articles;
  for (const id of articles) await wait(id);
  for (const id of [marked, failed, skipped]) assert.ok(await readSlot(id));

  const { step, situation, revision, lookUp } = await plan(marked);
  assert.ok(step.kind === 'create');
  assert.ok(await markAttempt(ledger.db, { step, situation, action: 'create', revision, lookUp, payload: null }));
  assert.equal(await readSlot(marked), null);

  const { recordOutcome } = createDeliveryActivities(createDeps());
  const ending = { kind: 'failed', state: 'failed', code: 'gave_up', reason: 'A day of 429s.' } as const;
  const decided = { ...describeDecision(await plan(failed)), attemptId: randomUUID(), outcome: ending };
  assert.equal(await new MockActivityEnvironment().run(recordOutcome, decided), true);
  assert.equal(await readSlot(failed), null);

  await ledger.db.updateTable('articles').set({ syndicate: false }).where('id', '=', skipped).execute();
  assert.equal((await planStep(skipped)).kind, 'end');
  assert.equal(await readSlot(skipped), null);
});
