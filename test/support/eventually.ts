/**
 * Polls `readState` until its result is not null, undefined or false. `what` describes the awaited
 * state in the error. Long waits poll less often, so that parallel waiters do not keep the API busy.
 */
export async function eventually<T>(
  what: string,
  readState: () => Promise<T | null | undefined | false>,
  options: { withinMs?: number; everyMs?: number } = {},
): Promise<T> {
  const { withinMs = 60_000, everyMs } = options;
  const start = Date.now();
  for (;;) {
    const answer = await readState();
    if (answer !== null && answer !== undefined && answer !== false) return answer;
    const waitedMs = Date.now() - start;
    if (waitedMs > withinMs) throw new Error(`waited ${withinMs} ms in vain for: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, everyMs ?? Math.min(Math.max(waitedMs / 10, 50), 200)));
  }
}
