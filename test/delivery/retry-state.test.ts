/** Tests which parts of the retry state carry over to the next attempt. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { beginAttempt } from '../../delivery/resolve-attempt.ts';
import { MAX_RETRY_PERIOD_MS, NO_FAILURES, shouldGiveUp } from '../../delivery/retry-state.ts';
import {
  AFTER_TWO_FAILURES,
  absent,
  create,
  created,
  lost,
  titleUsed,
  unauthorised,
  unavailable,
  unknownAnswer,
} from './support/attempts.ts';
import { NOW, playAttempt } from './support/story.ts';

test('the retry state of a new delivery has only its dispatch and credential version set', () => {
  assert.deepEqual(beginAttempt({ ...create, dispatch: 5, connectionVersion: 6 }, NO_FAILURES).retry, {
    dispatch: 5,
    connectionVersion: 6,
    since: null,
    failures: 0,
    hasProbed: false,
    hasRetriedCreate: false,
  });
});

test('the next plan receives the problem of a failure that could not be recorded, and the step after it does not', () => {
  const { retry } = playAttempt(create, [{ ...lost, reason: 'The worker stopped.' }]);
  assert.equal(retry.problem, 'The worker stopped.');
  assert.deepEqual(beginAttempt(create, retry).retry, {
    dispatch: 1,
    connectionVersion: 0,
    since: NOW,
    failures: 1,
    hasProbed: false,
    hasRetriedCreate: false,
  });
});

test('the retry state records the probe of a credential and the wait for the title rule', () => {
  assert.equal(playAttempt(create, [unauthorised, 'good']).retry.hasProbed, true);
  assert.equal(playAttempt(create, [titleUsed, absent]).retry.hasRetriedCreate, true);
});

test('a successful delivery resets the retry state', () => {
  const { retry } = playAttempt(create, [created], AFTER_TWO_FAILURES);
  assert.deepEqual([retry.failures, retry.since], [0, null]);
});

test('the retry state counts failures and stores the time of the first', () => {
  assert.deepEqual(pickCount(playAttempt(create, [unavailable]).retry), { failures: 1, since: NOW });
  assert.deepEqual(pickCount(playAttempt(create, [unavailable], AFTER_TWO_FAILURES).retry), {
    failures: 3,
    since: NOW - 10_000,
  });
  assert.deepEqual(pickCount(playAttempt(create, [unknownAnswer]).retry), { failures: 1, since: NOW });
  assert.deepEqual(pickCount(playAttempt(create, [lost]).retry), { failures: 1, since: NOW });
});

test('another dispatch resets the retry state', () => {
  const retry = { ...NO_FAILURES, ...AFTER_TWO_FAILURES.retry, dispatch: 1, hasProbed: true, hasRetriedCreate: true };
  assert.deepEqual(beginAttempt({ ...create, dispatch: 2 }, retry).retry, { ...NO_FAILURES, dispatch: 2 });
});

test('a new credential version gets its own probe', () => {
  const retry = { hasProbed: true, connectionVersion: 1 };
  const { story } = playAttempt({ ...create, connectionVersion: 2 }, [unauthorised, 'refused'], { retry });
  assert.match(story, /probe → record unauthorised → end held$/);
});

test('a delivery ends after 20 failures over more than a day, not after 19', () => {
  const since = NOW - MAX_RETRY_PERIOD_MS - 1;
  assert.equal(shouldGiveUp({ since, failures: 19 }, NOW), false);
  assert.equal(shouldGiveUp({ since, failures: 20 }, NOW), true);
  assert.equal(shouldGiveUp({ since: since + 1, failures: 100 }, NOW), false);
  assert.equal(shouldGiveUp({ since: null, failures: 100 }, NOW), false);
});

function pickCount({ failures, since }: { failures: number; since: number | null }) {
  return { failures, since };
}
