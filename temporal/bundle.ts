/**
 * The workflows as one script, the way the worker runs them. Built once and kept under a name that holds the hash of what went in, so
 * that a start does not pay for webpack again and never runs yesterday's code.
 */
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleWorkflowCode } from '@temporalio/worker';

const root = fileURLToPath(new URL('..', import.meta.url));
const entry = join(root, 'workflows', 'index.ts');
/** Everything that a workflow may import, by the rules of the rooms. */
const SOURCES = ['workflows', 'temporal', 'article/types.ts'];

/** The path of the bundle in `folder`, built where it is not there yet. */
export async function workflowBundle(folder: string): Promise<string> {
  const path = join(folder, `workflows-${await sourceHash()}.js`);
  const built = await readFile(path).catch(() => null);
  if (built) return path;
  const code = await buildWorkflows();
  await mkdir(dirname(path), { recursive: true });
  const draft = `${path}.${process.pid}`;
  await writeFile(draft, code);
  await rename(draft, path);
  return path;
}

/** Bundles the workflows; throws where they import what a workflow must not. */
export async function buildWorkflows(): Promise<string> {
  const quiet = () => undefined;
  const logger = { log: quiet, trace: quiet, debug: quiet, info: quiet, warn: console.warn, error: console.error };
  const { code } = await bundleWorkflowCode({ workflowsPath: entry, logger });
  return code;
}

async function sourceHash(): Promise<string> {
  const hash = createHash('sha256');
  const { resolve } = createRequire(import.meta.url);
  hash.update(await readFile(resolve('@temporalio/workflow/package.json')));
  for (const source of SOURCES) {
    for (const file of await listSources(join(root, source))) hash.update(file).update(await readFile(file));
  }
  return hash.digest('hex').slice(0, 16);
}

async function listSources(path: string): Promise<string[]> {
  if (path.endsWith('.ts')) return [path];
  const names = await readdir(path);
  return names
    .filter((name) => name.endsWith('.ts'))
    .sort()
    .map((name) => join(path, name));
}
