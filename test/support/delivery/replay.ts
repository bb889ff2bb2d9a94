/** Replays all histories of a task queue against the current workflows. */
import assert from 'node:assert/strict';
import type { Client, WorkflowHandle } from '@temporalio/client';
import { Worker } from '@temporalio/worker';
import { eventually } from '../eventually.ts';
import { buildTestBundle } from '../workflow-bundle.ts';

interface ReplayedHistory {
  workflowId: string;
  history: Awaited<ReturnType<WorkflowHandle['fetchHistory']>>;
}

/** Fails if a history does not replay, or if there are fewer than `atLeast`. */
export async function assertHistoriesReplay(
  client: Client,
  taskQueue: string,
  atLeast: number,
): Promise<ReplayedHistory[]> {
  const query = `TaskQueue = '${taskQueue}'`;
  // Temporal lists workflows with a delay.
  await eventually('the histories to be listed', async () => (await client.workflow.count(query)).count >= atLeast);
  const histories: ReplayedHistory[] = [];
  for await (const { workflowId, runId } of client.workflow.list({ query })) {
    const history = await client.workflow.getHandle(workflowId, runId).fetchHistory();
    histories.push({ workflowId, history });
  }
  const codePath = await buildTestBundle();
  let replayed = 0;
  for await (const { workflowId, error } of Worker.runReplayHistories({ workflowBundle: { codePath } }, histories)) {
    assert.equal(error, undefined, workflowId);
    replayed += 1;
  }
  assert.equal(replayed, histories.length);
  return histories;
}
