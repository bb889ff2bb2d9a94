/**
 * The account of the PostgreSQL process. PostgreSQL refuses to run as root, so root starts it as
 * the user `postgres` (created if missing), who must be able to reach the data folder and the
 * programs.
 */
import { execFile, spawnSync } from 'node:child_process';
import { promisify } from 'node:util';
import { StartError } from '../start-error.ts';
import { formatErrorLine } from '../temporal/program.ts';

const run = promisify(execFile);

export interface PostgresAccount {
  uid: number;
  gid: number;
}

/**
 * Returns the account to run as; undefined if the current user is not root, because PostgreSQL then
 * runs as that user.
 */
export async function findPostgresAccount(): Promise<PostgresAccount | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  try {
    // BusyBox (Alpine) has only adduser.
    const create = () =>
      run('useradd', [
        '--system',
        '--user-group',
        '--no-create-home',
        '--shell',
        '/usr/sbin/nologin',
        'postgres',
      ]).catch(() => run('adduser', ['-S', '-D', '-H', 'postgres']));
    return await readAccount().catch(() => create().then(readAccount));
  } catch (error) {
    throw new StartError(
      `PostgreSQL does not run as root, and the user "postgres" to run it as could not be created (${formatErrorLine(error)}). ` +
        'Create that user, start as an ordinary user, or set DATABASE_URL to a PostgreSQL of your own.',
    );
  }
}

async function readAccount(): Promise<PostgresAccount> {
  const [uid, gid] = await Promise.all([run('id', ['-u', 'postgres']), run('id', ['-g', 'postgres'])]);
  return { uid: Number(uid.stdout), gid: Number(gid.stdout) };
}

/**
 * Returns the command prefix that starts a program with access to `paths`: none if the account can
 * reach them. A checkout below a folder that only root can enter (`mktemp -d`) needs setpriv with one
 * capability, which the securebit makes access(2), and so PostgreSQL, respect.
 */
export async function findPrefix(paths: string[], { uid, gid }: PostgresAccount): Promise<string[]> {
  const isReachable = (path: string) => spawnSync('test', ['-x', path], { uid, gid, cwd: '/' }).status === 0;
  const closed = paths.filter((path) => !isReachable(path));
  if (closed.length === 0) return [];
  const prefix = ['setpriv', '--securebits', '+no_setuid_fixup', `--reuid=${uid}`, `--regid=${gid}`, '--clear-groups'];
  for (const set of ['inh-caps', 'ambient-caps', 'bounding-set']) prefix.push(`--${set}=-all,+dac_read_search`);
  try {
    await run('setpriv', [...prefix.slice(1), 'true']);
    return prefix;
  } catch {
    throw new StartError(
      `When started as root, PostgreSQL runs as the user "postgres", who has no access to ${closed.join(' and ')}. ` +
        'Allow it to enter each folder above (chmod o+x), move the checkout or COURANT_HOME elsewhere, ' +
        'start as an ordinary user, or set DATABASE_URL to a PostgreSQL of your own.',
    );
  }
}
