/**
 * Replays recorded histories (`npm run histories`), which represent running workflows of earlier
 * code. A history that does not replay shows an incompatible change: see
 * docs/internals/workflows.md.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type InjectedSinks, Worker } from '@temporalio/worker';
import type { Sinks } from '@temporalio/workflow';
import * as workflows from '../../workflows/index.ts';
import { listHistories } from '../support/delivery/recorded-histories.ts';
import { installQuietRuntime } from '../support/quiet-runtime.ts';
import { buildTestBundle } from '../support/workflow-bundle.ts';

const recorded = listHistories();

describe('the recorded histories', () => {
  test('exist for every workflow', () => {
    const types = new Set(
      recorded.map(({ history }) => history.events[0]?.workflowExecutionStartedEventAttributes?.workflowType.name),
    );
    const missing = Object.keys(workflows).filter((name) => !types.has(name));
    assert.deepEqual(missing, [], 'add a scenario to test/histories/scenarios and run "npm run histories"');
  });

  test('replay with the current code (F17)', () => replayAll({ isTraced: false }));

  test('replay when tracing is enabled while workflows run (F17)', () => replayAll({ isTraced: true }));
});

async function replayAll(options: { isTraced: boolean }): Promise<void> {
  installQuietRuntime();
  const codePath = await buildTestBundle(options);
  // A replay exports nothing, but the sink must exist.
  const sinks: InjectedSinks<Sinks> = { exporter: { export: { fn: () => undefined, callDuringReplay: false } } };
  const failures: string[] = [];
  let replayed = 0;
  for await (const { workflowId, error } of Worker.runReplayHistories(
    { workflowBundle: { codePath }, sinks },
    recorded,
  )) {
    replayed += 1;
    if (error) failures.push(`${workflowId}: ${/\[TMPRL\d+\][^"]*/.exec(error.message)?.[0] ?? error.message}`);
  }
  assert.deepEqual(failures, [], 'an incompatible change: see docs/internals/workflows.md');
  assert.equal(replayed, recorded.length);
}
