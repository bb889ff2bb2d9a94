/** Calls `act` once after a period without work, and again after the next work. */

export interface IdleTimer {
  begin(): void;
  end(): void;
  stop(): void;
}

/** Does not keep the process running. */
export function createIdleTimer(act: () => void, afterMs: number): IdleTimer {
  let working = 0;
  let isStopped = false;
  const wait = () => setTimeout(act, afterMs).unref();
  let timer = wait();
  return {
    begin() {
      working += 1;
      clearTimeout(timer);
    },
    end() {
      working -= 1;
      if (working === 0 && !isStopped) timer = wait();
    },
    stop() {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}
