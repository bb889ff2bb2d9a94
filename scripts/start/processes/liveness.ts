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

const PROBE_INTERVAL_MS = 10_000;
const MAX_FAILURES = 9;

/** Runs until `stopped`, or until the part hangs. */
export async function watchLiveness(options: LivenessOptions): Promise<void> {
  const { probe, intervalMs = PROBE_INTERVAL_MS, maxFailures = MAX_FAILURES, onHung, stopped } = options;
  let answeredAt = Date.now();
  for (let failures = 0; !stopped.aborted; ) {
    await sleep(intervalMs, undefined, { signal: stopped, ref: false }).catch(() => undefined);
    if (stopped.aborted) return;
    const isAlive = await responds(probe, intervalMs, stopped);
    if (stopped.aborted) return;
    if (isAlive) answeredAt = Date.now();
    failures = isAlive ? 0 : failures + 1;
    if (failures >= maxFailures) return onHung(Date.now() - answeredAt);
  }
}

async function responds(probe: LivenessOptions['probe'], withinMs: number, stopped: AbortSignal): Promise<boolean> {
  const signal = AbortSignal.any([AbortSignal.timeout(withinMs), stopped]);
  const timeout = new Promise<false>((resolve) =>
    signal.addEventListener('abort', () => resolve(false), { once: true }),
  );
  return Promise.race([
    probe(signal).then(
      () => true,
      () => false,
    ),
    timeout,
  ]);
}
