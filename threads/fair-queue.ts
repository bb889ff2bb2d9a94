/** Shares a few slots between owners: a bounded number at a time for each, and the next goes to the owner who had none for longest. */

/** It was not begun: too many waited before it, or it waited too long. */
export class WaitedTooLongError extends Error {
  override name = 'WaitedTooLongError';
}

export interface FairQueueOptions {
  slots: number;
  /** At once; 1 where it is not given. */
  perOwner?: number;
  longestWaitMs: number;
  /** In line, of all owners; without it any number. Where there are more, the owner who has most of them loses the last. */
  mostWaiting?: number;
}

export interface FairQueue {
  /** Runs `work` once there is a slot for its owner; otherwise throws `WaitedTooLongError`. */
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
  start(): void;
  giveUp(reason: string): void;
}

export function createFairQueue({
  slots,
  perOwner = 1,
  longestWaitMs,
  mostWaiting = Number.POSITIVE_INFINITY,
}: FairQueueOptions): FairQueue {
  const waiting: Waiting[] = [];
  /** How many each owner has. */
  const working = new Map<string, number>();
  let running = 0;
  /** Since an owner's last start, in starts; only of those who have more waiting. */
  const lastStart = new Map<string, number>();
  let starts = 0;

  const count = (owner: string) => working.get(owner) ?? 0;
  const startNext = () => {
    while (running < slots) {
      const next = findNext();
      if (!next) return;
      waiting.splice(waiting.indexOf(next), 1);
      working.set(next.owner, count(next.owner) + 1);
      running += 1;
      lastStart.set(next.owner, ++starts);
      next.start();
    }
  };
  const findNext = () => {
    const startable = waiting.filter(({ owner }) => count(owner) < perOwner);
    const since = ({ owner }: Waiting) => lastStart.get(owner) ?? 0;
    return startable.reduce<Waiting | undefined>(
      (first, one) => (first === undefined || since(one) < since(first) ? one : first),
      undefined,
    );
  };
  const end = (owner: string) => {
    running -= 1;
    if (count(owner) > 1) working.set(owner, count(owner) - 1);
    else working.delete(owner);
    forgetIfDone(owner);
    startNext();
  };
  const forgetIfDone = (owner: string) => {
    if (!working.has(owner) && !waiting.some((one) => one.owner === owner)) lastStart.delete(owner);
  };
  const waitForSlot = (owner: string) =>
    new Promise<void>((resolve, reject) => {
      const one: Waiting = {
        owner,
        start() {
          clearTimeout(timer);
          resolve();
        },
        giveUp(reason) {
          clearTimeout(timer);
          waiting.splice(waiting.indexOf(one), 1);
          forgetIfDone(owner);
          reject(new WaitedTooLongError(reason));
        },
      };
      const timer = setTimeout(() => one.giveUp(`no slot within ${longestWaitMs / 1_000} s`), longestWaitMs);
      waiting.push(one);
      startNext();
      if (waiting.length > mostWaiting) findLastOfMost(waiting).giveUp(`${mostWaiting} others wait`);
    });

  return {
    load: () => ({ running, waiting: waiting.length }),
    async run(owner, work) {
      await waitForSlot(owner);
      try {
        return await work();
      } finally {
        end(owner);
      }
    },
  };
}

/** Who sends many crowds out no one but themselves. */
function findLastOfMost(waiting: readonly Waiting[]): Waiting {
  const byOwner = Map.groupBy(waiting, ({ owner }) => owner);
  const most = [...byOwner.values()].reduce((longest, one) => (one.length > longest.length ? one : longest));
  return most.at(-1) as Waiting;
}
