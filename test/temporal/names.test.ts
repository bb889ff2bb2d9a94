/** Tests how the workflow version is read from a build id. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildWorkflowBuildId, readWorkflowVersion } from '../../temporal/names.ts';

const CURRENT = readWorkflowVersion(buildWorkflowBuildId());

for (const [worker, buildId, version] of [
  ['a worker with the SDK’s default build id', '@temporalio/worker@1.24.0+a40082e8', 1],
  ['an earlier worker with a version in its build id', 'courant-workflows-1', 1],
  ['a later worker', `courant-workflows-${CURRENT + 10}`, CURRENT + 10],
  ['a server that stores no build ids', undefined, CURRENT],
  ['a server that stores empty build ids', '', CURRENT],
] as const) {
  test(`the version of workflows that ran on ${worker}`, () => {
    assert.equal(readWorkflowVersion(buildId), version);
  });
}

test('the current workflow version is later than that of the SDK’s default build id', () => assert.ok(CURRENT >= 2));
