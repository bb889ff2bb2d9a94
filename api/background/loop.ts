/** Runs a step repeatedly, with pauses that new work can end. */
import { setTimeout } from 'node:timers/promises';

export interface Loop {
  /** Ends the pause, or prevents the next one. */
  nudge(): void;
  /** Resolves when the current step is done. */
  stop(): Promise<void>;
}

/** The pause after a step. A nudge ends it unless `endsOnNudge` is false. */
export interface Pause {
  ms: number;
  endsOnNudge?: boolean;
}

/**
 * `step` must not throw. Each step is preceded by `chooseDelayMs`, in which further nudges still
 * belong to that step.
 */
export function startLoop(step: (stopping: AbortSignal) => Promise<Pause>, chooseDelayMs = () => 0): Loop {
  const stopping = new AbortController();
  let nudge = new AbortController();
  const running = (async () => {
    for (;;) {
      await sleep(chooseDelayMs(), stopping.signal);
      if (stopping.signal.aborted) return;
      nudge = new AbortController();
      const { ms, endsOnNudge = true } = await step(stopping.signal);
      await sleep(ms, endsOnNudge ? AbortSignal.any([nudge.signal, stopping.signal]) : stopping.signal);
    }
  })();
  return {
    nudge() {
      // Only once: a second `abort` would create another error at each publish.
      if (!nudge.signal.aborted) nudge.abort();
    },
    async stop() {
      stopping.abort();
      await running;
    },
  };
}

/** Ends early if the signal is aborted. */
export function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return setTimeout(ms, undefined, { signal }).catch(() => undefined);
}
