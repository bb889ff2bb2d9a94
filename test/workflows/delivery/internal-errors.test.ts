/**
 * Tests bugs and unexpected rows: every path ends in an outcome, and the first failure is shown.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { MockActivityEnvironment } from '@temporalio/testing';
import { createDeliveryActivities } from '../../../activities/delivery/index.ts';
import type { ActivityDeps } from '../../../activities/deps.ts';
import type { OutcomeInput, PlannedStep } from '../../../delivery/activity-messages.ts';
import { NO_FAILURES } from '../../../delivery/retry-state.ts';
import { findDestination } from '../../../destinations/clients.ts';
import type { Destination, Platform } from '../../../destinations/types.ts';
import { retryDelivery } from '../../../store/deliveries/commands.ts';
import type { TestAuthor } from '../../support/api/api.ts';
import { type DeliveryWorld, startDeliveryWorld } from '../../support/delivery/delivery.ts';
import {
  assertOnePostOneEvent,
  buildFault,
  createConnectedAuthor,
  listEvents,
  publishArticle,
  waitForPause,
} from '../../support/delivery/publishing.ts';
import { replaceMethods } from '../../support/delivery/replace-methods.ts';
import { eventually } from '../../support/eventually.ts';
import { listDeliveries } from '../../support/list-deliveries.ts';

/** How often each part of the client throws before it works. */
const breaking = { adapter: 0, createClient: 0, create: 0, update: 0, find: 0 };
type Part = keyof typeof breaking;

let world: DeliveryWorld;
before(async () => {
  world = await startDeliveryWorld({ deps: { findDestination: findBreaking } });
});
after(() => world.close());

function breakIfOrdered(part: Part): void {
  if (breaking[part] === 0) return;
  breaking[part] -= 1;
  throw new TypeError(`secret insides of ${part}`);
}

/** The real platform, with parts that throw. */
function findBreaking(platform: Platform): Destination | null {
  breakIfOrdered('adapter');
  const destination = findDestination(platform);
  if (!destination) return null;
  return replaceMethods(destination, (client) => {
    breakIfOrdered('createClient');
    const wrap =
      <A extends unknown[], T>(part: Part, call: (...values: A) => Promise<T>) =>
      async (...values: A): Promise<T> => {
        breakIfOrdered(part);
        return call.apply(client, values);
      };
    return {
      create: wrap('create', client.create),
      update: wrap('update', client.update),
      find: wrap('find', client.find),
    };
  });
}

async function publish(title: string, body?: string, author?: TestAuthor) {
  const by = author ?? (await createConnectedAuthor(world, 'blogsite_a'));
  const { id } = await publishArticle(world, by, { title }, body);
  return { author: by, id };
}

async function readRow(articleId: string) {
  const [row] = await listDeliveries(world.api.db, articleId);
  assert.ok(row);
  return row;
}

test('a client that cannot be created is retried, and its author sees a general reason', async () => {
  breaking.createClient = 1;
  const { author, id } = await publish('Client not made');
  const error = await eventually('the pause', async () => {
    const row = await readRow(id);
    return row.nextAttemptAt && row.error;
  });
  assert.match(error, /Courant failed, not the destination/);
  assert.doesNotMatch(error, /secret insides/);
  await world.reaches(id, 'blogsite_a', 'delivered');
  await assertOnePostOneEvent(world, { author, title: 'Client not made' });
});

test('a credential that cannot be decrypted fails the delivery and asks its author to reconnect', async () => {
  const author = await createConnectedAuthor(world, 'blogsite_a');
  const sealed = { credentialsSealed: Buffer.from('of another key') };
  await world.api.db.updateTable('connections').set(sealed).where('userId', '=', author.id).execute();
  const { id } = await publish('Sealed by another key', undefined, author);
  const { errorCode, error } = await world.reaches(id, 'blogsite_a', 'failed');
  assert.equal(errorCode, 'credential_unreadable');
  assert.match(error ?? '', /connect/i);
  assert.deepEqual(await listEvents(world, author), ['CROSS_POST_FAILED']);
});

test('a client that throws during a create has an unknown outcome, which is looked up', async () => {
  breaking.create = 1;
  const { author, id } = await publish('Create broke');
  const row = await eventually('the wait', async () => {
    const now = await readRow(id);
    return now.nextAttemptAt && now;
  });
  assert.deepEqual([row.state, row.errorCode], ['delivering', 'outcome_unknown']);
  await world.reaches(id, 'blogsite_a', 'delivered');
  await assertOnePostOneEvent(world, { author, title: 'Create broke' });
});

test('an update with a client that throws is repeated', async () => {
  const { author, id } = await publish('Update broke');
  await world.reaches(id, 'blogsite_a', 'delivered');
  breaking.update = 1;
  await publish('Update broke', 'Other words.\n', author);
  await eventually('the error', async () => (await readRow(id)).errorCode === 'outcome_unknown');
  await eventually('the update', async () => (await readRow(id)).deliveredRevision === 2);
});

test('a look-up after a rejection that throws is shown to the author and repeated', async () => {
  breaking.find = 2;
  await world.faults([buildFault('create', { status: 422, saved: true })]);
  const { author, id } = await publish('Look broke');
  await eventually('the error', async () => {
    const { state, errorCode, nextAttemptAt } = await readRow(id);
    return state === 'delivering' && errorCode === 'interrupted' && nextAttemptAt;
  });
  await world.reaches(id, 'blogsite_a', 'delivered');
  await assertOnePostOneEvent(world, { author, title: 'Look broke' });
});

