/** Tests the outcome, state and summary of deliveries in Temporal, for operators. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { WorkflowFailedError } from '@temporalio/client';
import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common';
import type { DestinationKey } from '../../article/types.ts';
import type { DeliveryOutcome } from '../../delivery/outcome.ts';
import { buildArticleWorkflowId, buildDeliveryWorkflowId } from '../../temporal/names.ts';
import { signalDeliveries } from '../../temporal/signals.ts';
import { buildAuthorQuery, buildQueryUrl, SAVED_QUERIES } from '../../temporal/visibility/saved-queries.ts';
import { commandSignal, withdrawSignal } from '../../workflows/messages.ts';
import type { TestAuthor } from '../support/api/api.ts';
import { sendCommand } from '../support/api/graphql.ts';
import { type DeliveryWorld, startDeliveryWorld } from '../support/delivery/delivery.ts';
import { createHeldAnswers } from '../support/delivery/held-answers.ts';
import {
  buildFault,
  createConnectedAuthor,
  publishArticle,
  waitForArticleEnd,
  waitForDeliveryEnd,
  waitForOutbox,
} from '../support/delivery/publishing.ts';
import { assertHistoriesReplay } from '../support/delivery/replay.ts';
import { eventually } from '../support/eventually.ts';

const REFUSAL = { status: 422, body: { error: 'Validation failed: Body is too rude', status: 422 } };

const answers = createHeldAnswers();
let world: DeliveryWorld;
before(async () => {
  world = await startDeliveryWorld({ deps: { findDestination: answers.findDestination } });
});
after(() => world.close());

const getDelivery = (id: string, destination: DestinationKey, runId?: string) =>
  world.client.workflow.getHandle(buildDeliveryWorkflowId(id, destination), runId);

/** Lists the runs of a delivery that match a query, newest first. */
async function listRuns(id: string, query: string): Promise<{ runId: string; status: string }[]> {
  const runs: { runId: string; status: string }[] = [];
  const runsQuery = `WorkflowId = "${buildDeliveryWorkflowId(id, 'blogsite_a')}" and ${query}`;
  for await (const { runId, status } of world.client.workflow.list({ query: runsQuery }))
    runs.push({ runId, status: status.name });
  return runs;
}

async function findFailure(id: string, destination: DestinationKey): Promise<ApplicationFailure> {
  const error: unknown = await getDelivery(id, destination)
    .result()
    .then(assert.fail, (reason: unknown) => reason);
  assert.ok(error instanceof WorkflowFailedError && error.cause instanceof ApplicationFailure, String(error));
  return error.cause;
}

/** Lists the outcomes set by the newest run after its start, in order. */
async function listOutcomes(id: string): Promise<unknown[]> {
  const { events } = await getDelivery(id, 'blogsite_a').fetchHistory();
  return (events ?? []).flatMap(({ upsertWorkflowSearchAttributesEventAttributes: upsert }) => {
    const data = upsert?.searchAttributes?.indexedFields?.CourantOutcome?.data;
    return data ? [JSON.parse(Buffer.from(data).toString())] : [];
  });
}

test('a failed delivery ends as Failed, is found by outcome and status, and is started again by the next publish', async () => {
  const author = await createConnectedAuthor(world, 'blogsite_a');
  const title = 'Refused once';
  await world.faults([buildFault('create', REFUSAL)]);
  const { id } = await publishArticle(world, author, { title });
  assert.match(await waitForDeliveryEnd(world, id, 'blogsite_a'), /^failed: .*too rude/);
  const { type, category, nonRetryable, message } = await findFailure(id, 'blogsite_a');
  assert.deepEqual(
    { type, category, nonRetryable },
    { type: 'DeliveryFailed', category: ApplicationFailureCategory.BENIGN, nonRetryable: true },
  );
  assert.match(message, /too rude/);
  const query = 'CourantOutcome = "failed" and ExecutionStatus = "Failed"';
  const [failed] = await eventually('the run to be listed', async () => {
    const runs = await listRuns(id, query);
    return runs.length > 0 && runs;
  });
  assert.equal((await listRuns(id, 'WorkflowType = "deliveryWorkflow"')).length, 1, 'nothing has retried it');

  await publishArticle(world, author, { title }, 'Politer words.\n');
  await world.reaches(id, 'blogsite_a', 'delivered');
  assert.match(await waitForDeliveryEnd(world, id, 'blogsite_a'), /^delivered: /);
  await eventually('the second run to be listed as completed', async () => {
    const runs = await listRuns(id, 'WorkflowType = "deliveryWorkflow"');
    return isDeepStrictEqual(runs.map(({ status }) => status).sort(), ['COMPLETED', 'FAILED']);
  });
  assert.deepEqual(await listRuns(id, query), [failed]);
});

