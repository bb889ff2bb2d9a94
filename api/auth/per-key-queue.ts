/** What each of many is to have done stands in a line of its own, and goes on one after the other: a flood of one makes nobody else wait. */
const lines = new Map<string, Promise<unknown>>();

export async function inLineOf<T>(whose: string, work: () => Promise<T>): Promise<T> {
  const before = lines.get(whose);
  const mine = before === undefined ? work() : before.then(work, work);
  lines.set(whose, mine);
  try {
    return await mine;
  } finally {
    if (lines.get(whose) === mine) lines.delete(whose);
  }
}
