/** Finds programs on this machine, or installs their Debian packages as root. */
import { execFile } from 'node:child_process';
import { globSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { describeError, StartError } from '../start/start-error.ts';
import { formatErrorLine, isExecutable, type ProgramSearch } from '../start/temporal/obtain.ts';

const run = promisify(execFile);

const FETCH_TIMEOUT_MS = 5 * 60_000;
/** Long, because an interrupted installation needs manual repair. */
const INSTALL_TIMEOUT_MS = 10 * 60_000;

/** Throws a `StartError` with the reason if it fails. */
export async function installPackages(packages: readonly string[], { env, aborted }: ProgramSearch): Promise<void> {
  if (process.getuid?.() !== 0) throw new StartError('only root can install the Debian package');
  const apt = (args: string[], limits: { timeout: number; signal?: AbortSignal | undefined }) =>
    run('apt-get', ['-o', 'DPkg::Lock::Timeout=120', ...args], {
      ...limits,
      env: { ...env, DEBIAN_FRONTEND: 'noninteractive' },
      maxBuffer: 16 << 20,
    });
  const install = ['install', '--yes', '--no-install-recommends', ...packages];
  const fetching = { timeout: FETCH_TIMEOUT_MS, signal: aborted };
  const fetch = () => apt([...install, '--download-only'], fetching);
  try {
    // Missing or outdated package lists both fail the download.
    await fetch().catch(() => apt(['update'], fetching).then(fetch));
    aborted?.throwIfAborted();
    await apt(install, { timeout: INSTALL_TIMEOUT_MS });
  } catch (error) {
    throw new StartError(`apt-get: ${formatErrorLine(error)}`);
  }
}

/** Returns the first of these programs on PATH; null if there is none. */
export function findOnPath(programs: readonly string[], env: NodeJS.ProcessEnv): string | null {
  const folders = (env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  const candidates = folders.flatMap((folder) => programs.map((name) => join(folder, name)));
  return candidates.find(isExecutable) ?? null;
}

/**
 * Returns variables for `npm run test:operation`: a path per program, or the reason why its tests
 * are skipped.
 */
export async function provideOperationPrograms(search: ProgramSearch): Promise<NodeJS.ProcessEnv> {
  return {
    ...(await provide('PGBOUNCER', 'pgbouncer', search, ({ PATH = '' }) =>
      findOnPath(['pgbouncer'], { PATH: `${PATH}:/usr/sbin` }),
    )),
    // All of one version, because backup programs reject a newer server.
    ...(await provide('POSTGRES_PROGRAMS', 'postgresql', search, () => findPostgresPrograms())),
  };
}

function findPostgresPrograms(): string | null {
  const folders = globSync('/usr/lib/postgresql/*/bin').sort().reverse();
  const required = ['initdb', 'postgres', 'pg_dump', 'pg_restore', 'pg_basebackup'];
  return folders.find((folder) => required.every((name) => isExecutable(join(folder, name)))) ?? null;
}

async function provide(
  name: string,
  packageName: string,
  search: ProgramSearch,
  find: (env: NodeJS.ProcessEnv) => string | null,
): Promise<NodeJS.ProcessEnv> {
  const present = search.env[name] || find(search.env);
  if (present) return { [name]: present };
  try {
    search.announce(`${packageName}: installing Debian’s package (once)`);
    await installPackages([packageName], search);
    const installed = find(search.env);
    if (installed === null) throw new StartError('the package does not contain it');
    return { [name]: installed };
  } catch (error) {
    const reason = `There is no ${packageName} (${describeError(error)}). Install it, or set ${name}.`;
    search.announce(`${reason} The tests with it are skipped.`);
    return { [`${name}_ABSENT`]: reason };
  }
}
