/** Shares a few slots between owners: at most one at a time for each, and the next goes to the owner who had none for longest. */

export class WaitedTooLongError extends Error {
  override name = 'WaitedTooLongError';
}

export interface FairQueue {
  /** Runs `work` once there is a slot for its owner; after the longest wait throws `WaitedTooLongError` instead. */
  run<T>(owner: string, work: () => Promise<T>): Promise<T>;
  load(): QueueLoad;
}

/** How many have a slot, and how many wait for one. */
export interface QueueLoad {
  running: number;
  waiting: number;
}

interface Waiting {
  owner: string;
  start: () => void;
}

export function createFairQueue(slots: number, longestWaitMs: number): FairQueue {
  const waiting: Waiting[] = [];
  const working = new Set<string>();
  /** Since an owner's last start, in starts; only of those who have more waiting. */
  const lastStart = new Map<string, number>();
  let starts = 0;

  const startNext = () => {
    while (working.size < slots) {
      const next = findNext();
      if (!next) return;
      waiting.splice(waiting.indexOf(next), 1);
      working.add(next.owner);
      lastStart.set(next.owner, ++starts);
      next.start();
    }
  };
  const findNext = () => {
    const startable = waiting.filter(({ owner }) => !working.has(owner));
    const since = ({ owner }: Waiting) => lastStart.get(owner) ?? 0;
    return startable.reduce<Waiting | undefined>(
      (first, one) => (first === undefined || since(one) < since(first) ? one : first),
      undefined,
    );
  };
  const forgetIfDone = (owner: string) => {
    if (!working.has(owner) && !waiting.some((one) => one.owner === owner)) lastStart.delete(owner);
  };
  const waitForSlot = (owner: string) =>
    new Promise<void>((resolve, reject) => {
      const giveUp = setTimeout(() => {
        waiting.splice(waiting.indexOf(one), 1);
        forgetIfDone(owner);
        reject(new WaitedTooLongError(`no slot within ${longestWaitMs / 1_000} s`));
      }, longestWaitMs);
      const start = () => {
        clearTimeout(giveUp);
        resolve();
      };
      const one = { owner, start };
      waiting.push(one);
      startNext();
    });

  return {
    load: () => ({ running: working.size, waiting: waiting.length }),
    async run(owner, work) {
      await waitForSlot(owner);
      try {
        return await work();
      } finally {
        working.delete(owner);
        forgetIfDone(owner);
        startNext();
      }
    },
  };
}
