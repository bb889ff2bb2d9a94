/**
 * Combines calls that arrive together into one run of `task`; each call resolves after that run.
 * Never runs two at a time, and pauses after each run for as long as it took.
 */

/** Simultaneous events arrive within this time. */
const BATCH_WINDOW_MS = 10;
/** If the machine sleeps during a run, its time includes the sleep. */
const MAX_PAUSE_MS = 3_000;

export function coalesce(task: () => Promise<unknown>): () => Promise<void> {
  let next: Promise<void> | null = null;
  let pause = Promise.resolve();
  async function run(): Promise<void> {
    await pause;
    await sleep(BATCH_WINDOW_MS);
    next = null;
    const startedAt = performance.now();
    const pauseAfterRun = () => sleep(Math.min(performance.now() - startedAt, MAX_PAUSE_MS));
    const running = task();
    pause = running.then(pauseAfterRun, pauseAfterRun);
    await running;
  }
  return () => {
    next ??= run();
    return next;
  };
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
