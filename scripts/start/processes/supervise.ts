/**
 * Supervises one part: starts it, waits until it is ready, restarts it when it ends, stops it on
 * request.
 */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { LockedHome } from '../home.ts';
import { StartError } from '../start-error.ts';
import { type Command, type Exit, killGroup, launch, type RunningProcess, stopProcess } from './launch.ts';
import { watchLiveness } from './liveness.ts';
import { rotateLog } from './log-file.ts';
import { type PartLog, readLogEnd, watchLog } from './part-log.ts';

export interface Part {
  name: string;
  command: Command;
  /** Resolves when the part is ready; rejects when `gone` fires. */
  waitUntilReady(watch: { gone: AbortSignal; waitForLine: PartLog['waitForLine'] }): Promise<void>;
  /** Checks that the part still responds; see `watchLiveness`. */
  probe(signal: AbortSignal): Promise<void>;
  /** For tests: the interval and the maximum number of failures. */
  probing?: { intervalMs: number; maxFailures: number };
  stopSignal: NodeJS.Signals;
  /** The timeout of a stop, after which the part is killed. */
  stopTimeoutMs: number;
}

export interface SupervisedPart {
  name: string;
  pid(): number;
  stop(): Promise<void>;
  /** Sends SIGKILL at once. */
  kill(): void;
}

export interface SupervisionContext {
  home: LockedHome;
  print: (line: string) => void;
  /** Called when a part runs with a new pid. */
  onRestart: () => void;
  /** Fires when the complete start is cancelled. */
  aborted: AbortSignal;
}

/**
 * Starts a part and resolves when it is ready. If the first start fails, rejects and leaves no
 * process running.
 */
export async function supervise(part: Part, context: SupervisionContext): Promise<SupervisedPart> {
  const { home, print, aborted } = context;
  const logFile = join(home.folder, 'logs', `${part.name}.log`);
  rotateLog(logFile);
  aborted.throwIfAborted();
  let current = await startPart(part, logFile, context);
  await waitUntilFirstReady(part, current, logFile, context);

  const stopping = new AbortController();
  const supervision = keepRunning();
  return {
    name: part.name,
    pid: () => current.process.identity.pid,
    kill: () => {
      stopping.abort();
      killGroup(current.process.identity);
    },
    async stop() {
      stopping.abort();
      current.log.showWarnings(false);
      await endPart(part, current, print);
      await supervision;
      // The part may have just been restarted.
      await endPart(part, current, print);
    },
  };

  function endHung(forMs: number): void {
    print(`${part.name} has not responded for ${Math.round(forMs / 1_000)} s; killing it`);
    killGroup(current.process.identity);
  }

  async function keepRunning(): Promise<void> {
    let delayMs = MIN_DELAY_MS;
    while (!stopping.signal.aborted) {
      const startedAt = Date.now();
      const ended = new AbortController();
      void watchLiveness({
        ...part.probing,
        probe: (signal) => part.probe(signal),
        onHung: endHung,
        stopped: AbortSignal.any([stopping.signal, ended.signal]),
      });
      const exit = await current.process.exited;
      ended.abort();
      current.log.stop();
      if (stopping.signal.aborted) return;
      if (Date.now() - startedAt > STEADY_MS) delayMs = MIN_DELAY_MS;
      print(`${part.name} ended (${describeExit(exit)}); restarting in ${delayMs / 1_000} s`);
      await sleep(delayMs, undefined, { signal: stopping.signal }).catch(() => undefined);
      delayMs = Math.min(delayMs * 2, MAX_DELAY_MS);
      if (stopping.signal.aborted) return;
      try {
        current = await startPart(part, logFile, context);
        current.log.showWarnings(true);
        print(`${part.name} restarted (pid ${current.process.identity.pid})`);
        context.onRestart();
      } catch (error) {
        print(`${part.name} could not be restarted: ${error instanceof Error ? error.message : String(error)}`);
      }
    }
  }
}

const MIN_DELAY_MS = 250;
const MAX_DELAY_MS = 15_000;
/** A part that ran this long has recovered, which resets the restart delay. */
const STEADY_MS = 30_000;

interface RunningPart {
  process: RunningProcess;
  log: PartLog;
}

async function startPart(part: Part, logFile: string, { home, print }: SupervisionContext): Promise<RunningPart> {
  // Followed before the start, so that the first lines of a fast part are not missed.
  const log = watchLog(part.name, logFile, print);
  try {
    const process = await launch(part.command, logFile);
    home.record(part.name, process.identity);
    return { process, log };
  } catch (error) {
    log.stop();
    const reason = error instanceof Error ? error.message : String(error);
    throw new StartError(`${part.name} could not be started: ${reason}`);
  }
}

async function waitUntilFirstReady(
  part: Part,
  running: RunningPart,
  logFile: string,
  { aborted, print }: SupervisionContext,
): Promise<void> {
  const ended = new AbortController();
  void running.process.exited.then((exit) => ended.abort(new StartError(`${part.name} ended (${describeExit(exit)})`)));
  const gone = AbortSignal.any([ended.signal, aborted]);
  try {
    await Promise.race([
      part.waitUntilReady({ gone, waitForLine: running.log.waitForLine }),
      new Promise((_, reject) => gone.addEventListener('abort', () => reject(gone.reason), { once: true })),
    ]);
    running.log.showWarnings(true);
  } catch (error) {
    await endPart(part, running, print);
    running.log.stop();
    if (aborted.aborted) throw aborted.reason;
    const reason = error instanceof Error ? error.message : String(error);
    throw new StartError(`${reason}\n${readLogEnd(logFile)}`);
  }
}

async function endPart(part: Part, running: RunningPart, print: (line: string) => void): Promise<void> {
  const { stopSignal: signal, stopTimeoutMs } = part;
  const endedOnSignal = await stopProcess(running.process.identity, { signal, patienceMs: stopTimeoutMs });
  if (!endedOnSignal) print(`${part.name} did not end within ${stopTimeoutMs / 1_000} s and was killed`);
}

function describeExit({ code, signal }: Exit): string {
  return signal ?? `exit code ${code}`;
}
