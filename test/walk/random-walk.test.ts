/**
 * A random walk over everything that authors and machines do to deliveries, judged by `oracle/check.ts`. A short one with a fixed seed is part
 * of `npm test`; `npm run test:faults` walks for WALK_MINUTES (2) with a new seed, or with WALK_SEED.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { walk } from './walk.ts';

const SHORT_MS = 6_000;
const SHORT_SEED = 1;
/** How long everything may take to come to its end on a machine that is busy. */
const QUIET_MS = 120_000;

const minutes = Number(process.env.WALK_MINUTES || 0);
const durationMs = minutes > 0 ? minutes * 60_000 : SHORT_MS;
const seed = Number(process.env.WALK_SEED || (minutes > 0 ? Date.now() % 1_000_000 : SHORT_SEED));
const only = process.env.WALK_ONLY ? new Set(process.env.WALK_ONLY.split(',').map(Number)) : null;

test('after a random walk each account has exactly the posts that the ledger names, no foreign post was touched, each outcome has one event', {
  // The steps wait for what they restart, which a busy machine takes its time for.
  timeout: 3 * durationMs + QUIET_MS + 120_000,
}, async (context) => {
  const { steps, problems, report } = await walk({ seed, durationMs, restores: minutes > 0, only, quietMs: QUIET_MS });
  context.diagnostic(`seed ${seed}, ${steps} steps`);
  assert.equal(problems.length, 0, report);
});
