import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TIMEOUTS } from '../../delivery/timeouts.ts';

for (const [what, shorter, longer] of [
  [
    'an attempt with a stale mark is given up while its request still counts as possible',
    'staleMarkMs',
    'startSendingMs',
  ],
  ['a slow activity may miss heartbeats', 'heartbeatEveryMs', 'heartbeatMs'],
  ['an HTTP exchange ends within its activity', 'httpMs', 'callMs'],
  ['the server ends a statement before the client gives it up', 'statementMs', 'queryMs'],
  ['a local activity is retried in place for less than it may take', 'localRetryMs', 'localActivityMs'],
] as const) {
  test(what, () => assert.ok(TIMEOUTS[shorter] < TIMEOUTS[longer], `${shorter} < ${longer}`));
}

test('an update is looked at and sent within one activity, after formatting and preparing', () => {
  const formattingMs = 30_000;
  const termsMs = 20_000;
  assert.ok(formattingMs + termsMs + 2 * TIMEOUTS.httpMs < TIMEOUTS.callMs);
});
