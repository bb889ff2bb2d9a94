/**
 * Finds or obtains the Temporal server program, in this order: `temporal` on PATH; the cache in
 * COURANT_HOME or the user's cache folder; the SDK's download; `go install`. The caller checks
 * TEMPORAL_ADDRESS first.
 */
import { execFile } from 'node:child_process';
import { accessSync, chmodSync, constants, globSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { StartError } from '../start-error.ts';

export interface ProgramSearch {
  env: NodeJS.ProcessEnv;
  /** Called with every step that takes time or fails. */
  announce: (step: string) => void;
  /** Cancels a download or a build. */
  aborted?: AbortSignal | undefined;
}

const run = promisify(execFile);
/** The last version that `go install` can build: later go.mod files contain a local replace. */
const VERSION = '1.5.1';
const DOWNLOAD_TIMEOUT_MS = 120_000;
const BUILD_TIMEOUT_MS = 15 * 60_000;

/**
 * Returns the path of a program that can run `temporal server start-dev`. Throws a `StartError`
 * with installation instructions. Without `home`, only the user's cache folder is searched.
 */
export async function resolveTemporalPath(search: ProgramSearch & { home?: string }): Promise<string> {
  const { env, announce, aborted } = search;
  const onPath = findOnPath(['temporal'], env);
  if (onPath !== undefined) {
    try {
      // It may be another program with that name, or an old version without the dev server.
      await run(onPath, ['server', 'start-dev', '--help'], { timeout: 10_000 });
      return onPath;
    } catch (error) {
      announce(`Temporal server: ${onPath} is not usable (${formatErrorLine(error)})`);
    }
  }
  const userCache = join(env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'courant');
  const caches = [search.home, userCache].flatMap((folder) => folder ?? []);
  const programs = caches.map((folder) => join(folder, `temporal-${VERSION}`, 'temporal'));
  const cached = programs.find(isExecutable);
  if (cached !== undefined) return cached;

  const failures: string[] = [];
  for (const [method, obtain] of [['download', download] as const, ['go install', buildWithGo] as const]) {
    try {
      return await moveIntoCache(programs.at(-1) ?? '', (folder) => obtain(search, folder));
    } catch (error) {
      aborted?.throwIfAborted();
      failures.push(`${method}: ${formatErrorLine(error)}`);
      announce(`Temporal server: ${method} failed (${formatErrorLine(error)})`);
    }
  }
  throw new StartError(describeInstallation(failures, programs));
}

/** Returns the first of these programs on PATH. */
export function findOnPath(programs: readonly string[], { PATH = '' }: NodeJS.ProcessEnv): string | undefined {
  const folders = PATH.split(delimiter).filter((folder) => folder !== '');
  return folders.flatMap((folder) => programs.map((name) => join(folder, name))).find(isExecutable);
}

/** Formats an error in one line: the last line of stderr, else of the message. */
export function formatErrorLine(error: unknown): string {
  const { code, path, killed, stderr, message } = error as Partial<NodeJS.ErrnoException> & {
    killed?: boolean;
    stderr?: string;
  };
  if (code === 'ENOENT' && path) return `${path} is not installed`;
  if (killed) return 'took too long';
  return (stderr?.trim() || message || String(error)).trim().split('\n').at(-1)?.slice(0, 300) ?? '';
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

async function download({ env, announce, aborted: signal }: ProgramSearch, folder: string): Promise<void> {
  announce(`Temporal server: downloading version ${VERSION} with the Temporal SDK`);
  const script = fileURLToPath(new URL('./download.ts', import.meta.url));
  await run(process.execPath, [script, folder, `v${VERSION}`], { env, signal, timeout: DOWNLOAD_TIMEOUT_MS });
}

async function buildWithGo({ env, announce, aborted: signal }: ProgramSearch, folder: string): Promise<void> {
  await run('go', ['version'], { env });
  announce(`Temporal server: building version ${VERSION} with "go install" (about three minutes, once)`);
  // Excludes the go.mod and work file of the checkout.
  const building = { ...env, GOBIN: folder, GOFLAGS: '', GOWORK: 'off' };
  // On SIGINT, go also ends its compilers.
  const options = { env: building, cwd: tmpdir(), signal, timeout: BUILD_TIMEOUT_MS, killSignal: 'SIGINT' } as const;
  await run('go', ['install', `github.com/temporalio/cli/cmd/temporal@v${VERSION}`], options);
}

/** Fills a temporary folder and renames the program into the cache in one step. */
async function moveIntoCache(target: string, obtain: (folder: string) => Promise<void>): Promise<string> {
  mkdirSync(join(target, '..'), { recursive: true });
  const folder = mkdtempSync(join(target, '../new-'));
  try {
    await obtain(folder);
    const [program] = globSync(`${folder}/temporal*`);
    if (program === undefined) throw new Error('it contains no program');
    chmodSync(program, 0o755);
    renameSync(program, target);
    return target;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function describeInstallation(failures: string[], caches: string[]): string {
  return [
    'No Temporal server could be found or installed:',
    '  - no "temporal" on the PATH',
    `  - none in the caches (${caches.join(', ')})`,
    ...failures.map((failure) => `  - ${failure}`),
    'Do one of these:',
    '  - install the Temporal CLI (https://docs.temporal.io/cli: "brew install temporal", or unpack an archive on the PATH)',
    `  - install Go 1.24 or later, and start again: the server is then built once`,
    `  - put a "temporal" program at ${caches.at(-1)}`,
    '  - set TEMPORAL_ADDRESS to a running Temporal server',
  ].join('\n');
}