test('a failed delivery remains failed when it is woken without a change, and a command starts it again', async () => {
  const author = await createConnectedAuthor(world, 'blogsite_a');
  await world.faults([buildFault('create', REFUSAL)]);
  const { id, slug } = await publishArticle(world, author, { title: 'Woken for nothing' });
  await waitForDeliveryEnd(world, id, 'blogsite_a');
  const actors = { client: world.client, taskQueue: world.api.taskQueue };
  const article = { articleId: id, dispatch: 1, slug, title: 'Woken for nothing', platforms: {}, isPublic: true };
  const signal = { ...article, username: author.username, authorName: 'Ann' };
  await signalDeliveries(actors, signal, ['blogsite_a']);
  assert.equal(await waitForDeliveryEnd(world, id, 'blogsite_a'), 'failed: this publish was already answered');
  await sendCommand(world.api, author.id, 'retry', { articleId: id, destination: 'blogsite_a' });
  await world.reaches(id, 'blogsite_a', 'delivered');
  assert.match(await waitForDeliveryEnd(world, id, 'blogsite_a'), /^delivered: /);
});

test('a delivery of unknown outcome ends as Failed with its own failure type', async () => {
  const author = await createConnectedAuthor(world, 'blogsite_c');
  await world.faults([buildFault('create', { platform: 'blogsite_c', drop: 'after' })]);
  const { id } = await publishArticle(world, author, { title: 'Nobody knows', cross_post: { blogsite_c: true } });
  await world.reaches(id, 'blogsite_c', 'unknown');
  assert.match(await waitForDeliveryEnd(world, id, 'blogsite_c'), /^unknown: /);
  assert.equal((await findFailure(id, 'blogsite_c')).type, 'DeliveryUnknown');
});

type Refused = { author: TestAuthor; id: string; title: string };
const DURING_REFUSAL: Record<string, (refused: Refused) => Promise<unknown>> = {
  publish: ({ author, title }) => publishArticle(world, author, { title }, 'Politer words.\n'),
  'retry command': ({ author, id }) =>
    sendCommand(world.api, author.id, 'retry', { articleId: id, destination: 'blogsite_a' }),
};

for (const [change, make] of Object.entries(DURING_REFUSAL)) {
  test(`a ${change} during a rejected attempt continues the same run`, async (context) => {
    const author = await createConnectedAuthor(world, 'blogsite_a');
    const title = `A ${change} in the meantime`;
    await world.faults([buildFault('create', REFUSAL)]);
    const answer = answers.holdNext(context);
    const { id } = await publishArticle(world, author, { title });
    await answer.isHeld();
    await make({ author, id, title });
    await waitForOutbox(world, id);
    answer.release();
    await world.reaches(id, 'blogsite_a', 'delivered');
    assert.match(await waitForDeliveryEnd(world, id, 'blogsite_a'), /^delivered: /);
    assert.equal((await listRuns(id, 'WorkflowType = "deliveryWorkflow"')).length, 1);
    assert.equal((await listOutcomes(id)).at(-1), 'delivered');
  });
}

for (const signal of [commandSignal, withdrawSignal]) {
  test(`a delivery plans again after a ${signal.name} signal that arrives during an attempt`, async (context) => {
    const author = await createConnectedAuthor(world, 'blogsite_a');
    await world.faults([]);
    const answer = answers.holdNext(context);
    const { id } = await publishArticle(world, author, { title: `Signalled to be ${signal.name}` });
    await answer.isHeld();
    await getDelivery(id, 'blogsite_a').signal(signal);
    answer.release();
    assert.match(await waitForDeliveryEnd(world, id, 'blogsite_a'), /^delivered: /);
    assert.deepEqual((await listOutcomes(id)).slice(-3), ['delivered', 'sending', 'delivered']);
  });
}

