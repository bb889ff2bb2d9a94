/** Detects requests to end a command that runs other processes. */

const POLL_MS = 250;
/**
 * One Ctrl-C arrives twice: from the terminal and from npm, which forwards it. That is not a second
 * Ctrl-C.
 */
const SAME_SIGNAL_MS = 1_000;

/**
 * Calls `end` once at Ctrl-C, a termination signal, a closed terminal or the end of the parent npm
 * (npm forwards signals to a shell, which does not forward them). Calls `insist` for a second
 * signal.
 */
export function onTerminationRequest(end: (reason: string) => void, insist?: () => void): void {
  let endedAt: number | null = null;
  const endOnce = (reason: string) => {
    if (endedAt !== null) return;
    endedAt = Date.now();
    end(reason);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      if (endedAt !== null && Date.now() - endedAt > SAME_SIGNAL_MS) insist?.();
      endOnce(signal);
    });
  }
  // Writing to a closed terminal or pipe must not interrupt the stop.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  if (process.env.npm_lifecycle_event !== undefined) watchParent(() => endOnce('the end of npm'));
}

function watchParent(onGone: () => void): void {
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    onGone();
  }, POLL_MS);
  watch.unref();
}
