/** Tests that each time limit fits the limits that it depends on. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TIMEOUTS } from '../../delivery/timeouts.ts';

for (const [what, shorter, longer] of [
  ['an attempt becomes stale before the time to start sending ends', 'staleMarkMs', 'startSendingMs'],
  ['an HTTP exchange ends within its activity', 'httpMs', 'callMs'],
  ['a stopping worker finishes its HTTP exchange (F29)', 'httpMs', 'shutdownGraceMs'],
  ['a stopping worker is not killed during its grace period (F29)', 'shutdownGraceMs', 'stopMs'],
  ['the server ends a statement before the client gives up', 'statementMs', 'queryMs'],
  ['a local retry pause within a workflow task is shorter than a local activity', 'localRetryMs', 'localActivityMs'],
  ['activities send heartbeats more often than the SDK forwards them', 'heartbeatEveryMs', 'heartbeatThrottleMs'],
  ['the late arrival limit exceeds the HTTP time-out', 'httpMs', 'lateArrivalMs'],
] as const) {
  test(what, () => assert.ok(TIMEOUTS[shorter] < TIMEOUTS[longer], `${shorter} < ${longer}`));
}

test('an activity is lost only after three missed heartbeats', () => {
  assert.ok(4 * TIMEOUTS.heartbeatThrottleMs <= TIMEOUTS.heartbeatMs);
});

test('a send that starts at the end of the grace period has time for a read, a write and its record (F29)', () => {
  const { shutdownGraceMs, startSendingMs, httpMs, storeAnswerMs, stopMs } = TIMEOUTS;
  assert.ok(shutdownGraceMs + startSendingMs + 2 * httpMs + storeAnswerMs < stopMs);
});

test('an unanswered request can arrive for at least 90 s', () => assert.ok(TIMEOUTS.lateArrivalMs >= 90_000));

test('one activity has time to format, prepare, look up, read and update the post, and store the answer', () => {
  const formattingMs = 30_000;
  const termsMs = 20_000;
  assert.ok(formattingMs + termsMs + 2 * TIMEOUTS.httpMs + TIMEOUTS.storeAnswerMs < TIMEOUTS.callMs);
});
