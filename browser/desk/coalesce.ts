/** Many changes come at once: they are one request. */

/** Simultaneous events arrive within it. */
const BATCH_WINDOW_MS = 10;

/**
 * A function that runs `act` soon, once for all calls until then and never twice at a time. After each run it pauses for as long as the run took, so that
 * a slow server is asked less often.
 */
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
