/**
 * Bundles the workflows with webpack. Run as a program of its own (`node temporal/build-bundle.ts <file>`) it writes the
 * bundle: webpack's memory goes with that process instead of staying in the worker.
 */
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleWorkflowCode } from '@temporalio/worker';

const entry = fileURLToPath(new URL('../workflows/index.ts', import.meta.url));

/** Throws where a workflow imports what it must not. */
export async function buildWorkflows(): Promise<string> {
  const quiet = () => undefined;
  const logger = { log: quiet, trace: quiet, debug: quiet, info: quiet, warn: console.warn, error: console.error };
  const { code } = await bundleWorkflowCode({ workflowsPath: entry, logger });
  return code;
}

if (import.meta.main) {
  const [path] = process.argv.slice(2);
  if (!path) throw new Error('say where to write the bundle');
  const code = await buildWorkflows();
  await mkdir(dirname(path), { recursive: true });
  // Written beside and renamed: several workers may start at once, and none reads half a bundle.
  const draft = `${path}.${process.pid}`;
  await writeFile(draft, code);
  await rename(draft, path);
}
