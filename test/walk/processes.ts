/**
 * Processes that a walk kills and restarts: a worker, and a Temporal server with its state in a
 * file.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findFreePort } from '../../scripts/start/ports.ts';
import {
  type Command,
  killGroup,
  launch,
  type RunningProcess,
  stopProcess,
} from '../../scripts/start/processes/launch.ts';
import { resolveTemporalPath } from '../../scripts/start/temporal/program.ts';
import { buildTemporalCommand, waitForTemporal } from '../../scripts/start/temporal/server.ts';
import { eventually } from '../support/eventually.ts';

export interface Restartable {
  /** Ends it and restarts it after `awayMs`. Returns at once. Ignored while it is stopped. */
  interrupt(signal: 'SIGKILL' | 'SIGTERM', awayMs: number): void;
  /** Ends it, runs `work`, and restarts it. Resolves when it is ready. */
  stopFor(work: () => Promise<void>): Promise<void>;
  /** Resolves when it is ready. */
  ready(): Promise<void>;
  close(): Promise<void>;
}

export async function startTemporal(folder: string): Promise<Restartable & { address: string }> {
  const program = await resolveTemporalPath({ env: process.env, announce: () => undefined });
  const port = await findFreePort();
  const address = `127.0.0.1:${port}`;
  const command: Command = buildTemporalCommand({
    program,
    port,
    uiPort: null,
    stateFile: join(folder, 'temporal.db'),
    folder,
  });
  const gone = new AbortController();
  const start = async () => {
    const server = await launch(command, join(folder, 'temporal.log'));
    await waitForTemporal(address, { timeoutMs: 60_000, gone: gone.signal });
    return server;
  };
  const restartable = await makeRestartable<RunningProcess>(start, async ({ identity, exited }, signal) => {
    if (signal === 'SIGKILL') killGroup(identity);
    else await stopProcess(identity, { signal, patienceMs: 4_000 });
    await exited;
  });
  return { ...restartable, address };
}

const WORKER = fileURLToPath(new URL('worker-main.ts', import.meta.url));

/** A process that ends by itself is restarted, as in `npm start`. */
export async function startWorker(env: Record<string, string>): Promise<Restartable> {
  let isClosed = false;
  const expected = new WeakSet<ChildProcess>();
  const start = async (): Promise<ChildProcess> => {
    for (;;) {
      const child = spawn(process.execPath, ['--max-semi-space-size=2', WORKER], {
        stdio: ['ignore', 'pipe', 'inherit'],
        env: { ...process.env, ...env },
      });
      let output = '';
      child.stdout?.on('data', (chunk: Buffer) => {
        output += chunk.toString();
      });
      await eventually(
        'the worker to be ready',
        async () => output.includes('worker ready') || child.exitCode !== null,
        { withinMs: 90_000 },
      ).catch((error: unknown) => {
        child.kill('SIGKILL');
        throw error;
      });
      if (child.exitCode !== null) continue;
      child.once('exit', (code, signal) => {
        if (process.env.WALK_DEBUG) process.stderr.write(`worker ${child.pid} ended: ${code} ${signal}\n`);
        if (!isClosed && !expected.has(child)) restartable.interrupt('SIGKILL', 0);
      });
      return child;
    }
  };
  const restartable = await makeRestartable<ChildProcess>(start, async (child, signal) => {
    expected.add(child);
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill(signal);
    await exited;
  });
  return {
    ...restartable,
    close() {
      isClosed = true;
      return restartable.close();
    },
  };
}

async function makeRestartable<P>(
  start: () => Promise<P>,
  end: (process: P, signal: 'SIGKILL' | 'SIGTERM') => Promise<void>,
): Promise<Restartable> {
  let current: Promise<P> = start();
  await current;
  let isAway = false;
  let isClosed = false;
  return {
    interrupt(signal, awayMs) {
      if (isAway || isClosed) return;
      isAway = true;
      current = current.then(async (process) => {
        await end(process, signal);
        await new Promise((resolve) => setTimeout(resolve, awayMs));
        const next = isClosed ? process : await start();
        isAway = false;
        return next;
      });
      // A failure is reported to the caller that waits for it. Until then it must not be an
      // unhandled rejection.
      current.catch(() => undefined);
    },
    async stopFor(work) {
      const previous = current;
      let failure: unknown = null;
      isAway = true;
      current = previous.then(async (process) => {
        await end(process, 'SIGKILL');
        // The walk reports the failure. The process is restarted in any case.
        const outcome = await Promise.allSettled([work()]);
        const next = await start();
        isAway = false;
        failure = outcome[0].status === 'rejected' ? outcome[0].reason : null;
        return next;
      });
      await current;
      if (failure !== null) throw failure;
    },
    async ready() {
      await current;
    },
    async close() {
      isClosed = true;
      await end(await current, 'SIGKILL');
    },
  };
}
