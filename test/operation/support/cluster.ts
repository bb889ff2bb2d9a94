/** A PostgreSQL of an operator with all its programs. A test can delete its data. */
import { execFile } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findFreePort } from '../../../scripts/start/ports.ts';
import { findPostgresAccount } from '../../../scripts/start/postgres/account.ts';

const run = promisify(execFile);

export interface OperatedCluster {
  /** The address of the database `courant`, which `create` creates. */
  url: string;
  data: string;
  /** For base backups. PostgreSQL's user may write there. */
  folder: string;
  /** Runs a program of PostgreSQL against this server. */
  program(name: string, ...args: string[]): Promise<void>;
  /** Creates a new, empty cluster. */
  create(): Promise<void>;
  start(): Promise<void>;
  /** Simulates the loss of the machine. */
  lose(): Promise<void>;
  close(): Promise<void>;
}

export async function prepareOperatedCluster(programs: string): Promise<OperatedCluster> {
  const folder = mkdtempSync(join(tmpdir(), 'courant-operated-'));
  const account = await findPostgresAccount();
  chmodSync(folder, 0o711);
  if (account) chownSync(folder, account.uid, account.gid);
  const data = join(folder, 'data');
  const port = await findFreePort();
  const place = ['--host=127.0.0.1', `--port=${port}`, '--username=postgres'];
  const call = (name: string, args: string[]) =>
    run(join(programs, name), args, { ...(account && { uid: account.uid, gid: account.gid }), cwd: folder });
  const control = (...args: string[]) => call('pg_ctl', ['-D', data, '-w', ...args]);
  const start = async () => {
    const options = `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories= -c max_connections=100`;
    await control('start', '-l', join(folder, 'log'), '-o', options);
  };
  return {
    url: `postgres://postgres@127.0.0.1:${port}/courant`,
    data,
    folder,
    program: async (name, ...args) => void (await call(name, [...place, ...args])),
    async create() {
      mkdirSync(data, { mode: 0o700 });
      if (account) chownSync(data, account.uid, account.gid);
      await call('initdb', ['-D', data, '--auth=trust', '--username=postgres', '--encoding=UTF8', '--no-sync']);
      await start();
      await call('createdb', [...place, 'courant']);
    },
    start,
    async lose() {
      await control('stop', '-m', 'immediate');
      rmSync(data, { recursive: true });
    },
    async close() {
      await control('stop', '-m', 'immediate').catch(() => undefined);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
