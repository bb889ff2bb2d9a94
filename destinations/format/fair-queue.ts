/** Shares a few slots between owners: at most one at a time for each, and the next goes to the owner who had none for longest. */

export interface FairQueue {
  /** Runs `work` once there is a slot for its owner. */
  run<T>(owner: string, work: () => Promise<T>): Promise<T>;
}

export function createFairQueue(slots: number): FairQueue {
  const waiting: { owner: string; start: () => void }[] = [];
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
    const since = ({ owner }: { owner: string }) => lastStart.get(owner) ?? 0;
    return startable.reduce<(typeof waiting)[number] | undefined>(
      (first, one) => (first === undefined || since(one) < since(first) ? one : first),
      undefined,
    );
  };
  const finish = (owner: string) => {
    working.delete(owner);
    if (!waiting.some((one) => one.owner === owner)) lastStart.delete(owner);
    startNext();
  };

  return {
    async run(owner, work) {
      await new Promise<void>((start) => {
        waiting.push({ owner, start });
        startNext();
      });
      try {
        return await work();
      } finally {
        finish(owner);
      }
    },
  };
}
