/**
 * The workflows as one script, the way the worker runs them. Built once and stored under a name with the hash of its sources, so that a
 * start does not run webpack again and never uses an outdated bundle.
 */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const root = fileURLToPath(new URL('..', import.meta.url));
/** Everything that a workflow may import, by the rules of the rooms. */
const SOURCES = ['workflows', 'delivery', 'temporal', 'article/types.ts', 'destinations/posts/copy-fate.ts'];

const run = promisify(execFile);

/** The path of the bundle in `folder`, built if it is not there yet. `isTraced`: for a worker that sends traces; otherwise nothing of that is in it. */
export async function workflowBundle(folder: string, { isTraced = false } = {}): Promise<string> {
  const path = await placeBundle(folder, isTraced);
  const build = [join(root, 'temporal', 'build-bundle.ts'), path, ...(isTraced ? ['traced'] : [])];
  if (!existsSync(path)) await run(process.execPath, build);
  return path;
}

/** The same, null where it is not built yet. */
export async function findWorkflowBundle(folder: string): Promise<string | null> {
  const path = await placeBundle(folder, false);
  return existsSync(path) ? path : null;
}

async function placeBundle(folder: string, isTraced: boolean): Promise<string> {
  return join(folder, `workflows-${isTraced ? 'traced-' : ''}${await hashSources()}.js`);
}

async function hashSources(): Promise<string> {
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
