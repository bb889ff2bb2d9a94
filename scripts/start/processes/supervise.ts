/**
 * Supervises one part: starts it, waits until it is ready, restarts it when it ends, stops it on
 * request.
 */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { LockedHome } from '../home.ts';
import { StartError } from '../start-error.ts';
import { type Command, killGroup, launch, type RunningProcess, stopProcess } from './launch.ts';
import { type LivenessOptions, watchLiveness } from './liveness.ts';
import { findWarning, followLog, readLogEnd, rotateLog } from './log-file.ts';

export interface Part {
  name: string;
  command: Command;
  /** Resolves when the part is ready; rejects when `gone` fires. */
  waitUntilReady(watch: { gone: AbortSignal; waitForLine: (text: string) => Promise<void> }): Promise<void>;
  /** Checks that the part still responds; see `watchLiveness`. */
  probe: LivenessOptions['probe'];
  /** For tests. */
  probing?: Pick<LivenessOptions, 'intervalMs' | 'maxFailures'>;
  stopSignal: NodeJS.Signals;
  /** The timeout of a stop, after which the part is killed. */
  stopTimeoutMs: number;
}

export interface SupervisedPart {
  pid(): number;
  stop(): Promise<void>;
  /** Sends SIGKILL at once. */
  kill(): void;
}

export interface SupervisionContext {
  home: Pick<LockedHome, 'folder' | 'record'>;
  print: (line: string) => void;
  /** Called when a part runs with a new pid. */
  onRestart: () => void;
  /** Fires when the complete start is cancelled. */
  aborted: AbortSignal;
}

const MIN_DELAY_MS = 250;
const MAX_DELAY_MS = 15_000;
/** A part that ran this long has recovered, which resets the restart delay. */
const STEADY_MS = 30_000;
const MAX_WARNINGS_PER_PERIOD = 5;
const WARNING_PERIOD_MS = 10_000;

/**
 * Starts a part and resolves when it is ready. If the first start fails, rejects and leaves no
 * process running.
 */
export async function supervise(part: Part, context: SupervisionContext): Promise<SupervisedPart> {
  const { print, aborted } = context;
  const logFile = join(context.home.folder, 'logs', `${part.name}.log`);
  const stopping = new AbortController();
  rotateLog(logFile);
  aborted.throwIfAborted();
  // Followed before the start, so that the first lines of a fast part are not missed.
  const log = watchLog(part.name, logFile, print);
  let current: RunningProcess;
  try {
    current = await start();
    await waitUntilFirstReady();
  } catch (error) {
    log.stop();
    aborted.throwIfAborted();
    throw new StartError(`${part.name} could not be started: ${(error as Error).message}\n${readLogEnd(logFile)}`);
  }
  log.showWarnings();
  const supervision = keepRunning();
  return {
    pid: () => current.identity.pid,
    kill() {
      stopping.abort();
      killGroup(current.identity);
    },
    async stop() {
      stopping.abort();
      log.stop();
      await end();
      await supervision;
      // The part may have just been restarted.
      await end();
    },
  };

  async function start(): Promise<RunningProcess> {
    const running = await launch(part.command, logFile);
    context.home.record(part.name, running.identity);
    return running;
  }

  async function waitUntilFirstReady(): Promise<void> {
    const ended = new AbortController();
    void current.exited.then((how) => ended.abort(new Error(`it ended (${how})`)));
    const gone = AbortSignal.any([ended.signal, aborted]);
    const isGone = new Promise<never>((_, reject) => gone.addEventListener('abort', () => reject(gone.reason)));
    await Promise.race([part.waitUntilReady({ gone, waitForLine: log.waitForLine }), isGone]).catch(async (error) => {
      await end();
      throw error;
    });
  }

  async function keepRunning(): Promise<void> {
    for (let delayMs = MIN_DELAY_MS; ; delayMs = Math.min(delayMs * 2, MAX_DELAY_MS)) {
      const startedAt = Date.now();
      const ended = new AbortController();
      const stopped = AbortSignal.any([stopping.signal, ended.signal]);
      void watchLiveness({ ...part.probing, probe: part.probe, onHung: killHung, stopped });
      const how = await current.exited;
      ended.abort();
      if (stopping.signal.aborted) return;
      if (Date.now() - startedAt > STEADY_MS) delayMs = MIN_DELAY_MS;
      print(`${part.name} ended (${how}); restarting in ${delayMs / 1_000} s`);
      await sleep(delayMs, undefined, { signal: stopping.signal }).catch(() => undefined);
      if (stopping.signal.aborted) return;
      try {
        current = await start();
        print(`${part.name} restarted (pid ${current.identity.pid})`);
        context.onRestart();
      } catch (error) {
        print(`${part.name} could not be restarted: ${(error as Error).message}`);
      }
    }
  }

  function killHung(forMs: number): void {
    print(`${part.name} has not responded for ${Math.round(forMs / 1_000)} s; killing it`);
    killGroup(current.identity);
  }

  async function end(): Promise<void> {
    const { stopSignal: signal, stopTimeoutMs } = part;
    if (!(await stopProcess(current.identity, { signal, patienceMs: stopTimeoutMs })))
      print(`${part.name} did not end within ${stopTimeoutMs / 1_000} s and was killed`);
  }
}

/** Prints the warnings in a log, except during the start, when most concern waiting for other parts. */
function watchLog(name: string, file: string, print: (line: string) => void) {
  const expected: { text: string; found: () => void }[] = [];
  let isShowing = false;
  let shown = { since: 0, count: 0 };
  const stop = followLog(file, (line) => {
    for (const { text, found } of expected) if (line.includes(text)) found();
    const warning = isShowing ? findWarning(line) : null;
    if (warning === null) return;
    if (Date.now() - shown.since > WARNING_PERIOD_MS) shown = { since: Date.now(), count: 0 };
    shown.count += 1;
    if (shown.count <= MAX_WARNINGS_PER_PERIOD) print(`${name}: ${warning}`);
    if (shown.count === MAX_WARNINGS_PER_PERIOD) print(`${name}: more warnings in ${file}`);
  });
  return {
    waitForLine: (text: string) => new Promise<void>((found) => expected.push({ text, found })),
    showWarnings: () => {
      isShowing = true;
    },
    stop: () => {
      isShowing = false;
      stop();
    },
  };
}
