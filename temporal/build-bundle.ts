/**
 * Bundles the workflows with webpack. Run as a program (`node temporal/build-bundle.ts <file> [traced]`) it writes the bundle: webpack's
 * memory is freed with that process instead of staying in the worker.
 */
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleWorkflowCode } from '@temporalio/worker';
import { writeOneByte } from './one-byte.ts';

const entry = fileURLToPath(new URL('../workflows/index.ts', import.meta.url));
const tracing = fileURLToPath(new URL('traced-workflows.ts', import.meta.url));

/** Throws if a workflow imports what is not deterministic. `isTraced`: for a worker that sends traces. */
export async function buildWorkflows({ isTraced }: { isTraced: boolean }): Promise<string> {
  const quiet = () => undefined;
  const logger = { log: quiet, trace: quiet, debug: quiet, info: quiet, warn: console.warn, error: console.error };
  const { code } = await bundleWorkflowCode({
    workflowsPath: entry,
    workflowInterceptorModules: isTraced ? [tracing] : [],
    logger,
    // The worker and its thread keep the bundle whole: its map says where an error was, and the sources themselves are in their files.
    webpackConfigHook: (config) => ({ ...config, devtool: 'inline-nosources-source-map' }),
  });
  return writeOneByte(code);
}

if (import.meta.main) {
  const [path, traced] = process.argv.slice(2);
  if (!path) throw new Error('usage: build-bundle.ts <file> [traced]');
  const code = await buildWorkflows({ isTraced: traced === 'traced' });
  await mkdir(dirname(path), { recursive: true });
  // Written under another name and renamed: several workers may start at once, and none may read half a bundle.
  const draft = `${path}.${process.pid}`;
  await writeFile(draft, code);
  await rename(draft, path);
}
