/**
 * Combines calls that arrive together into one run of `act`, never two at a time; each call
 * resolves after that run. Pauses after each run for as long as it took.
 */

/** Simultaneous events arrive within this time. */
const BATCH_WINDOW_MS = 10;
/** If the machine sleeps during a run, its time includes the sleep. */
const MAX_PAUSE_MS = 3_000;

export function coalesce(act: () => Promise<unknown>): () => Promise<void> {
  let next: Promise<void> | null = null;
  let pause = Promise.resolve();
  async function run(): Promise<void> {
    await pause;
    await sleep(BATCH_WINDOW_MS);
    next = null;
    const begunAt = performance.now();
    const rest = () => sleep(Math.min(performance.now() - begunAt, MAX_PAUSE_MS));
    const running = act();
    pause = running.then(rest, rest);
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
