/** Replays every history of a task queue against the present workflows: whatever is not deterministic shows. */
import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Client, WorkflowHandle } from '@temporalio/client';
import { Worker } from '@temporalio/worker';
import { workflowBundle } from '../../temporal/bundle.ts';
import { eventually } from './eventually.ts';

/** Fails where one does not replay, or there are not at least so many once all are listed. */
export async function assertHistoriesReplay(client: Client, taskQueue: string, atLeast: number): Promise<void> {
  const query = `TaskQueue = '${taskQueue}'`;
  // What is listed lags a little behind what has run.
  await eventually('the histories to be listed', async () => (await client.workflow.count(query)).count >= atLeast);
  const histories: { workflowId: string; history: Awaited<ReturnType<WorkflowHandle['fetchHistory']>> }[] = [];
  for await (const { workflowId, runId } of client.workflow.list({ query })) {
    const history = await client.workflow.getHandle(workflowId, runId).fetchHistory();
    histories.push({ workflowId, history });
  }
  const codePath = await workflowBundle(join(tmpdir(), 'courant-test-bundles'));
  let replayed = 0;
  for await (const { workflowId, error } of Worker.runReplayHistories({ workflowBundle: { codePath } }, histories)) {
    assert.equal(error, undefined, workflowId);
    replayed += 1;
  }
  assert.equal(replayed, histories.length);
}
