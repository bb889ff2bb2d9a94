/**
 * Provides the workflow bundle for the worker. The file name contains a hash of the sources, so
 * that a start reuses a built bundle and never uses an outdated one.
 */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const root = fileURLToPath(new URL('../..', import.meta.url));
/** All paths that workflows may import, as in `.dependency-cruiser.cjs`. */
const SOURCES = [
  'workflows',
  'delivery',
  'temporal',
  'temporal/bundle',
  'article/types.ts',
  'destinations/posts/describe-withdrawal.ts',
];

const run = promisify(execFile);

/** Returns the bundle's path in `folder`; builds it if missing. */
export async function workflowBundle(folder: string, { isTraced = false } = {}): Promise<string> {
  const path = await buildBundlePath(folder, isTraced);
  const build = [join(root, 'temporal', 'bundle', 'build-bundle.ts'), path, ...(isTraced ? ['traced'] : [])];
  if (!existsSync(path)) await run(process.execPath, build);
  return path;
}

async function buildBundlePath(folder: string, isTraced: boolean): Promise<string> {
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
