/**
 * Polls `readState` until its result is not null, undefined or false. `what` describes the awaited
 * state in the error.
 */
export async function eventually<T>(
  what: string,
  readState: () => Promise<T | null | undefined | false>,
  options: { withinMs?: number; everyMs?: number } = {},
): Promise<T> {
  const { withinMs = 60_000, everyMs = 50 } = options;
  const end = Date.now() + withinMs;
  for (;;) {
    const answer = await readState();
    if (answer !== null && answer !== undefined && answer !== false) return answer;
    if (Date.now() > end) throw new Error(`waited ${withinMs} ms in vain for: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
}
