import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TIMEOUTS } from '../../delivery/timeouts.ts';

for (const [what, shorter, longer] of [
  ['an attempt is given up as stale before the time to start sending is over', 'staleMarkMs', 'startSendingMs'],
  ['an HTTP exchange ends within its activity', 'httpMs', 'callMs'],
  ['a worker that is stopped alone finishes its HTTP exchange (F29)', 'httpMs', 'shutdownGraceMs'],
  ['a worker that is stopped is not ended by force while its calls end (F29)', 'shutdownGraceMs', 'stopMs'],
  ['the server ends a statement before the client gives it up', 'statementMs', 'queryMs'],
  ['a local activity is retried in place for less time than it may take', 'localRetryMs', 'localActivityMs'],
  ['a heartbeat is there to be passed on whenever the SDK does so', 'heartbeatEveryMs', 'heartbeatPassedOnMs'],
  ['a request may arrive later than the longest time that we wait for its answer', 'httpMs', 'lateArrivalMs'],
] as const) {
  test(what, () => assert.ok(TIMEOUTS[shorter] < TIMEOUTS[longer], `${shorter} < ${longer}`));
}

test('a busy worker may miss three heartbeats before its activity counts as lost', () => {
  assert.ok(4 * TIMEOUTS.heartbeatPassedOnMs <= TIMEOUTS.heartbeatMs);
});

test('a worker that begins to send at the end of its grace still has time for a look, a write and its record (F29)', () => {
  const { shutdownGraceMs, startSendingMs, httpMs, keepAnswerMs, stopMs } = TIMEOUTS;
  assert.ok(shutdownGraceMs + startSendingMs + 2 * httpMs + keepAnswerMs < stopMs);
});

test('what nobody answered is waited for at least 90 s', () => assert.ok(TIMEOUTS.lateArrivalMs >= 90_000));

test('one activity has time to format, to prepare, to look, to read the post, to update it and to write the answer down', () => {
  const formattingMs = 30_000;
  const termsMs = 20_000;
  assert.ok(formattingMs + termsMs + 2 * TIMEOUTS.httpMs + TIMEOUTS.keepAnswerMs < TIMEOUTS.callMs);
});
