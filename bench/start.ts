/**
 * `npm run bench:start`: measures a start on an existing home until everything is ready,
 * alternating with PostgreSQL and Temporal alone on the same files; and the memory of API and
 * worker after an idle minute. Excludes npm and its checks (half a second).
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { findFreePort } from '../scripts/start/ports.ts';
import { prepareCluster } from '../scripts/start/postgres/cluster.ts';
import { buildClusterUrl, buildPostgresCommand, waitForPostgres } from '../scripts/start/postgres/server.ts';
import { launch, type RunningProcess, stopProcess } from '../scripts/start/processes/launch.ts';
import { resolveTemporalPath } from '../scripts/start/temporal/program.ts';
import { buildTemporalCommand, waitForTemporal } from '../scripts/start/temporal/server.ts';
import { printFigure } from './figure.ts';
import { median } from './measure.ts';
import { type ProcessMemory, readProcessMemory } from './start/process-memory.ts';

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5);
const IDLE_MS = 60_000;
const TIMEOUT_MS = 120_000;

const home = mkdtempSync(join(tmpdir(), 'courant-bench-start-'));
const postgres = await findFreePort();
const temporal = await findFreePort();
const ui = await findFreePort();
const settings = {
  COURANT_HOME: home,
  PORT: String(await findFreePort()),
  SANDBOX_PORT: String(await findFreePort()),
  POSTGRES_PORT: String(postgres),
  TEMPORAL_PORT: String(temporal),
  TEMPORAL_UI_PORT: String(ui),
};
try {
  // The first start creates the home, the second the caches.
  for (let round = 1; round <= 2; round++) await stop((await start()).process);
  const seconds: number[] = [];
  const serverSeconds: number[] = [];
  for (let round = 1; round <= ROUNDS; round++) {
    serverSeconds.push(await startServers());
    const { process, took } = await start();
    seconds.push(took);
    await stop(process);
  }
  const { process: idle } = await start();
  await sleep(IDLE_MS);
  const memory = readParts(['api', 'worker']);
  await stop(idle);

  console.log(`PostgreSQL and Temporal alone: ${median(serverSeconds).toFixed(2)} s (${show(serverSeconds)})`);
  printFigure({ what: 'warm start', value: median(seconds), unit: 's', goal: { atMost: 3 }, spread: seconds });
  for (const [name, { resident, share, privateMb: own }] of Object.entries(memory)) {
    console.log(`${name}, idle: ${share} MB its share, ${own} MB its own alone, ${resident} MB resident`);
  }
  const value = Object.values(memory).reduce((sum, { share }) => sum + share, 0);
  printFigure({ what: 'memory of API and worker, idle', value, unit: 'MB (PSS)', goal: { atMost: 400 } });
} finally {
  rmSync(home, { recursive: true, force: true });
}

async function start(): Promise<{ process: ChildProcess; took: number }> {
  const begun = performance.now();
  const child = spawn(process.execPath, ['scripts/start.ts'], {
    env: { ...process.env, ...settings },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const timeout = setTimeout(() => child.kill('SIGINT'), TIMEOUT_MS);
  for await (const line of createInterface({ input: child.stdout })) {
    if (!line.includes('Ready after')) continue;
    clearTimeout(timeout);
    child.stdout.resume();
    return { process: child, took: (performance.now() - begun) / 1_000 };
  }
  throw new Error('npm start ended before it was ready');
}

async function stop(child: ChildProcess): Promise<void> {
  child.kill('SIGINT');
  if (child.exitCode === null) await once(child, 'exit');
}

/** Returns the seconds until both respond. */
async function startServers(): Promise<number> {
  const cluster = await prepareCluster(home, () => undefined);
  const program = await resolveTemporalPath({ home, env: process.env, announce: () => undefined });
  const gone = new AbortController().signal;
  const url = buildClusterUrl(cluster, { port: postgres, role: 'postgres', database: 'postgres' });
  const stateFile = join(home, 'temporal.db');
  const begun = performance.now();
  const servers: RunningProcess[] = await Promise.all([
    launch(buildPostgresCommand(cluster, { port: postgres, durable: true }), join(home, 'floor.log')),
    launch(
      buildTemporalCommand({ program, port: temporal, uiPort: ui, stateFile, folder: home }),
      join(home, 'floor.log'),
    ),
  ]);
  await Promise.all([
    waitForPostgres(url, { timeoutMs: TIMEOUT_MS, gone }),
    waitForTemporal(`127.0.0.1:${temporal}`, { timeoutMs: TIMEOUT_MS, gone }),
  ]);
  const took = (performance.now() - begun) / 1_000;
  await Promise.all(servers.map(({ identity }) => stopProcess(identity, { signal: 'SIGINT', patienceMs: 10_000 })));
  return took;
}

function readParts(names: string[]): Record<string, ProcessMemory> {
  const { pids } = JSON.parse(readFileSync(join(home, 'demo.json'), 'utf8')) as { pids: Record<string, number> };
  return Object.fromEntries(names.map((name) => [name, readProcessMemory(pids[name] as number)]));
}

function show(values: number[]): string {
  return values.map((value) => value.toFixed(2)).join(', ');
}
