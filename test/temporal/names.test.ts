import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildWorkflowBuildId, readWorkflowGeneration } from '../../temporal/names.ts';

const PRESENT = readWorkflowGeneration(buildWorkflowBuildId());

for (const [what, buildId, generation] of [
  ['a worker of before there were generations', '@temporalio/worker@1.24.0+a40082e8', 1],
  ['an earlier worker that named its generation', 'courant-workflows-1', 1],
  ['a later worker than this', `courant-workflows-${PRESENT + 10}`, PRESENT + 10],
  ['a server that keeps no build ids', undefined, PRESENT],
  ['a server that keeps empty ones', '', PRESENT],
] as const) {
  test(`the generation of workflows that ran on ${what}`, () => {
    assert.equal(readWorkflowGeneration(buildId), generation);
  });
}

test('a worker of now has a generation of its own, later than those without a name', () => assert.ok(PRESENT >= 2));
