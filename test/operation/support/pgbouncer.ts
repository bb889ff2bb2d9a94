/**
 * Starts a PgBouncer in front of one database, in transaction mode, with fewer sessions than
 * clients.
 */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findFreePort } from '../../../scripts/start/ports.ts';
import { eventually } from '../../support/eventually.ts';
import { canConnect } from './ports.ts';

export interface PgBouncer {
  url: string;
  /** From 1.21: named prepared statements follow their client across sessions. */
  bearsPrepared: boolean;
  close(): Promise<void>;
}

/** `sessions` is the number of PostgreSQL sessions for all clients. */
export async function startPgBouncer(program: string, target: string, sessions: number): Promise<PgBouncer> {
  const { hostname, port, username, password, pathname } = new URL(target);
  const folder = await mkdtemp(join(tmpdir(), 'courant-pgbouncer-'));
  await chmod(folder, 0o755);
  const listenPort = await findFreePort();
  const database = pathname.slice(1);
  const server = `host=${hostname} port=${port} dbname=${database} user=${username} password=${decodeURIComponent(password)}`;
  const file = join(folder, 'pgbouncer.ini');
  const bearsPrepared = (await findVersion(program)) >= 1.21;
  // As in docs/self-hosting/deployment.md, except for access control.
  await writeFile(
    file,
    `[databases]
${database} = ${server} connect_query='set statement_timeout = 12000'
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${listenPort}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = ${sessions}
max_client_conn = 200
${bearsPrepared ? 'max_prepared_statements = 100\n' : ''}`,
    { mode: 0o644 },
  );
  // PgBouncer does not run as root.
  const args = process.getuid?.() === 0 ? ['-u', 'nobody', '-q', file] : ['-q', file];
  const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  await eventually('PgBouncer to listen', () => canConnect(listenPort));
  return {
    url: `postgres://courant@127.0.0.1:${listenPort}/${database}`,
    bearsPrepared,
    async close() {
      const exited = once(child, 'exit');
      child.kill('SIGINT');
      await exited;
      await rm(folder, { recursive: true });
    },
  };
}

async function findVersion(program: string): Promise<number> {
  const { stdout } = await promisify(execFile)(program, ['--version']);
  return Number(/\d+\.\d+/.exec(stdout)?.[0]);
}
