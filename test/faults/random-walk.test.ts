/**
 * A random walk over all actions of authors and machines on deliveries, checked by
 * `oracle/check.ts`. Takes WALK_MINUTES (2), with a new seed or WALK_SEED. WALK_ONLY selects steps.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { walk } from '../walk/walk.ts';

/** The time for all work to end on a busy machine. */
const QUIET_MS = 120_000;

const durationMs = Number(process.env.WALK_MINUTES || 2) * 60_000;
const seed = Number(process.env.WALK_SEED || process.env.SEED || Date.now() % 1_000_000);
const only = process.env.WALK_ONLY ? new Set(process.env.WALK_ONLY.split(',').map(Number)) : null;

test('after a random walk each account has exactly the recorded posts, no external post was changed, and each outcome has one event', {
  // The steps wait for restarts, which take long on a busy machine.
  timeout: 3 * durationMs + QUIET_MS + 120_000,
}, async (context) => {
  const { steps, problems, report } = await walk({ seed, durationMs, only, quietMs: QUIET_MS });
  context.diagnostic(`seed ${seed}, ${steps} steps`);
  assert.equal(problems.length, 0, report);
});
