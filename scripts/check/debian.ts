/** Programs that Debian has packages of: where they are, else installed, as root. */
import { execFile } from 'node:child_process';
import { globSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { describeError, StartError } from '../start/start-error.ts';
import { isExecutable, type Search, shorten } from '../start/temporal/obtain.ts';

const run = promisify(execFile);

const FETCH_TIMEOUT_MS = 5 * 60_000;
/** Long, since a package that is broken off half-way has to be mended by hand. */
const INSTALL_TIMEOUT_MS = 10 * 60_000;

/** Throws a `StartError` that says why it could not. */
export async function installPackages(packages: readonly string[], { env, aborted }: Search): Promise<void> {
  if (process.getuid?.() !== 0) throw new StartError('only root can install Debian’s');
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
    // Lists that are missing or old: either way the packages are not where they say.
    await fetch().catch(() => apt(['update'], fetching).then(fetch));
    aborted?.throwIfAborted();
    await apt(install, { timeout: INSTALL_TIMEOUT_MS });
  } catch (error) {
    throw new StartError(`apt-get: ${shorten(error)}`);
  }
}

/** The first of these programs that is in a folder of PATH; null if none is. */
export function findOnPath(programs: readonly string[], env: NodeJS.ProcessEnv): string | null {
  const folders = (env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  const places = folders.flatMap((folder) => programs.map((name) => join(folder, name)));
  return places.find(isExecutable) ?? null;
}

/** What `npm run test:operation` needs beside the servers: each as a path, or why the tests that need it are skipped. */
export async function provideOperationPrograms(search: Search): Promise<NodeJS.ProcessEnv> {
  return {
    ...(await provide('PGBOUNCER', 'pgbouncer', search, ({ PATH = '' }) =>
      findOnPath(['pgbouncer'], { PATH: `${PATH}:/usr/sbin` }),
    )),
    // Of one version: those that dump and back up refuse a newer server.
    ...(await provide('POSTGRES_PROGRAMS', 'postgresql', search, () => findPostgresPrograms())),
  };
}

function findPostgresPrograms(): string | null {
  const folders = globSync('/usr/lib/postgresql/*/bin').sort().reverse();
  const whole = ['initdb', 'postgres', 'pg_dump', 'pg_restore', 'pg_basebackup'];
  return folders.find((folder) => whole.every((name) => isExecutable(join(folder, name)))) ?? null;
}

async function provide(
  name: string,
  packageName: string,
  search: Search,
  find: (env: NodeJS.ProcessEnv) => string | null,
): Promise<NodeJS.ProcessEnv> {
  const there = search.env[name] || find(search.env);
  if (there) return { [name]: there };
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
