/**
 * Plans the steps of a random walk from the seed alone, so that a walk can be repeated completely
 * or in part.
 */
import type { DestinationKey } from '../../article/types.ts';
import { SANDBOX_ACCOUNTS, type SandboxAccount } from '../../sandbox/connectable-accounts.ts';
import type { Fault } from '../support/delivery/delivery.ts';
import { createRandom, type Random } from './random.ts';

export type Step = { number: number; pauseMs: number } & Action;

export type Action =
  /** A first publish or a change: every version has another title. */
  | { kind: 'publish' | 'draft'; article: number; version: number }
  | { kind: 'schedule'; article: number; version: number; inMs: number }
  | { kind: 'unpublish' | 'delete' | 'publishNow'; article: number }
  | { kind: 'retry' | 'withdraw'; article: number; destination: DestinationKey }
  | { kind: 'connect'; account: SandboxAccount }
  | { kind: 'disconnect' | 'reconnect'; destination: DestinationKey }
  | { kind: 'fault'; fault: Fault }
  | { kind: 'killWorker' | 'stopWorker' | 'killTemporal'; awayMs: number }
  /** Backs up the database, or restores the last backup and publishes all articles again. */
  | { kind: 'backup' | 'restore' };

export const DESTINATIONS: readonly DestinationKey[] = [
  'blogsite_a',
  'blogsite_b',
  'blogsite_c',
  'cms_site',
  'social_feed',
];

const ARTICLES = 6;

const WEIGHTS: Record<Action['kind'], number> = {
  publish: 26,
  draft: 5,
  schedule: 6,
  unpublish: 5,
  delete: 3,
  publishNow: 3,
  retry: 4,
  withdraw: 2,
  connect: 12,
  disconnect: 3,
  reconnect: 2,
  fault: 20,
  killWorker: 4,
  stopWorker: 3,
  killTemporal: 2,
  backup: 3,
  restore: 1.5,
};

/** Returns steps that take about `durationMs` in total. */
export function planWalk(seed: number, durationMs: number): Step[] {
  const random = createRandom(seed);
  const versions: number[] = [];
  const steps: Step[] = [];
  for (let plannedMs = 0; plannedMs < durationMs; ) {
    const action = planAction(random, versions);
    // Half of the steps follow at once, while the previous one is still in progress.
    const pauseMs = random.below(2) === 0 ? random.below(100) : random.below(1_000);
    steps.push({ number: steps.length, pauseMs, ...action });
    plannedMs += pauseMs + 50;
  }
  return steps;
}

/** `versions` contains the number of versions of each article. */
function planAction(random: Random, versions: number[]): Action {
  // Without an article only a publish makes sense.
  const kind = versions.length === 0 ? 'publish' : random.weigh(WEIGHTS);
  const isPublish = kind === 'publish' || kind === 'draft' || kind === 'schedule';
  const isNew = isPublish && versions.length < ARTICLES && random.below(versions.length * 2 + 1) === 0;
  const article = isNew ? versions.length : random.below(versions.length);
  const destination = random.pick(DESTINATIONS);
  switch (kind) {
    case 'publish':
    case 'draft':
      return { kind, article, version: countVersion(versions, article) };
    case 'schedule':
      return { kind, article, version: countVersion(versions, article), inMs: 300 + random.below(4_000) };
    case 'unpublish':
    case 'delete':
    case 'publishNow':
      return { kind, article };
    case 'retry':
    case 'withdraw':
      return { kind, article, destination };
    case 'connect':
      return { kind, account: random.pick(SANDBOX_ACCOUNTS) };
    case 'disconnect':
    case 'reconnect':
      return { kind, destination };
    case 'fault':
      return { kind, fault: planFault(random, destination) };
    case 'killWorker':
    case 'stopWorker':
    case 'killTemporal':
      return { kind, awayMs: random.below(3_000) };
    case 'backup':
    case 'restore':
      return { kind };
  }
}

function countVersion(versions: number[], article: number): number {
  const version = (versions[article] ?? 0) + 1;
  versions[article] = version;
  return version;
}

const ACTIONS = ['create', 'create', 'create', 'update', 'withdraw', 'find', 'prepare', 'any'] as const;

/** Faults at a destination, a few times each. The timeout of the worker is 1.5 s. */
const FAULTS: readonly Partial<Fault>[] = [
  { delayMs: 700 },
  { delayMs: 2_500 },
  { drop: 'before' },
  { drop: 'after' },
  { drop: 'after', delayMs: 1_000 },
  { status: 500 },
  { status: 500, saved: true },
  { status: 502, body: '<html><title>Bad gateway</title></html>', saved: true },
  { status: 503, headers: { 'retry-after': '1' } },
  { status: 429, headers: { 'retry-after': '2' } },
  { status: 401 },
];

function planFault(random: Random, platform: DestinationKey): Fault {
  return { platform, action: random.pick(ACTIONS), times: 1 + random.below(2), ...random.pick(FAULTS) };
}
