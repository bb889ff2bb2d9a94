/** By which code a workflow went, told by the build id of its worker. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildWorkflowBuildId, readWorkflowGeneration } from '../../temporal/names.ts';

test('a task of before there were generations is of the first one', () => {
  assert.equal(readWorkflowGeneration('@temporalio/worker@1.24.0+0f1e50a2b5f5'), 1);
});

test('a task is of the generation that its worker named', () => {
  assert.equal(readWorkflowGeneration('courant-workflows-7'), 7);
  assert.ok(readWorkflowGeneration(buildWorkflowBuildId()) > 1);
});

test('where the server keeps no build ids, the present code has done it', () => {
  const present = readWorkflowGeneration(buildWorkflowBuildId());
  for (const unknown of [undefined, '']) assert.equal(readWorkflowGeneration(unknown), present);
});
