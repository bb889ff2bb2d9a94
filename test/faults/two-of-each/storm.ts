/**
 * The failures of the storm, chosen by the seed: at most one API and one worker at a time, and once
 * PostgreSQL and Temporal.
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
  const started = Date.now();
  const note = (event: string) => lines.push(`${((Date.now() - started) / 1_000).toFixed(1)} s: ${event}`);
  const durationMs = until - started;
  const random = createRandom(seed + 1);
  await Promise.all([
    disturb('API', apis, createRandom(seed + 2), { until, note }),
    disturb('worker', workers, createRandom(seed + 3), { until, note }),
    (async () => {
      await sleep(durationMs * 0.2 + random.below(durationMs * 0.2));
      note('PostgreSQL is killed');
      await postgres.kill();
      await sleep(random.below(3_000));
      await postgres.start();
      note('PostgreSQL is back');
      await sleep(durationMs * 0.2 + random.below(durationMs * 0.2));
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
  { until, note }: { until: number; note: (event: string) => unknown },
): Promise<void> {
  for (;;) {
    await sleep(2_000 + random.below(5_000));
    if (Date.now() > until) return;
    const number = random.below(servers.length);
    const server = servers[number] as ServerProcess;
    const name = `${kind} ${number + 1}`;
    const ending = random.weigh(ENDINGS);
    const outageMs = random.below(ending === 'freeze' ? 26_000 : 2_000);
    if (ending === 'freeze') {
      note(`${name} is frozen for ${outageMs} ms`);
      server.freeze();
      await sleep(outageMs);
      server.thaw();
      continue;
    }
    note(`${name} is ${ending === 'kill' ? 'killed' : 'asked to stop'}`);
    await (ending === 'kill' ? server.kill() : server.stop());
    await sleep(outageMs);
    await server.start();
    note(`${name} is back`);
  }
}
