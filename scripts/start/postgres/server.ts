/**
 * The embedded PostgreSQL as a process: its command, its readiness, and the role and database of
 * the service.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { identify, type ProcessIdentity, readCommandLine } from '../processes/identity.ts';
import type { Command } from '../processes/launch.ts';
import { StartError } from '../start-error.ts';
import { buildPostgresEnvironment, type Cluster } from './cluster.ts';

/**
 * Builds the start command. `durable: false` trades safety after a power loss for speed; for tests
 * only.
 */
export function buildPostgresCommand(cluster: Cluster, options: { port: number; durable: boolean }): Command {
  const settings = [
    'listen_addresses=127.0.0.1',
    `port=${options.port}`,
    'unix_socket_directories=',
    'max_connections=200',
    'shared_buffers=64MB',
    'timezone=UTC',
    'log_timezone=UTC',
  ];
  if (!options.durable) settings.push('fsync=off', 'synchronous_commit=off', 'full_page_writes=off', 'autovacuum=off');
  const [file = cluster.programs.postgres, ...before] = [...cluster.prefix, cluster.programs.postgres];
  return {
    file,
    args: [...before, '-D', cluster.folder, ...settings.flatMap((setting) => ['-c', setting])],
    env: buildPostgresEnvironment(),
    cwd: cluster.folder,
    account: cluster.prefix.length > 0 ? undefined : cluster.account,
  };
}

/**
 * Builds the address of a database in the cluster, for the superuser or the role of the service.
 */
export function buildClusterUrl(
  cluster: Cluster,
  options: { port: number; role: 'postgres' | 'courant'; database: string },
): string {
  const password = options.role === 'postgres' ? cluster.password : cluster.servicePassword;
  return `postgres://${options.role}:${encodeURIComponent(password)}@127.0.0.1:${options.port}/${options.database}`;
}

/** Waits until the server responds to queries, which after a crash is when its log is replayed. */
export async function waitForPostgres(url: string, options: { timeoutMs: number; gone: AbortSignal }): Promise<void> {
  const deadline = Date.now() + options.timeoutMs;
  let last: unknown;
  while (Date.now() < deadline) {
    options.gone.throwIfAborted();
    try {
      await queryOnce(url, 'select 1');
      return;
    } catch (error) {
      last = error;
      await sleep(50);
    }
  }
  throw new StartError(`PostgreSQL was not ready within ${options.timeoutMs / 1_000} s: ${describe(last)}`);
}

/** Creates the role `courant` and its database of the same name if they are missing. */
export async function ensureServiceDatabase(cluster: Cluster, port: number): Promise<void> {
  const client = new pg.Client({
    connectionString: buildClusterUrl(cluster, { port, role: 'postgres', database: 'postgres' }),
  });
  await client.connect();
  try {
    const role = await client.query(`select 1 from pg_roles where rolname = 'courant'`);
    // Sets the password of an existing role as well, because it may be a new one.
    const verb = role.rowCount === 0 ? 'create' : 'alter';
    await client.query(`${verb} role courant login password ${client.escapeLiteral(cluster.servicePassword)}`);
    const database = await client.query(`select 1 from pg_database where datname = 'courant'`);
    if (database.rowCount === 0) await client.query('create database courant owner courant');
  } finally {
    await client.end();
  }
}

/**
 * Finds a running server on our data folder whose supervisor has ended, by postmaster.pid. Null if
 * there is none. `former` is the name of the home at the start of the server, if it differs.
 */
export function findOrphanedPostgres(home: string, former = home): ProcessIdentity | null {
  const folder = join(home, 'postgres');
  const file = join(folder, 'postmaster.pid');
  if (!existsSync(file)) return null;
  const pid = Number.parseInt(readFileSync(file, 'utf8').split('\n')[0] ?? '', 10);
  if (!Number.isInteger(pid) || pid <= 1) return null;
  // After a power loss the file is stale, and another process may have the pid.
  return readCommandLine(pid)?.includes(join(former, 'postgres')) ? identify(pid) : null;
}

async function queryOnce(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000, query_timeout: 5_000 });
  try {
    await client.connect();
    await client.query(sql);
  } finally {
    await client.end();
  }
}

function describe(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
