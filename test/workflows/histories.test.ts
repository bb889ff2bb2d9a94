/**
 * Workflows that are running now were started by earlier code; the recorded histories (`npm run histories`) stand for them. A history that
 * does not replay shows an incompatible change: docs/workflows.md says what to do about it.
 */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Worker } from '@temporalio/worker';
import { workflowBundle } from '../../temporal/bundle.ts';
import * as workflows from '../../workflows/index.ts';
import { installQuietRuntime } from '../support/quiet-runtime.ts';

interface Recorded {
  events: { workflowExecutionStartedEventAttributes?: { workflowType: { name: string } } }[];
}

const folder = fileURLToPath(new URL('../histories/', import.meta.url));
const recorded = readdirSync(folder)
  .filter((file) => file.endsWith('.json'))
  .map((file) => ({
    workflowId: file.replace(/\.json$/, ''),
    history: JSON.parse(readFileSync(join(folder, file), 'utf8')) as Recorded,
  }));

describe('the recorded histories', () => {
  test('exist for every workflow', () => {
    const types = new Set(
      recorded.map(({ history }) => history.events[0]?.workflowExecutionStartedEventAttributes?.workflowType.name),
    );
    const missing = Object.keys(workflows).filter((name) => !types.has(name));
    assert.deepEqual(missing, [], 'add a scenario to scripts/histories and run "npm run histories"');
  });

  test('replay with the present code (F17)', async () => {
    installQuietRuntime();
    const codePath = await workflowBundle(join(tmpdir(), 'courant-test-bundles'));
    const failures: string[] = [];
    let replayed = 0;
    for await (const { workflowId, error } of Worker.runReplayHistories({ workflowBundle: { codePath } }, recorded)) {
      replayed += 1;
      if (error) failures.push(`${workflowId}: ${/\[TMPRL\d+\][^"]*/.exec(error.message)?.[0] ?? error.message}`);
    }
    assert.deepEqual(failures, [], 'an incompatible change: see docs/workflows.md');
    assert.equal(replayed, recorded.length);
  });
});
