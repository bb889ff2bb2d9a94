/**
 * Ends the processes that a crashed supervisor left running for this home, before anything is started: they use the ports and the data. Only
 * those that are certainly ours: recorded with their start time, or named by PostgreSQL's own lock file in our data folder.
 */
import type { HeldHome } from '../home.ts';
import { findOrphanedPostgres } from '../postgres/server.ts';
import type { ProcessIdentity } from './identity.ts';
import { endProcess } from './launch.ts';

export async function endOrphans(home: HeldHome, say: (line: string) => void): Promise<void> {
  const left = new Map(home.orphans);
  const postgres = findOrphanedPostgres(home.folder);
  if (postgres !== null) left.set('postgres', postgres);
  if (left.size === 0) return;
  say(`An earlier start ended without stopping its parts; ending ${[...left.keys()].join(', ')}`);
  // The database last, as in a normal stop: the others still write to it.
  const [last, others] = [left.get('postgres'), [...left].filter(([name]) => name !== 'postgres')];
  await Promise.all(others.map(([, identity]) => end(identity, 'SIGTERM')));
  if (last !== undefined) await end(last, 'SIGINT');
}

function end(identity: ProcessIdentity, signal: NodeJS.Signals): Promise<boolean> {
  return endProcess(identity, { signal, patienceMs: 4_000 });
}
