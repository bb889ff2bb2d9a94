/**
 * Runs the work of each key in sequence, so that many calls with one key do not delay other keys.
 */
const queues = new Map<string, Promise<unknown>>();

export async function runInQueue<T>(key: string, work: () => Promise<T>): Promise<T> {
  const previous = queues.get(key);
  const current = previous === undefined ? work() : previous.then(work, work);
  queues.set(key, current);
  try {
    return await current;
  } finally {
    if (queues.get(key) === current) queues.delete(key);
  }
}
