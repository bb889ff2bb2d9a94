import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pino } from 'pino';
import { connectWithRetries } from '../../worker/connect-temporal.ts';
import { readTemporalAddress } from '../support/environment.ts';

test('a Temporal server that accepts the connection and answers too late is tried again', async (context) => {
  const warnings: string[] = [];
  const log = pino({ base: null }, { write: (line: string) => void warnings.push(line) });
  const config = { connectionOptions: { address: readTemporalAddress() }, namespace: 'default' };
  let attempts = 0;
  const { connection, native } = await connectWithRetries(config, log, async (candidate) => {
    attempts += 1;
    const deadline = attempts === 1 ? Date.now() - 1 : Date.now() + 60_000;
    await candidate.withDeadline(deadline, () => candidate.workflowService.getSystemInfo({}));
  });
  context.after(() => Promise.all([connection.close(), native.close()]));
  assert.equal(attempts, 2);
  assert.equal(warnings.length, 1);
  const { msg, level, reason, next, waitMs } = JSON.parse(warnings[0] ?? '{}') as Record<string, unknown>;
  assert.deepEqual([msg, level, waitMs], ['Temporal is unavailable; retrying', 40, 500]);
  assert.match(String(reason), /^Temporal at .+, namespace default cannot be reached: /);
  assert.equal(next, 'Check that it is running and that TEMPORAL_ADDRESS is its host and port.');
  await connection.workflowService.getSystemInfo({});
});
