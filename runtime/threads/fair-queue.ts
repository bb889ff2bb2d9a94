/**
 * Shares a limited number of slots between owners. Each owner has a limit, and the next slot goes
 * to the owner whose last start is oldest.
 */

/** The work was not started: the queue was full or the wait was too long. */
export class WaitedTooLongError extends Error {
  override name = 'WaitedTooLongError';
}

export interface FairQueueOptions {
  maxRunning: number;
  /** Slots per owner at the same time; default 1. */
  maxRunningPerOwner?: number;
  maxWaitMs: number;
  /**
   * The maximum length of the queue; default unlimited. Above it, the owner with the most entries
   * loses the last one.
   */
  maxWaiting?: number;
}

export interface FairQueue {
  /** Runs `work` when its owner gets a slot, else throws `WaitedTooLongError`. */
  run<T>(owner: string, work: () => Promise<T>): Promise<T>;
  load(): QueueLoad;
}

/** The number of entries that run and that wait. */
export interface QueueLoad {
  running: number;
  waiting: number;
}

interface QueueEntry {
  owner: string;
  start(): void;
  giveUp(reason: string): void;
}

export function createFairQueue({
  maxRunning,
  maxRunningPerOwner = 1,
  maxWaitMs,
  maxWaiting = Number.POSITIVE_INFINITY,
}: FairQueueOptions): FairQueue {
  const waiting: QueueEntry[] = [];
  /** The number of running entries per owner. */
  const runningByOwner = new Map<string, number>();
  let running = 0;
  /** The number of the last start of each owner. Removed with the last entry of the owner. */
  const lastStart = new Map<string, number>();
  let starts = 0;

  const count = (owner: string) => runningByOwner.get(owner) ?? 0;
  const startNext = () => {
    while (running < maxRunning) {
      const next = findNext();
      if (!next) return;
      waiting.splice(waiting.indexOf(next), 1);
      runningByOwner.set(next.owner, count(next.owner) + 1);
      running += 1;
      lastStart.set(next.owner, ++starts);
      next.start();
    }
  };
  const findNext = () => {
    const startable = waiting.filter(({ owner }) => count(owner) < maxRunningPerOwner);
    const readLastStart = ({ owner }: QueueEntry) => lastStart.get(owner) ?? 0;
    return startable.reduce<QueueEntry | undefined>(
      (first, entry) => (first === undefined || readLastStart(entry) < readLastStart(first) ? entry : first),
      undefined,
    );
  };
  const end = (owner: string) => {
    running -= 1;
    if (count(owner) > 1) runningByOwner.set(owner, count(owner) - 1);
    else runningByOwner.delete(owner);
    removeIfDone(owner);
    startNext();
  };
  const removeIfDone = (owner: string) => {
    if (!runningByOwner.has(owner) && !waiting.some((entry) => entry.owner === owner)) lastStart.delete(owner);
  };
  const waitForSlot = (owner: string) =>
    new Promise<void>((resolve, reject) => {
      const entry: QueueEntry = {
        owner,
        start() {
          clearTimeout(timer);
          resolve();
        },
        giveUp(reason) {
          clearTimeout(timer);
          waiting.splice(waiting.indexOf(entry), 1);
          removeIfDone(owner);
          reject(new WaitedTooLongError(reason));
        },
      };
      const timer = setTimeout(() => entry.giveUp(`no slot within ${maxWaitMs / 1_000} s`), maxWaitMs);
      waiting.push(entry);
      startNext();
      if (waiting.length > maxWaiting) findLastOfLargestOwner(waiting).giveUp(`${maxWaiting} others wait`);
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

/** An owner with many entries displaces only their own. */
function findLastOfLargestOwner(waiting: readonly QueueEntry[]): QueueEntry {
  const byOwner = Map.groupBy(waiting, ({ owner }) => owner);
  const largest = [...byOwner.values()].reduce((longest, entries) =>
    entries.length > longest.length ? entries : longest,
  );
  return largest.at(-1) as QueueEntry;
}
