/** Tests the connection to Temporal at the end of its process. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isGrpcCancelledError } from '@temporalio/client';
import { findFreePort } from '../../scripts/start/ports.ts';
import { createLazyClient, loadTemporalConfig } from '../../temporal/connection.ts';

test('closing the connection cancels a call that waits for a retry, without an uncaught error', async (t) => {
  const address = `127.0.0.1:${await findFreePort()}`;
  const { client, close } = createLazyClient(loadTemporalConfig({ TEMPORAL_ADDRESS: address }));
  const uncaught: unknown[] = [];
  const note = (error: unknown) => uncaught.push(error);
  process.on('uncaughtException', note);
  t.after(() => process.off('uncaughtException', note));
  const call = assert.rejects(client.connection.workflowService.getSystemInfo({}), (error) => {
    assert.ok(isGrpcCancelledError(error), String(error));
    assert.match(String(error), /The connection to Temporal was closed while the call waited for a retry\./);
    return true;
  });
  // No server listens: the call is refused at once and retried after 100, 150, 225 ms and so on.
  await new Promise((resolve) => setTimeout(resolve, 500));
  await close();
  await Promise.race([call, new Promise((resolve) => setTimeout(resolve, 5_000))]);
  assert.deepEqual(uncaught, []);
  await call;
});
