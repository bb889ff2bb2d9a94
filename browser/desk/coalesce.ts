/**
 * Combines calls that arrive together into one run of `act`, never two at a time. Pauses after each
 * run for as long as it took.
 */

/** Simultaneous events arrive within this time. */
const BATCH_WINDOW_MS = 10;

export function coalesce(act: () => Promise<unknown>): () => void {
  let isPending = false;
  let isRunning = false;
  async function run(): Promise<void> {
    isRunning = true;
    try {
      while (isPending) {
        await sleep(BATCH_WINDOW_MS);
        isPending = false;
        const begunAt = performance.now();
        await act();
        await sleep(performance.now() - begunAt);
      }
    } finally {
      isRunning = false;
    }
  }
  return () => {
    isPending = true;
    if (!isRunning) void run();
  };
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
