/** What tests of deliveries share: publish as a connected author, wait for the actors, read what was sent and what its author heard of it. */
import assert from 'node:assert/strict';
import { type Client, WorkflowFailedError } from '@temporalio/client';
import type { DestinationKey } from '../../article/types.ts';
import { buildArticleWorkflowId, buildDeliveryWorkflowId } from '../../temporal/names.ts';
import { markdown, type PublishAnswer, type TestAuthor } from './api.ts';
import type { DeliveryWorld, Fault, LogEntry } from './delivery.ts';
import { eventually } from './eventually.ts';

let authors = 0;

/** A new author who is connected to these stand-ins with good credentials. */
export async function createConnectedAuthor(
  world: DeliveryWorld,
  ...destinations: DestinationKey[]
): Promise<TestAuthor> {
  const author = await world.api.createAuthor(`connected-${++authors}`);
  for (const destination of destinations) await world.connect(author, destination);
  return author;
}

/** `fields` are of the request, beside its content. Returns the article; fails where it was refused. */
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

/** Once, at Forem, unless `more` says otherwise. */
export function buildFault(action: Fault['action'], more: Partial<Fault>): Fault {
  return { platform: 'blogsite_a', times: 1, action, ...more };
}

/** Resolves when the stand-ins have received every request that a fault was set for; they may not have answered yet. */
export function waitForFaults(world: DeliveryWorld): Promise<true> {
  return eventually(
    'the requests that faults were set for',
    async () => {
      const left = (await (await fetch(`${world.sandboxUrl}/faults`)).json()) as unknown[];
      return left.length === 0;
    },
    { withinMs: 60_000 },
  );
}

/** Resolves when the actors have been signalled about every change, or about every change of one article. */
export function waitForOutbox(world: DeliveryWorld, articleId?: string): Promise<true> {
  return eventually('the outbox to be empty', async () => {
    const rows = world.api.db.selectFrom('outbox').select('id');
    const left = await (articleId === undefined ? rows : rows.where('articleId', '=', articleId)).execute();
    return left.length === 0;
  });
}

/** Resolves when a delivery that was never made waits for its next attempt; answers when that is due. */
export function waitForPause(world: DeliveryWorld, articleId: string, destination: DestinationKey): Promise<Date> {
  return eventually('the pause', async () => (await world.reaches(articleId, destination, 'pending')).nextAttemptAt);
}

export function waitForWithdrawal(world: DeliveryWorld, articleId: string, destination: DestinationKey): Promise<Date> {
  return eventually(
    `the withdrawal from ${destination}`,
    async () => (await world.reaches(articleId, destination, 'stale')).withdrawnAt,
  );
}

/** Resolves when the actors of a scheduled article have been signalled about every change, and its own has ended. */
export async function waitForArticleEnd(world: DeliveryWorld, articleId: string): Promise<string> {
  await waitForOutbox(world, articleId);
  return world.client.workflow.getHandle(buildArticleWorkflowId(articleId)).result();
}

/** Resolves when the actor of the delivery has been signalled about every change, and has ended; answers how, also where that is a failure. */
export async function waitForDeliveryEnd(
  world: DeliveryWorld,
  articleId: string,
  destination: DestinationKey,
): Promise<string> {
  await waitForOutbox(world, articleId);
  return readEnd(world.client, buildDeliveryWorkflowId(articleId, destination));
}

/** How a workflow ends, also where that is a failure. */
export async function readEnd(client: Client, workflowId: string): Promise<string> {
  try {
    return await client.workflow.getHandle(workflowId).result();
  } catch (error) {
    if (error instanceof WorkflowFailedError && error.cause) return error.cause.message;
    throw error;
  }
}

/** What the destinations did for the article with this title, oldest first. */
export async function listActions(world: DeliveryWorld, title: string): Promise<LogEntry['action'][]> {
  return (await world.log(title)).map(({ action }) => action);
}

export async function countCreates(world: DeliveryWorld, title: string): Promise<number> {
  return (await listActions(world, title)).filter((action) => action === 'create').length;
}

/** Types of the author's notifications, oldest first. */
export async function listEvents(world: DeliveryWorld, author: TestAuthor): Promise<string[]> {
  return (await world.notifications(author)).map(({ type }) => type);
}

/**
 * The oracle of the fault matrix, 1/1: exactly one remote post and exactly one event at each destination, a success. A post that was adopted
 * is updated once, since nobody knows what it says.
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
