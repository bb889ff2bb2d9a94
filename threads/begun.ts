/** How a thread says that it has taken a task up: until then it waits for one, or still loads its code. */

/** 0, and 1 once the task has begun. Shared by the two sides. */
export type Begun = Int32Array<SharedArrayBuffer>;

export function createBegun(): Begun {
  return new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
}

/** The first thing that a thread does with a task. */
export function markBegun(begun: Begun): void {
  Atomics.store(begun, 0, 1);
  Atomics.notify(begun, 0);
}

/** Calls `timeIsUp` that long after the thread took the task up. Must be stopped in every case. */
export function startClock(begun: Begun, limitMs: number, timeIsUp: () => void): { stop(): void } {
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  const start = () => {
    if (!stopped) timer = setTimeout(timeIsUp, limitMs);
  };
  const { async, value } = Atomics.waitAsync(begun, 0, 0);
  if (async) void value.then(start);
  else start();
  return {
    stop() {
      stopped = true;
      clearTimeout(timer);
      // Ends the wait for a thread that never took the task up.
      Atomics.notify(begun, 0);
    },
  };
}
