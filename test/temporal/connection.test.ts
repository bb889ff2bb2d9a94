/** The connection to Temporal, when the process that holds it ends. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isGrpcCancelledError } from '@temporalio/client';
import { findFreePort } from '../../scripts/start/ports.ts';
import { createLazyClient, loadTemporalConfig } from '../../temporal/connection.ts';

test('a call that waits to be repeated ends with the connection, and the process does not', async (t) => {
  const address = `127.0.0.1:${await findFreePort()}`;
  const { client, close } = createLazyClient(loadTemporalConfig({ TEMPORAL_ADDRESS: address }));
  const uncaught: unknown[] = [];
  const note = (error: unknown) => uncaught.push(error);
  process.on('uncaughtException', note);
  t.after(() => process.off('uncaughtException', note));
  const call = assert.rejects(client.connection.workflowService.getSystemInfo({}), (error) => {
    assert.ok(isGrpcCancelledError(error), String(error));
    return true;
  });
  // Nothing listens there: it is refused at once, and repeated after 100, 150, 225 ms and so on.
  await new Promise((resolve) => setTimeout(resolve, 500));
  await close();
  await Promise.race([call, new Promise((resolve) => setTimeout(resolve, 5_000))]);
  assert.deepEqual(uncaught, []);
  await call;
});
