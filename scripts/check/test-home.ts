/**
 * The folder of one run's servers, and the removal of those that killed runs have left. Several runs may be at it at once: none may take
 * another's folder for an abandoned one, however slowly that one starts or ends.
 */
import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type HeldHome, holdHome } from '../start/home.ts';
import { findOrphanedPostgres } from '../start/postgres/server.ts';
import { identify, type ProcessIdentity } from '../start/processes/identity.ts';
import { endProcess } from '../start/processes/launch.ts';

/** Of these folders alone: tests have folders of their own in the same place, and share a bundle of the workflows. */
const PREFIX = 'courant-servers-';

/** The name says whose it is, so that there is no moment at which the folder exists and its holder is not known. */
export function makeTestHome(): HeldHome {
  return holdHome(mkdtempSync(join(tmpdir(), buildPrefix(process.pid))));
}

/** Its lock goes with it and not before: what is half removed is not abandoned. */
export function removeTestHome(home: HeldHome): void {
  rmSync(home.folder, { recursive: true, force: true, maxRetries: 5 });
}

/** Cleans up after runs that were killed before they could do so. */
export async function sweepAbandonedHomes(): Promise<void> {
  for (const name of readdirSync(tmpdir()).filter(isAbandoned)) {
    const folder = join(tmpdir(), name);
    try {
      // Renamed first, which only one of several runs can do; from then on it is this run's.
      const own = join(tmpdir(), `${buildPrefix(process.pid)}${randomBytes(6).toString('hex')}`);
      renameSync(folder, own);
      await endOrphans(folder, own);
      rmSync(own, { recursive: true, force: true, maxRetries: 5 });
    } catch (error) {
      // Another run was first.
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') continue;
      // Another user's.
      process.stderr.write(`${folder} was left as it is: ${error instanceof Error ? error.message : String(error)}\n`);
    }
  }
}

/** `courant-servers-<pid>-<when that process started>-`: pids are reused. */
function buildPrefix(pid: number): string {
  const started = identify(pid)?.started ?? '';
  return `${PREFIX}${pid}-${createHash('sha256').update(started).digest('hex').slice(0, 12)}-`;
}

function isAbandoned(name: string): boolean {
  const [, pid] = /^courant-servers-(\d+)-/.exec(name) ?? [];
  return pid !== undefined && !(identify(Number(pid)) !== null && name.startsWith(buildPrefix(Number(pid))));
}

/** The servers were started with the folder's former name, which stands in their command lines. */
async function endOrphans(former: string, folder: string): Promise<void> {
  const home = holdHome(folder);
  const left = [...home.orphans.values(), findOrphanedPostgres(folder, former)];
  const running = left.filter((identity): identity is ProcessIdentity => identity !== null);
  await Promise.all(running.map((identity) => endProcess(identity, { signal: 'SIGQUIT', patienceMs: 2_000 })));
}
