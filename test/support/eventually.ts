/**
 * Polls `ask` until its result is neither empty nor false. Fails with the description of the
 * condition.
 */
export async function eventually<T>(
  what: string,
  ask: () => Promise<T | null | undefined | false>,
  options: { withinMs?: number; everyMs?: number } = {},
): Promise<T> {
  const { withinMs = 60_000, everyMs = 50 } = options;
  const end = Date.now() + withinMs;
  for (;;) {
    const answer = await ask();
    if (answer !== null && answer !== undefined && answer !== false) return answer;
    if (Date.now() > end) throw new Error(`waited ${withinMs} ms in vain for: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
}
