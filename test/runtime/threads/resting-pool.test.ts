import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { BroadcastChannel } from 'node:worker_threads';
import { createThreadPool } from '../../../runtime/threads/pool.ts';
import { eventually } from '../../support/eventually.ts';
import { type Hoard, type HoardTask, RESTS } from './support/hoarding-thread.ts';

const REST_DELAY_MS = 300;

const pool = createThreadPool<HoardTask, Hoard>({
  filename: new URL('./support/hoarding-thread.ts', import.meta.url).href,
  minThreads: 1,
  maxThreads: 1,
  timeLimitMs: 10_000,
  wallLimitMs: 30_000,
  maxWaitMs: 60_000,
  restDelayMs: REST_DELAY_MS,
});
after(() => pool.destroy());

test('a warm thread releases the memory of its tasks, once after each busy period', async (t) => {
  let rests = 0;
  const announcements = new BroadcastChannel(RESTS);
  announcements.onmessage = ({ data }) => {
    rests = data;
  };
  t.after(() => announcements.close());
  const loaded = await pool.run('ada', { strings: 200_000 });
  await eventually('the first rest', async () => rests > loaded.rests);
  // No second rest follows without a task.
  await sleep(2 * REST_DELAY_MS);
  const rested = await pool.run('ada', { strings: 0 });
  assert.equal(rested.threadId, loaded.threadId);
  assert.equal(rested.rests, loaded.rests + 1);
  assert.ok(rested.heapMb < loaded.heapMb - 10, `${loaded.heapMb} MB before, ${rested.heapMb} MB after`);
  await eventually('the second rest', async () => rests > rested.rests);
  assert.equal((await pool.run('ada', { strings: 0 })).rests, rested.rests + 1);
});