test('a delivery that cannot be planned shows the problem and is delivered when it can be planned', async () => {
  breaking.adapter = Number.POSITIVE_INFINITY;
  const { author, id } = await publish('Not planned');
  await eventually('the error', async () => {
    const { errorCode, nextAttemptAt } = await readRow(id);
    return errorCode === 'interrupted' && nextAttemptAt;
  });
  breaking.adapter = 0;
  await retryDelivery(world.api.db, { authorId: author.id, articleId: id, destination: 'blogsite_a' });
  await world.reaches(id, 'blogsite_a', 'delivered');
  await assertOnePostOneEvent(world, { author, title: 'Not planned' });
});

/** The activities without their workflow, with the state of a day of failures. */
function createActivities(find = findDestination) {
  const { db } = world.api;
  const baseUrl = 'https://courant.example';
  const deps = {
    db,
    baseUrl,
    findDestination: find,
    pacing: false,
    httpTimeoutMs: 1_500,
    lateArrivalMs: 1_000,
    now: () => new Date(),
  };
  return createDeliveryActivities(deps as unknown as ActivityDeps);
}

/** Plans as the workflow does. */
function plan(
  input: Parameters<ReturnType<typeof createActivities>['planStep']>[0],
  find = findDestination,
): Promise<PlannedStep> {
  const { planStep } = createActivities(find);
  return new MockActivityEnvironment().run((planInput: typeof input) => planStep(planInput), input);
}

const A_DAY = 25 * 60 * 60_000;
const CARRIED = { ...NO_FAILURES, dispatch: 1, since: Date.now() - A_DAY, failures: 100 };

async function addWaiting(title: string) {
  await world.faults([buildFault('create', { status: 429, headers: { 'retry-after': '600' } })]);
  const { author, id } = await publish(title);
  await waitForPause(world, id, 'blogsite_a');
  return { author, id, key: { articleId: id, destination: 'blogsite_a' } as const };
}

test('a delivery that could not be planned for a day fails with one event', async () => {
  const { author, id, key } = await addWaiting('Not planned for a day');
  const breaks = () => {
    throw new TypeError('secret insides');
  };
  for (let again = 0; again < 2; again++) {
    const planned = await plan({ ...key, retry: CARRIED }, breaks);
    assert.equal(planned.kind, 'end');
  }
  const { state, errorCode, error } = await readRow(id);
  assert.deepEqual([state, errorCode], ['failed', 'gave_up']);
  assert.doesNotMatch(error ?? '', /TypeError|secret/);
  assert.deepEqual(await listEvents(world, author), ['CROSS_POST_FAILED']);
});

test('an attempt is given up after a day of lost workers, not after a few losses around a database outage', async () => {
  const { key } = await addWaiting('Lost for a day');
  const lost = { ...CARRIED, problem: 'The worker stopped during the attempt.' };
  const planned = await plan({ ...key, retry: lost });
  assert.ok(planned.kind === 'step' && planned.step.kind === 'refuse');
  assert.equal(planned.step.code, 'gave_up');
  const few = await plan({ ...key, retry: { ...lost, failures: 3 } });
  assert.equal(few.kind === 'step' && few.step.kind, 'create');
});

test('failures of an earlier publish neither end a later one nor show in its row', async () => {
  const { id, key } = await addWaiting('Published again after a day of failures');
  const before = await readRow(id);
  const earlier = { ...CARRIED, dispatch: 0, problem: 'The worker stopped during the attempt.' };
  for (const failures of [100, 3]) {
    const planned = await plan({ ...key, retry: { ...earlier, failures } });
    assert.equal(planned.kind === 'step' && planned.step.kind, 'create');
    assert.deepEqual(await readRow(id), before);
  }
});

test('an ending that cannot be recorded for a day fails with one event, and its workflow continues', async () => {
  const { db } = world.api;
  const { author, id } = await addWaiting('Not recorded');
  const attempts = db.selectFrom('deliveryAttempts as t').innerJoin('deliveries as d', 'd.id', 't.deliveryId');
  const { attemptId, ...row } = await attempts
    .innerJoin('accounts', 'accounts.id', 't.accountId')
    .innerJoin('connections as c', 'c.accountId', 'accounts.id')
    .select(['t.id as attemptId', 'd.id as deliveryId', 'd.version', 't.dispatch'])
    .select(['c.id as connectionId', 'c.version as connectionVersion'])
    .where('d.articleId', '=', id)
    .executeTakeFirstOrThrow();
  await db.updateTable('deliveryAttempts').set({ endedAt: null, outcome: null }).where('id', '=', attemptId).execute();
  // A time that PostgreSQL rejects.
  const remote = { remoteId: 'r', url: 'https://there.example/r', changedAt: '\u0000' };
  const { recordOutcome } = createActivities();
  const input: OutcomeInput = { ...row, attemptId, outcome: { kind: 'delivered', remote } };
  const run = (tries: number) => new MockActivityEnvironment({ attempt: tries }).run(recordOutcome, input);
  await assert.rejects(run(1));
  assert.equal((await readRow(id)).errorCode, 'interrupted');
  await run(3_000);
  await run(3_000);
  assert.deepEqual(await listEvents(world, author), ['CROSS_POST_FAILED']);
  assert.equal((await readRow(id)).errorCode, 'gave_up');
});
