import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createThreadPool } from '../../../runtime/threads/pool.ts';
import type { Hoard, HoardTask } from './support/hoarding-thread.ts';

const pool = createThreadPool<HoardTask, Hoard>({
  filename: new URL('./support/hoarding-thread.ts', import.meta.url).href,
  minThreads: 1,
  maxThreads: 1,
  timeLimitMs: 10_000,
  wallLimitMs: 30_000,
  maxWaitMs: 60_000,
  restDelayMs: 300,
});
after(() => pool.destroy());

test('a warm thread releases the memory of its tasks, once after each busy period', async () => {
  const loaded = await pool.run('ada', { strings: 200_000 });
  await sleep(1_500);
  const rested = await pool.run('ada', { strings: 0 });
  assert.equal(rested.threadId, loaded.threadId);
  assert.equal(rested.rests, loaded.rests + 1);
  assert.ok(rested.heapMb < loaded.heapMb - 10, `${loaded.heapMb} MB before, ${rested.heapMb} MB after`);
  await sleep(1_500);
  assert.equal((await pool.run('ada', { strings: 0 })).rests, rested.rests + 1);
});
