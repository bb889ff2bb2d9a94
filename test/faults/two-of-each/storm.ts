/**
 * The failures of the storm, by seed: one API and one worker at a time, and once each of the shared
 * servers.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { ServerProcess } from '../../support/server-process.ts';
import { createRandom, type Random } from '../../walk/random.ts';
import type { Cluster } from './cluster.ts';

const ENDINGS = { kill: 4, stop: 1, freeze: 2 };

/** Resolves when everything runs again, with the list of failures. */
export async function storm(
  { apis, workers, postgres, temporal }: Cluster,
  { seed, until }: { seed: number; until: number },
): Promise<string[]> {
  const lines: string[] = [];
  const begun = Date.now();
  const note = (what: string) => lines.push(`${((Date.now() - begun) / 1_000).toFixed(1)} s: ${what}`);
  const lastMs = until - begun;
  const random = createRandom(seed + 1);
  await Promise.all([
    disturb('API', apis, createRandom(seed + 2), { until, note }),
    disturb('worker', workers, createRandom(seed + 3), { until, note }),
    (async () => {
      await sleep(lastMs * 0.2 + random.below(lastMs * 0.2));
      note('PostgreSQL is killed');
      await postgres.kill();
      await sleep(random.below(3_000));
      await postgres.start();
      note('PostgreSQL is back');
      await sleep(lastMs * 0.2 + random.below(lastMs * 0.2));
      note('Temporal is killed');
      temporal.interrupt('SIGKILL', random.below(5_000));
      await temporal.ready();
      note('Temporal is back');
    })(),
  ]);
  for (const server of [...apis, ...workers]) if (!server.isRunning()) await server.start();
  return lines;
}

async function disturb(
  kind: string,
  servers: readonly ServerProcess[],
  random: Random,
  { until, note }: { until: number; note: (what: string) => unknown },
): Promise<void> {
  for (;;) {
    await sleep(2_000 + random.below(5_000));
    if (Date.now() > until) return;
    const number = random.below(servers.length);
    const server = servers[number] as ServerProcess;
    const name = `${kind} ${number + 1}`;
    const ending = random.weigh(ENDINGS);
    const awayMs = random.below(ending === 'freeze' ? 26_000 : 2_000);
    if (ending === 'freeze') {
      note(`${name} is frozen for ${awayMs} ms`);
      server.freeze();
      await sleep(awayMs);
      server.thaw();
      continue;
    }
    note(`${name} is ${ending === 'kill' ? 'killed' : 'asked to stop'}`);
    await (ending === 'kill' ? server.kill() : server.stop());
    await sleep(awayMs);
    await server.start();
    note(`${name} is back`);
  }
}
