/**
 * A random walk over all actions of authors and machines on deliveries, checked by
 * `oracle/check.ts`. `npm test` runs a short one with a fixed seed; `npm run test:faults` runs
 * WALK_MINUTES (2) with a new seed or WALK_SEED.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { walk } from './walk.ts';

const SHORT_MS = 6_000;
const SHORT_SEED = 1;
/** The time for all work to end on a busy machine. */
const QUIET_MS = 120_000;

const minutes = Number(process.env.WALK_MINUTES || 0);
const durationMs = minutes > 0 ? minutes * 60_000 : SHORT_MS;
const seed = Number(process.env.WALK_SEED || (minutes > 0 ? Date.now() % 1_000_000 : SHORT_SEED));
const only = process.env.WALK_ONLY ? new Set(process.env.WALK_ONLY.split(',').map(Number)) : null;

test('after a random walk each account has exactly the recorded posts, no external post was changed, and each outcome has one event', {
  // The steps wait for restarts, which take long on a busy machine.
  timeout: 3 * durationMs + QUIET_MS + 120_000,
}, async (context) => {
  const { steps, problems, report } = await walk({ seed, durationMs, restores: minutes > 0, only, quietMs: QUIET_MS });
  context.diagnostic(`seed ${seed}, ${steps} steps`);
  assert.equal(problems.length, 0, report);
});
