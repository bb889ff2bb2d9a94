/**
 * The workflow bundle that test processes share. `node test/support/workflow-bundle.ts` builds it,
 * and fails if a workflow imports a non-deterministic module.
 */
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { workflowBundle } from '../../temporal/bundle/bundle.ts';

export function buildTestBundle(options?: { isTraced: boolean }): Promise<string> {
  return workflowBundle(join(tmpdir(), 'courant-test-bundles'), options);
}

if (import.meta.main) await buildTestBundle();
