/**
 * Creates the folder of the servers of a run, and removes the folders of killed runs. Concurrent
 * runs must not remove the folder of a live run, however slowly it starts or ends.
 */
import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type LockedHome, lockHome } from '../start/home.ts';
import { findOrphanedPostgres } from '../start/postgres/server.ts';
import { identify, type ProcessIdentity } from '../start/processes/identity.ts';
import { stopProcess } from '../start/processes/launch.ts';

/** The prefix of these folders only. Tests create other folders in the same place. */
const PREFIX = 'courant-servers-';

/** The name contains the pid, so that the owner is known as soon as the folder exists. */
export function createTestHome(): LockedHome {
  return lockHome(mkdtempSync(join(tmpdir(), buildPrefix(process.pid))));
}

/** Removes the lock with the folder, so that a partly removed folder never seems abandoned. */
export function removeTestHome(home: LockedHome): void {
  rmSync(home.folder, { recursive: true, force: true, maxRetries: 5 });
}

/** Removes the folders of runs that were killed. */
export async function sweepAbandonedHomes(): Promise<void> {
  for (const name of readdirSync(tmpdir()).filter(isAbandoned)) {
    const folder = join(tmpdir(), name);
    try {
      // Renamed first, which only one of several runs can do. The folder then belongs to this run.
      const claimed = join(tmpdir(), `${buildPrefix(process.pid)}${randomBytes(6).toString('hex')}`);
      renameSync(folder, claimed);
      await endOrphans(folder, claimed);
      rmSync(claimed, { recursive: true, force: true, maxRetries: 5 });
    } catch (error) {
      // Another run was first.
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') continue;
      // The folder belongs to another user.
      process.stderr.write(`${folder} was not removed: ${error instanceof Error ? error.message : String(error)}\n`);
    }
  }
}

/** `courant-servers-<pid>-<hash of its start time>-`, because pids are reused. */
function buildPrefix(pid: number): string {
  const started = identify(pid)?.started ?? '';
  return `${PREFIX}${pid}-${createHash('sha256').update(started).digest('hex').slice(0, 12)}-`;
}

function isAbandoned(name: string): boolean {
  const [, pid] = /^courant-servers-(\d+)-/.exec(name) ?? [];
  return pid !== undefined && !(identify(Number(pid)) !== null && name.startsWith(buildPrefix(Number(pid))));
}

/** The command lines of the servers contain the former name of the folder. */
async function endOrphans(former: string, folder: string): Promise<void> {
  const home = lockHome(folder);
  const orphans = [...home.orphans.values(), findOrphanedPostgres(folder, former)];
  const running = orphans.filter((identity): identity is ProcessIdentity => identity !== null);
  await Promise.all(running.map((identity) => stopProcess(identity, { signal: 'SIGQUIT', patienceMs: 2_000 })));
}
