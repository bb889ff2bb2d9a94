/**
 * Provides Python packages for tests from the lists in `scripts/python/`. Fetches them once with
 * pip into the user's cache folder, without changing any Python environment.
 */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { StartError } from '../start/start-error.ts';
import { formatErrorLine, type ProgramSearch } from '../start/temporal/obtain.ts';

const run = promisify(execFile);

/**
 * `readers` parse what this site publishes (2 MB). `schemathesis` sends requests from its OpenAPI
 * description (70 MB).
 */
const LISTS = {
  readers: { file: 'requirements.txt', options: ['--require-hashes'] },
  schemathesis: { file: 'schemathesis.txt', options: [] },
};

const PIP_TIMEOUT_MS = 2 * 60_000;

/** Returns the folder for PYTHONPATH. Throws a `StartError` with the reason if there is none. */
export async function resolvePythonPackages(
  search: ProgramSearch,
  list: keyof typeof LISTS = 'readers',
): Promise<string> {
  const { file, options } = LISTS[list];
  const requirements = fileURLToPath(new URL(`../python/${file}`, import.meta.url));
  const folder = buildCacheFolder(search.env, requirements);
  if (existsSync(folder)) return folder;
  try {
    await run('python3', ['-m', 'pip', '--version'], { env: search.env, timeout: 30_000 });
  } catch (error) {
    throw new StartError(`python3 with pip is not installed (${formatErrorLine(error)}).`);
  }
  search.announce('Python packages of the tests: installing them with pip (once)');
  mkdirSync(join(folder, '..'), { recursive: true });
  const incomplete = mkdtempSync(`${folder}.new-`);
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
  args.push(...options, '--target', incomplete, '--requirement', requirements);
  try {
    await run('python3', args, { env: search.env, timeout: PIP_TIMEOUT_MS, signal: search.aborted });
    moveInto(folder, incomplete);
    return folder;
  } catch (error) {
    throw new StartError(`The Python packages of the tests could not be installed (${formatErrorLine(error)}).`);
  } finally {
    rmSync(incomplete, { recursive: true, force: true });
  }
}

/** Each set of versions has its own folder. */
function buildCacheFolder(env: NodeJS.ProcessEnv, requirements: string): string {
  const versions = createHash('sha256').update(readFileSync(requirements)).digest('hex').slice(0, 12);
  return join(env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'courant', `python-${versions}`);
}

/**
 * Renames in one step, so that an existing folder is complete. If two runs do so at once, either
 * result is valid.
 */
function moveInto(folder: string, incomplete: string): void {
  try {
    renameSync(incomplete, folder);
  } catch (error) {
    if (!existsSync(folder)) throw error;
  }
}
