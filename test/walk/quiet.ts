/**
 * Waits until all work of a walk has ended, without faults and with worker and Temporal running.
 * Shortens pauses with `retryDelivery`, and searches for stalled deliveries, which the product does
 * every five minutes.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { WorkflowNotFoundError } from '@temporalio/client';
import { wakeStalled } from '../../store/deliveries/stalled.ts';
import { buildArticleWorkflowId, buildDeliveryWorkflowId } from '../../temporal/names.ts';
import { sendCommand } from '../support/api/graphql.ts';
import { DESTINATIONS } from './plan.ts';
import type { WalkWorld } from './world.ts';

/** Returns the work that is unfinished after `withinMs`; empty if everything is quiet. */
export async function waitUntilQuiet(world: WalkWorld, withinMs: number): Promise<string[]> {
  await world.clearFaults();
  await Promise.all([world.temporal.ready(), world.worker.ready()]);
  const until = Date.now() + withinMs;
  let wokenAt = Date.now();
  for (let round = 0; ; round += 1) {
    const open = await listOpenWork(world);
    // Checked twice, because a workflow may signal another one before it ends.
    if (open.length === 0 && (await listOpenWork(world)).length === 0) return [];
    if (Date.now() > until) return open;
    if (round % 8 === 7) await shortenPauses(world);
    if (Date.now() - wokenAt > 8_000) {
      wokenAt = Date.now();
      await wakeStalled(world.api.db, { now: new Date(Date.now() + STALLED_AFTER_MS), limit: 100 });
    }
    await sleep(250);
  }
}

/** The time offset at which the search treats a row as stalled. */
const STALLED_AFTER_MS = 4 * 60_000;

async function listOpenWork({ api, client }: WalkWorld): Promise<string[]> {
  const outbox = await api.db.selectFrom('outbox').select('articleId').execute();
  const articles = await api.db.selectFrom('articles').select('id').where('authorId', '=', api.author.id).execute();
  const actors = articles.flatMap(({ id }) => [
    buildArticleWorkflowId(id),
    ...DESTINATIONS.map((destination) => buildDeliveryWorkflowId(id, destination)),
  ]);
  const open = await Promise.all(actors.map(async (id) => ((await isRunning(client, id)) ? [id] : [])));
  return [...outbox.map(({ articleId }) => `outbox: ${articleId}`), ...open.flat()];
}

async function isRunning(client: WalkWorld['client'], workflowId: string): Promise<boolean> {
  try {
    return (await client.workflow.getHandle(workflowId).describe()).status.name === 'RUNNING';
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return false;
    throw error;
  }
}

async function shortenPauses({ api }: WalkWorld): Promise<void> {
  const waiting = await api.db
    .selectFrom('deliveries')
    .innerJoin('articles', 'articles.id', 'deliveries.articleId')
    .select(['articleId', 'destination'])
    .where('articles.authorId', '=', api.author.id)
    .where('deliveries.dueAt', '>', new Date(Date.now() + 2_500))
    .execute();
  for (const target of waiting) await sendCommand(api, api.author.id, 'retry', target);
}
