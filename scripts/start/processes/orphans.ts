/**
 * Ends the processes of a crashed supervisor of this home before a start, because they use the
 * ports and the data. Ends only processes that are certainly ours: recorded with their start time,
 * or named by the lock file of PostgreSQL.
 */
import type { LockedHome } from '../home.ts';
import { findOrphanedPostgres } from '../postgres/server.ts';
import type { ProcessIdentity } from './identity.ts';
import { stopProcess } from './launch.ts';

export async function endOrphans(home: LockedHome, print: (line: string) => void): Promise<void> {
  const remaining = new Map(home.orphans);
  const postgres = findOrphanedPostgres(home.folder);
  if (postgres !== null) remaining.set('postgres', postgres);
  if (remaining.size === 0) return;
  print(`An earlier start did not stop its processes; ending ${[...remaining.keys()].join(', ')}`);
  // The database ends last, as in a normal stop, because the others still write to it.
  const [last, others] = [remaining.get('postgres'), [...remaining].filter(([name]) => name !== 'postgres')];
  await Promise.all(others.map(([, identity]) => end(identity, 'SIGTERM')));
  if (last !== undefined) await end(last, 'SIGINT');
}

function end(identity: ProcessIdentity, signal: NodeJS.Signals): Promise<boolean> {
  return stopProcess(identity, { signal, patienceMs: 4_000 });
}
