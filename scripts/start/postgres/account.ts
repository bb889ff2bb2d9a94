/**
 * The account of the PostgreSQL process. PostgreSQL refuses to run as root, so root starts it as
 * the user `postgres` (created if missing), who must be able to reach the data folder and the
 * programs.
 */
import { execFile } from 'node:child_process';
import { type Stats, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { StartError } from '../start-error.ts';

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
  return (await findAccount()) ?? (await createAccount());
}

/**
 * Lists the folders from `path` up to the root that `account` cannot enter, nearest to the root
 * first.
 */
export function findClosedFolders(path: string, account: PostgresAccount): string[] {
  const closed: string[] = [];
  for (let folder = path; ; folder = dirname(folder)) {
    if (!canPass(statSync(folder), account)) closed.unshift(folder);
    if (folder === dirname(folder)) return closed;
  }
}

/**
 * Returns the command prefix that starts a program as `account` with read access to folders that
 * are closed to it: setpriv with only that capability. The securebit makes access(2), which
 * PostgreSQL uses, respect it. Null if unsupported.
 */
export async function findPrivilegedPrefix({ uid, gid }: PostgresAccount): Promise<string[] | null> {
  const capability = '-all,+dac_read_search';
  const prefix = ['setpriv', '--securebits', '+no_setuid_fixup', `--reuid=${uid}`, `--regid=${gid}`, '--clear-groups'];
  for (const set of ['inh-caps', 'ambient-caps', 'bounding-set']) prefix.push(`--${set}=${capability}`);
  const [program = '', ...args] = prefix;
  try {
    await run(program, [...args, 'true']);
    return prefix;
  } catch {
    return null;
  }
}

async function findAccount(): Promise<PostgresAccount | undefined> {
  try {
    const [uid, gid] = await Promise.all([run('id', ['-u', 'postgres']), run('id', ['-g', 'postgres'])]);
    return { uid: Number.parseInt(uid.stdout, 10), gid: Number.parseInt(gid.stdout, 10) };
  } catch {
    return undefined;
  }
}

async function createAccount(): Promise<PostgresAccount> {
  try {
    await run('useradd', ['--system', '--user-group', '--no-create-home', '--shell', '/usr/sbin/nologin', 'postgres']);
  } catch (useradd) {
    try {
      // BusyBox (Alpine) has only adduser.
      await run('adduser', ['-S', '-D', '-H', 'postgres']);
    } catch {
      throw new StartError(
        'PostgreSQL does not run as root, and the user "postgres" to run it as could not be created ' +
          `(${useradd instanceof Error ? useradd.message.trim() : String(useradd)}). ` +
          'Create that user, start as an ordinary user, or set DATABASE_URL to a PostgreSQL of your own.',
      );
    }
  }
  const account = await findAccount();
  if (account === undefined) throw new StartError('The user "postgres" was created but cannot be found.');
  return account;
}

function canPass(folder: Stats, account: PostgresAccount): boolean {
  if (folder.uid === account.uid) return (folder.mode & 0o100) !== 0;
  if (folder.gid === account.gid) return (folder.mode & 0o010) !== 0;
  return (folder.mode & 0o001) !== 0;
}
