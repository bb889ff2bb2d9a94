/**
 * All the ways in which a command that runs other processes is told to end.
 */

const POLL_MS = 250;
/** Ctrl-C reaches us twice when npm passes on what the terminal sends to everybody: that is no second Ctrl-C. */
const SAME_SIGNAL_MS = 1_000;

/**
 * Calls `end` once, at Ctrl-C, a termination signal, a closed terminal, or the death of the npm that runs us: npm passes
 * a signal on to the shell between, which dies of it and tells nobody. `insist` is called when a signal comes again.
 */
export function onEndingSignal(end: (reason: string) => void, insist?: () => void): void {
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
  // A terminal or pipe that has gone must not break the stop that it causes.
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
