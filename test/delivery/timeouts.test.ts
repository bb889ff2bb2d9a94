import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TIMEOUTS } from '../../delivery/timeouts.ts';

for (const [what, shorter, longer] of [
  ['an attempt is given up as stale before the time to start sending is over', 'staleMarkMs', 'startSendingMs'],
  ['a slow activity may miss a heartbeat', 'heartbeatEveryMs', 'heartbeatMs'],
  ['an HTTP exchange ends within its activity', 'httpMs', 'callMs'],
  ['the server ends a statement before the client gives it up', 'statementMs', 'queryMs'],
  ['a local activity is retried in place for less time than it may take', 'localRetryMs', 'localActivityMs'],
] as const) {
  test(what, () => assert.ok(TIMEOUTS[shorter] < TIMEOUTS[longer], `${shorter} < ${longer}`));
}

test('one activity has time to format, to prepare, to read the post and to update it', () => {
  const formattingMs = 30_000;
  const termsMs = 20_000;
  assert.ok(formattingMs + termsMs + 2 * TIMEOUTS.httpMs < TIMEOUTS.callMs);
});
