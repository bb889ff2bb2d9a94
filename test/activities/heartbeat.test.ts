/** Heartbeats of a running activity. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MockActivityEnvironment } from '@temporalio/testing';
import { withHeartbeat } from '../../activities/heartbeat.ts';
import { TIMEOUTS } from '../../delivery/timeouts.ts';

test('an activity sends heartbeats until it ends, also with an error', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  for (const end of [async () => 'done', () => Promise.reject(new Error('failed'))]) {
    const environment = new MockActivityEnvironment();
    let beats = 0;
    environment.on('heartbeat', () => {
      beats += 1;
    });
    const work = async () => {
      t.mock.timers.tick(TIMEOUTS.heartbeatEveryMs - 1);
      assert.equal(beats, 0);
      t.mock.timers.tick(1);
      t.mock.timers.tick(TIMEOUTS.heartbeatEveryMs);
      return end();
    };
    const result = await environment.run(() => withHeartbeat(work)).catch((error: Error) => error.message);
    assert.deepEqual([result, beats], [result === 'done' ? 'done' : 'failed', 2]);
    t.mock.timers.tick(10 * TIMEOUTS.heartbeatEveryMs);
    assert.equal(beats, 2);
  }
});
