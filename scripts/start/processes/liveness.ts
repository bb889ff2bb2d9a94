/** Ends a part that runs and does nothing any more, so that its supervisor starts it again. */
import { setTimeout as sleep } from 'node:timers/promises';

export interface LivenessOptions {
  /** Rejects, or does not come to its end, while the part hangs. */
  probe: (signal: AbortSignal) => Promise<void>;
  everyMs?: number;
  /** So many probes in a row that fail are a part that hangs: a busy machine, or one that was asleep, must not be taken for it. */
  most?: number;
  onHung: (forMs: number) => void;
  stopped: AbortSignal;
}

const EVERY_MS = 10_000;
const MOST_FAILURES = 9;

/** Runs until `stopped`, or until the part has hung once. */
export async function watchLiveness(options: LivenessOptions): Promise<void> {
  const { probe, everyMs = EVERY_MS, most = MOST_FAILURES, onHung, stopped } = options;
  let answeredAt = Date.now();
  for (let failures = 0; !stopped.aborted; ) {
    await sleep(everyMs, undefined, { signal: stopped, ref: false }).catch(() => undefined);
    if (stopped.aborted) return;
    const isAlive = await answers(probe, everyMs, stopped);
    if (stopped.aborted) return;
    if (isAlive) answeredAt = Date.now();
    failures = isAlive ? 0 : failures + 1;
    if (failures >= most) return onHung(Date.now() - answeredAt);
  }
}

async function answers(probe: LivenessOptions['probe'], withinMs: number, stopped: AbortSignal): Promise<boolean> {
  const signal = AbortSignal.any([AbortSignal.timeout(withinMs), stopped]);
  const timeIsUp = new Promise<false>((resolve) =>
    signal.addEventListener('abort', () => resolve(false), { once: true }),
  );
  return Promise.race([
    probe(signal).then(
      () => true,
      () => false,
    ),
    timeIsUp,
  ]);
}
