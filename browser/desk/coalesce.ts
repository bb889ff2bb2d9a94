/** Many changes come at once: they are one request. */

/** Simultaneous events arrive within it. */
const GATHER_MS = 10;

/**
 * A function that runs `act` soon, once for all calls until then and never twice at a time. After each run it pauses for as long as the run took, so that
 * a slow server is asked less often.
 */
export function coalesce(act: () => Promise<unknown>): () => void {
  let isWanted = false;
  let isRunning = false;
  async function run(): Promise<void> {
    isRunning = true;
    try {
      while (isWanted) {
        await sleep(GATHER_MS);
        isWanted = false;
        const begunAt = performance.now();
        await act();
        await sleep(performance.now() - begunAt);
      }
    } finally {
      isRunning = false;
    }
  }
  return () => {
    isWanted = true;
    if (!isRunning) void run();
  };
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
