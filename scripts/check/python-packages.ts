/**
 * Python packages that tests need, by the lists in `scripts/python/`: in the user's cache folder, else fetched by pip, once. Nothing is installed for
 * the user, and no environment of theirs is touched.
 */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { StartError } from '../start/start-error.ts';
import { type Search, shorten } from '../start/temporal/obtain.ts';

const run = promisify(execFile);

/** Read what this site publishes as others read it (2 MB), and send it what its OpenAPI allows (70 MB). */
const LISTS = {
  readers: { file: 'requirements.txt', options: ['--require-hashes'] },
  schemathesis: { file: 'schemathesis.txt', options: [] },
};

const PIP_TIMEOUT_MS = 2 * 60_000;

/** The folder of the packages, for PYTHONPATH. Throws a `StartError` that says why there is none. */
export async function resolvePythonPackages(search: Search, list: keyof typeof LISTS = 'readers'): Promise<string> {
  const { file, options } = LISTS[list];
  const requirements = fileURLToPath(new URL(`../python/${file}`, import.meta.url));
  const folder = buildCacheFolder(search.env, requirements);
  if (existsSync(folder)) return folder;
  try {
    await run('python3', ['-m', 'pip', '--version'], { env: search.env, timeout: 30_000 });
  } catch (error) {
    throw new StartError(`python3 with pip is not installed (${shorten(error)}).`);
  }
  search.announce('Python packages of the tests: fetching them with pip (once)');
  mkdirSync(join(folder, '..'), { recursive: true });
  const made = mkdtempSync(`${folder}.new-`);
  const args = [
    '-m',
    'pip',
    'install',
    '--quiet',
    '--disable-pip-version-check',
    '--no-deps',
    '--only-binary',
    ':all:',
  ];
  args.push(...options, '--target', made, '--requirement', requirements);
  try {
    await run('python3', args, { env: search.env, timeout: PIP_TIMEOUT_MS, signal: search.aborted });
    moveInto(folder, made);
    return folder;
  } catch (error) {
    throw new StartError(`The Python packages of the tests could not be fetched (${shorten(error)}).`);
  } finally {
    rmSync(made, { recursive: true, force: true });
  }
}

/** Of each set of versions its own. */
function buildCacheFolder(env: NodeJS.ProcessEnv, requirements: string): string {
  const versions = createHash('sha256').update(readFileSync(requirements)).digest('hex').slice(0, 12);
  return join(env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'courant', `python-${versions}`);
}

/** In one step, so that a folder that is there is complete. Of two runs that do so at once, either result is fine. */
function moveInto(folder: string, made: string): void {
  try {
    renameSync(made, folder);
  } catch (error) {
    if (!existsSync(folder)) throw error;
  }
}
