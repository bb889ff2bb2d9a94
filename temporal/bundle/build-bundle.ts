/**
 * Bundles the workflows with webpack. `node temporal/bundle/build-bundle.ts <file> [traced]` writes
 * the bundle in a separate process; its exit frees webpack's memory.
 */
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleWorkflowCode } from '@temporalio/worker';

const entry = fileURLToPath(new URL('../../workflows/index.ts', import.meta.url));
const tracing = fileURLToPath(new URL('../traced-workflows.ts', import.meta.url));

/** Throws if a workflow imports a non-deterministic module. `isTraced`: adds interceptors. */
export async function buildWorkflows({ isTraced }: { isTraced: boolean }): Promise<string> {
  const quiet = () => undefined;
  const logger = { log: quiet, trace: quiet, debug: quiet, info: quiet, warn: console.warn, error: console.error };
  const { code } = await bundleWorkflowCode({
    workflowsPath: entry,
    workflowInterceptorModules: isTraced ? [tracing] : [],
    logger,
    // The worker and its thread hold the bundle in memory: the map has positions but no sources.
    webpackConfigHook: (config) => ({ ...config, devtool: 'inline-nosources-source-map' }),
  });
  return code;
}

if (import.meta.main) {
  const [path, traced] = process.argv.slice(2);
  if (!path) throw new Error('usage: build-bundle.ts <file> [traced]');
  const code = await buildWorkflows({ isTraced: traced === 'traced' });
  await mkdir(dirname(path), { recursive: true });
  // Write and rename: workers that start concurrently must not read a partial bundle.
  const temporaryPath = `${path}.${process.pid}`;
  await writeFile(temporaryPath, code);
  await rename(temporaryPath, path);
}
