/**
 * Finds or fetches the time-skipping Temporal server of `test/time`, in this order:
 * TIME_SKIPPING_SERVER; the user's cache folder; the Java server from Maven Central, with `java`
 * and `mvn` (about 40 MB, under a minute, once); the SDK's download.
 */
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { copyFile, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { StartError } from '../start/start-error.ts';
import { isExecutable, obtainFirst, type ProgramSearch } from '../start/temporal/obtain.ts';

const run = promisify(execFile);

const VERSION = '1.38.0';
/** A program with the port as its first argument: the server, or a script that starts it. */
const LAUNCHER = 'temporal-test-server';
const MAVEN_TIMEOUT_MS = 4 * 60_000;
/** Short, because the SDK's archive may be unreachable. */
const DOWNLOAD_TIMEOUT_MS = 30_000;

/** Returns the path of the launcher. Throws a `StartError` with the reason if there is none. */
export async function resolveTimeSkippingPath(search: ProgramSearch): Promise<string> {
  const configured = search.env.TIME_SKIPPING_SERVER;
  if (configured) {
    if (isExecutable(configured)) return configured;
    throw new StartError(`TIME_SKIPPING_SERVER (${configured}) is not a program.`);
  }
  const cached = join(buildCacheFolder(search.env), LAUNCHER);
  if (isExecutable(cached)) return cached;

  const methods: Parameters<typeof obtainFirst>[1] = [
    ['Maven', () => moveIntoCache(search, (folder) => fetchWithMaven(search, folder))],
    ['the SDK’s download', () => moveIntoCache(search, (folder) => downloadWithSdk(search, folder))],
  ];
  const obtained = await obtainFirst('Time-skipping server', methods, search);
  if ('path' in obtained) return obtained.path;
  throw new StartError(`No time-skipping server could be obtained (${obtained.failures.join('; ')}).`);
}

function buildCacheFolder(env: NodeJS.ProcessEnv): string {
  return join(env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'courant', `temporal-test-server-${VERSION}`);
}

async function fetchWithMaven({ env, announce, aborted }: ProgramSearch, folder: string): Promise<void> {
  for (const program of ['java', 'mvn']) {
    await run(program, ['-version'], { env, timeout: 30_000 }).catch(() => {
      throw new Error(`${program} is not installed`);
    });
  }
  announce(`Time-skipping server: fetching version ${VERSION} with Maven (once)`);
  const work = join(folder, 'maven');
  mkdirSync(work);
  await copyFile(new URL('../time-skipping/pom.xml', import.meta.url), join(work, 'pom.xml'));
  const goal = ['dependency:copy-dependencies', '-DincludeScope=runtime', `-DoutputDirectory=${join(folder, 'lib')}`];
  const quiet = ['--quiet', '--batch-mode', '-Dstyle.color=never'];
  // A separate repository, so that the user's own is not changed.
  const args = [...quiet, `-Dmaven.repo.local=${join(work, 'repository')}`, `-Dserver.version=${VERSION}`, ...goal];
  await run('mvn', args, { env, cwd: work, timeout: MAVEN_TIMEOUT_MS, signal: aborted, maxBuffer: 16 << 20 });
  rmSync(work, { recursive: true });
  await writeFile(join(folder, LAUNCHER), JAVA_LAUNCHER, { mode: 0o755 });
}

/** Options for a fast start, because it runs only for seconds. */
const JAVA_LAUNCHER = `#!/bin/sh
exec java -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Xshare:auto -Xmx512m \\
  -cp "$(dirname "$0")/lib/*" io.temporal.testserver.TestServer "\${1:-7233}"
`;

async function downloadWithSdk({ env, announce, aborted }: ProgramSearch, folder: string): Promise<void> {
  announce(`Time-skipping server: downloading with the Temporal SDK (${DOWNLOAD_TIMEOUT_MS / 1_000} s at most)`);
  const script = fileURLToPath(new URL('../start/temporal/download.ts', import.meta.url));
  const args = [script, folder, 'default', 'time-skipping'];
  await run(process.execPath, args, { env, timeout: DOWNLOAD_TIMEOUT_MS, signal: aborted });
  const [program] = readdirSync(folder);
  if (program === undefined) throw new Error('the download contains no program');
  renameSync(join(folder, program), join(folder, LAUNCHER));
}

/**
 * Fills a temporary folder and renames it into the cache in one step. If two runs do so at once,
 * either result is valid.
 */
async function moveIntoCache({ env }: ProgramSearch, obtain: (folder: string) => Promise<void>): Promise<string> {
  const target = buildCacheFolder(env);
  mkdirSync(join(target, '..'), { recursive: true });
  const folder = mkdtempSync(`${target}.new-`);
  try {
    await obtain(folder);
    const launcher = join(target, LAUNCHER);
    if (!isExecutable(launcher)) {
      // A folder without a launcher is from an interrupted run.
      if (existsSync(target)) rmSync(target, { recursive: true, force: true });
      renameSync(folder, target);
    }
    return launcher;
  } finally {
    // A cancelled program may still be writing.
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