test('the outcome is set only when it changes, once for a delivery without a wait', async () => {
  const author = await createConnectedAuthor(world, 'blogsite_a');
  const straight = await publishArticle(world, author, { title: 'Straight through' });
  await world.reaches(straight.id, 'blogsite_a', 'delivered');
  await waitForDeliveryEnd(world, straight.id, 'blogsite_a');
  assert.deepEqual(await listOutcomes(straight.id), ['delivered']);

  await world.faults([buildFault('any', { status: 503, times: 1 })]);
  const retried = await publishArticle(world, author, { title: 'After a pause' });
  await world.reaches(retried.id, 'blogsite_a', 'delivered');
  await waitForDeliveryEnd(world, retried.id, 'blogsite_a');
  assert.deepEqual(await listOutcomes(retried.id), ['retrying', 'sending', 'delivered']);
});

for (const [state, prepare] of [
  ['retrying', () => world.faults([buildFault('create', { status: 429, headers: { 'retry-after': '600' } })])],
  [
    'waiting',
    (authorId: string) =>
      world.api.db
        .updateTable('connections')
        .set({ blockedUntil: new Date(Date.now() + 600_000) })
        .where('userId', '=', authorId)
        .execute(),
  ],
  [
    'held',
    (authorId: string) =>
      world.api.db.updateTable('connections').set({ status: 'unauthorised' }).where('userId', '=', authorId).execute(),
  ],
] satisfies [DeliveryOutcome, (authorId: string) => Promise<unknown>][]) {
  test(`a delivery that is ${state} is found by its saved query`, async () => {
    const author = await createConnectedAuthor(world, 'blogsite_a');
    await prepare(author.id);
    const { id } = await publishArticle(world, author, { title: `It is ${state}` });
    const saved = SAVED_QUERIES.find(({ name }) => name.toLowerCase() === state);
    assert.ok(saved);
    await eventually('the run to be listed', async () => (await listRuns(id, saved.query)).length === 1);
    await sendCommand(world.api, author.id, 'skip', { articleId: id, destination: 'blogsite_a' });
    await eventually('the skip', async () => {
      const runs = await listRuns(id, 'CourantOutcome = "skipped" and ExecutionStatus = "Completed"');
      return runs.length === 1;
    });
  });
}

test('the docs link every saved query, for a Temporal UI of `npm start`', () => {
  const text = readFileSync(new URL('../../docs/self-hosting/temporal.md', import.meta.url), 'utf8');
  for (const { name, query } of SAVED_QUERIES) {
    assert.ok(text.includes(`[${name}](${buildQueryUrl('http://localhost:8233/namespaces/default', query)})`), name);
  }
});

test('a workflow’s summary names author, title and platform, and a hostile title is plain text', async () => {
  const author = await createConnectedAuthor(world, 'blogsite_a');
  await world.api.db.updateTable('users').set({ name: 'Ann' }).where('id', '=', author.id).execute();
  const { id } = await publishArticle(world, author, { title: '[Click](https://phish.example) 😀'.repeat(6) });
  await world.reaches(id, 'blogsite_a', 'delivered');
  const summary = await (await getDelivery(id, 'blogsite_a').describe()).staticSummary();
  assert.match(summary ?? '', /^Ann: \\\[Click\\\]\(https:\/\/phish\.example\) 😀.*… → DEV$/u);
  // Other tests have authors of the same name in this namespace.
  const query = `${buildAuthorQuery(author.username).query} and TaskQueue = "${world.api.taskQueue}"`;
  await eventually('all that is the author’s', async () => (await world.client.workflow.count(query)).count === 1);
});

test('the article workflow publishes in a local activity and signals in a regular one', async () => {
  const author = await createConnectedAuthor(world, 'blogsite_a');
  const at = new Date(Date.now() + 4_000).toISOString();
  const { id } = await publishArticle(world, author, { title: 'Two steps', scheduled_at: at });
  await world.reaches(id, 'blogsite_a', 'delivered');
  await waitForArticleEnd(world, id);
  const workflow = world.client.workflow.getHandle(buildArticleWorkflowId(id));
  const { events } = await workflow.fetchHistory();
  const names = (events ?? []).flatMap(
    ({ activityTaskScheduledEventAttributes: scheduled }) => scheduled?.activityType?.name ?? [],
  );
  assert.deepEqual(names, ['wakeDeliveries']);
  assert.match((await (await workflow.describe()).staticSummary()) ?? '', /: Two steps$/);
});

test('every history replays', async () => void (await assertHistoriesReplay(world.client, world.api.taskQueue, 12)));
