/** Detects a part that runs but no longer responds, so that its supervisor can restart it. */
import { setTimeout as sleep } from 'node:timers/promises';

export interface LivenessOptions {
  /** Rejects or does not resolve while the part hangs. */
  probe: (signal: AbortSignal) => Promise<void>;
  intervalMs?: number;
  /**
   * After this many consecutive failed probes the part counts as hanging. A busy machine, or one
   * that was suspended, must not reach it.
   */
  maxFailures?: number;
  onHung: (forMs: number) => void;
  stopped: AbortSignal;
}

/** Runs until `stopped`, or until the part hangs. */
export async function watchLiveness(options: LivenessOptions): Promise<void> {
  const { probe, intervalMs = 10_000, maxFailures = 9, onHung, stopped } = options;
  let respondedAt = Date.now();
  for (let failures = 0; failures < maxFailures; ) {
    await sleep(intervalMs, undefined, { signal: stopped, ref: false }).catch(() => undefined);
    if (stopped.aborted) return;
    const signal = AbortSignal.any([AbortSignal.timeout(intervalMs), stopped]);
    const isAborted = new Promise<boolean>((resolve) => signal.addEventListener('abort', () => resolve(false)));
    const responds = probe(signal).then(
      () => true,
      () => false,
    );
    const isAlive = await Promise.race([responds, isAborted]);
    if (stopped.aborted) return;
    if (isAlive) respondedAt = Date.now();
    failures = isAlive ? 0 : failures + 1;
  }
  onHung(Date.now() - respondedAt);
}
