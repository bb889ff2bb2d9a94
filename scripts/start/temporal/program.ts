/**
 * Finds or obtains the Temporal server program, in this order: `temporal` on PATH; the cache in
 * COURANT_HOME or the user's cache folder; the SDK's download; `go install`. The caller checks
 * TEMPORAL_ADDRESS first.
 */
import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { StartError } from '../start-error.ts';
import { formatErrorLine, isExecutable, obtainFirst, type ProgramSearch } from './obtain.ts';

const run = promisify(execFile);

/** The last version that `go install` can build: later go.mod files contain a local replace. */
const VERSION = '1.5.1';
const PROGRAM = process.platform === 'win32' ? 'temporal.exe' : 'temporal';
const DOWNLOAD_TIMEOUT_MS = 120_000;
const BUILD_TIMEOUT_MS = 15 * 60_000;

export interface TemporalSearch extends ProgramSearch {
  /** COURANT_HOME; without it only the user's cache folder is searched. */
  home?: string | undefined;
}

/**
 * Returns the path of a program that can run `temporal server start-dev`. Throws a `StartError`
 * with installation instructions.
 */
export async function resolveTemporalPath(search: TemporalSearch): Promise<string> {
  const onPath = await findOnPath(search);
  if (onPath !== null) return onPath;
  const cached = listCacheFolders(search)
    .map((folder) => join(folder, PROGRAM))
    .find(isExecutable);
  if (cached !== undefined) return cached;

  const methods: Parameters<typeof obtainFirst>[1] = [
    ['download', () => download(search)],
    ['go install', () => buildWithGo(search)],
  ];
  const obtained = await obtainFirst('Temporal server', methods, search);
  if ('path' in obtained) return obtained.path;
  throw new StartError(describeInstallation(obtained.failures, listCacheFolders(search)));
}

/** Lists the folders that may contain the program. New ones are written to the last. */
function listCacheFolders(search: TemporalSearch): string[] {
  const cache = search.env.XDG_CACHE_HOME || join(homedir(), '.cache');
  const homeFolders = search.home === undefined ? [] : [join(search.home, `temporal-${VERSION}`)];
  return [...homeFolders, join(cache, 'courant', `temporal-${VERSION}`)];
}

async function findOnPath(search: TemporalSearch): Promise<string | null> {
  for (const folder of (search.env.PATH ?? '').split(delimiter)) {
    const candidate = join(folder, PROGRAM);
    if (folder === '' || !isExecutable(candidate)) continue;
    try {
      // It may be another program with that name, or an old version without the dev server.
      await run(candidate, ['server', 'start-dev', '--help'], { timeout: 10_000 });
      return candidate;
    } catch (error) {
      search.announce(`Temporal server: ${candidate} is not usable (${formatErrorLine(error)})`);
    }
  }
  return null;
}

async function download(search: TemporalSearch): Promise<string> {
  search.announce(`Temporal server: downloading version ${VERSION} with the Temporal SDK`);
  return moveIntoCache(search, async (folder) => {
    // A separate process, because the SDK's native runtime keeps threads until the process ends.
    const script = fileURLToPath(new URL('./download.ts', import.meta.url));
    await run(process.execPath, [script, folder, `v${VERSION}`], {
      env: search.env,
      timeout: DOWNLOAD_TIMEOUT_MS,
      signal: search.aborted,
    });
    const [file] = readdirSync(folder).filter((name) => name.startsWith('temporal'));
    if (file === undefined) throw new Error('the download contains no program');
    return join(folder, file);
  });
}

async function buildWithGo(search: TemporalSearch): Promise<string> {
  await run('go', ['version'], { env: search.env, timeout: 30_000 }).catch(() => {
    throw new Error('Go is not installed');
  });
  search.announce(`Temporal server: building version ${VERSION} with "go install" (about three minutes, once)`);
  const started = Date.now();
  const progress = setInterval(() => {
    search.announce(`Temporal server: still building, ${Math.round((Date.now() - started) / 1_000)} s so far`);
  }, 30_000);
  try {
    return await moveIntoCache(search, async (folder) => {
      // Excludes the go.mod and work file of the checkout.
      const env = { ...search.env, GOBIN: folder, GOFLAGS: '', GOWORK: 'off' };
      const module = `github.com/temporalio/cli/cmd/temporal@v${VERSION}`;
      // On SIGINT, go also ends its compilers.
      const limits = {
        timeout: BUILD_TIMEOUT_MS,
        signal: search.aborted,
        killSignal: 'SIGINT',
        maxBuffer: 16 << 20,
      } as const;
      await run('go', ['install', module], { env, cwd: tmpdir(), ...limits });
      return join(folder, PROGRAM);
    });
  } finally {
    clearInterval(progress);
  }
}

/** Fills a temporary folder and renames the program into the cache in one step. */
async function moveIntoCache(search: TemporalSearch, obtain: (folder: string) => Promise<string>): Promise<string> {
  const target = listCacheFolders(search).at(-1) ?? tmpdir();
  mkdirSync(target, { recursive: true });
  const folder = mkdtempSync(join(target, 'new-'));
  try {
    const program = await obtain(folder);
    chmodSync(program, 0o755);
    renameSync(program, join(target, PROGRAM));
    return join(target, PROGRAM);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function describeInstallation(failures: string[], caches: string[]): string {
  return [
    'No Temporal server could be found or installed:',
    '  - no "temporal" on the PATH',
    `  - none in the caches (${caches.map((folder) => join(folder, PROGRAM)).join(', ')})`,
    ...failures.map((failure) => `  - ${failure}`),
    'Do one of these:',
    '  - install the Temporal CLI (https://docs.temporal.io/cli: "brew install temporal", or unpack an archive on the PATH)',
    `  - install Go 1.24 or later, and start again: the server is then built once`,
    `  - put a "temporal" program at ${join(caches.at(-1) ?? '', PROGRAM)}`,
    '  - set TEMPORAL_ADDRESS to a running Temporal server',
  ].join('\n');
}
