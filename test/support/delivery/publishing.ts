/**
 * Helpers for delivery tests: publish as a connected author, wait for workflows, and read the sent
 * requests and notifications.
 */
import assert from 'node:assert/strict';
import { type Client, WorkflowFailedError } from '@temporalio/client';
import type { DestinationKey } from '../../../article/types.ts';
import { buildArticleWorkflowId, buildDeliveryWorkflowId } from '../../../temporal/names.ts';
import { markdown, type PublishAnswer, type TestAuthor } from '../api/api.ts';
import { eventually } from '../eventually.ts';
import type { DeliveryWorld, Fault, LogEntry } from './delivery.ts';

let authors = 0;

/** Creates an author who is connected to these sandbox destinations with valid credentials. */
export async function createConnectedAuthor(
  world: DeliveryWorld,
  ...destinations: DestinationKey[]
): Promise<TestAuthor> {
  const author = await world.api.createAuthor(`connected-${++authors}`);
  for (const destination of destinations) await world.connect(author, destination);
  return author;
}

/** `fields` are further fields of the request. Returns the article; fails if it is rejected. */
export async function publishArticle(
  world: DeliveryWorld,
  author: TestAuthor,
  frontmatter: Record<string, unknown>,
  body?: string,
  fields: object = {},
): Promise<NonNullable<PublishAnswer['body']['data']>> {
  const answer = await world.api.publish({ content: markdown(frontmatter, body), ...fields }, { token: author.token });
  assert.ok(answer.body.data, JSON.stringify(answer.body));
  return answer.body.data;
}

/** A fault of one request at Forem; `more` overrides it. */
export function buildFault(action: Fault['action'], more: Partial<Fault>): Fault {
  return { platform: 'blogsite_a', times: 1, action, ...more };
}

/** Resolves when the sandbox has received all requests with a fault, before it responds to them. */
export function waitForFaults(world: DeliveryWorld): Promise<true> {
  return eventually(
    'the requests that faults were set for',
    async () => {
      const remaining = (await (await fetch(`${world.sandboxUrl}/faults`)).json()) as unknown[];
      return remaining.length === 0;
    },
    { withinMs: 60_000 },
  );
}

/** Resolves when workflows are signalled about all changes, or about those of one article. */
export function waitForOutbox(world: DeliveryWorld, articleId?: string): Promise<true> {
  return eventually('the outbox to be empty', async () => {
    const rows = world.api.db.selectFrom('outbox').select('id');
    const remaining = await (articleId === undefined ? rows : rows.where('articleId', '=', articleId)).execute();
    return remaining.length === 0;
  });
}

/** Resolves with the time of the next attempt when a delivery without a copy waits for it. */
export function waitForPause(world: DeliveryWorld, articleId: string, destination: DestinationKey): Promise<Date> {
  return eventually('the pause', async () => (await world.reaches(articleId, destination, 'pending')).nextAttemptAt);
}

export function waitForWithdrawal(world: DeliveryWorld, articleId: string, destination: DestinationKey): Promise<Date> {
  return eventually(
    `the withdrawal from ${destination}`,
    async () => (await world.reaches(articleId, destination, 'stale')).withdrawnAt,
  );
}

/** Resolves when all changes of the article are signalled and its workflow has ended. */
export async function waitForArticleEnd(world: DeliveryWorld, articleId: string): Promise<string> {
  await waitForOutbox(world, articleId);
  return world.client.workflow.getHandle(buildArticleWorkflowId(articleId)).result();
}

/**
 * Resolves when all changes of the article are signalled and the delivery workflow has ended.
 * Returns the result or the failure message.
 */
export async function waitForDeliveryEnd(
  world: DeliveryWorld,
  articleId: string,
  destination: DestinationKey,
): Promise<string> {
  await waitForOutbox(world, articleId);
  return readEnd(world.client, buildDeliveryWorkflowId(articleId, destination));
}

/** Returns the result of a workflow, or the message of its failure. */
export async function readEnd(client: Client, workflowId: string): Promise<string> {
  try {
    return await client.workflow.getHandle(workflowId).result();
  } catch (error) {
    if (error instanceof WorkflowFailedError && error.cause) return error.cause.message;
    throw error;
  }
}

/** Lists the actions of the destinations for the article with this title, oldest first. */
export async function listActions(world: DeliveryWorld, title: string): Promise<LogEntry['action'][]> {
  return (await world.log(title)).map(({ action }) => action);
}

export async function countCreates(world: DeliveryWorld, title: string): Promise<number> {
  return (await listActions(world, title)).filter((action) => action === 'create').length;
}

/** Lists the types of the author's notifications, oldest first. */
export async function listEvents(world: DeliveryWorld, author: TestAuthor): Promise<string[]> {
  return (await world.notifications(author)).map(({ type }) => type);
}

/**
 * The oracle of the fault matrix: exactly one copy and one success event at each destination. An
 * adopted copy is updated once, because its content is unknown.
 */
export async function assertOnePostOneEvent(
  world: DeliveryWorld,
  { author, title }: { author: TestAuthor; title: string },
  destinations: DestinationKey[] = ['blogsite_a'],
): Promise<void> {
  const log = await world.log(title);
  const creates = log.filter(({ action }) => action === 'create').map(({ platform }) => platform);
  assert.deepEqual(creates.sort(), destinations.toSorted());
  for (const destination of destinations) {
    assert.ok(log.filter(({ platform }) => platform === destination).length <= 2);
  }
  const events = (await world.notifications(author)).map(({ type, payload }) => `${type} ${payload.platform}`);
  assert.deepEqual(events.sort(), destinations.map((key) => `CROSS_POST_SUCCESS ${key.toUpperCase()}`).sort());
}
