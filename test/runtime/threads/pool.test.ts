import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createThreadPool } from '../../../runtime/threads/pool.ts';
import type { TimedTask } from './support/timed-thread.ts';

const OPTIONS = {
  filename: new URL('./support/timed-thread.ts', import.meta.url).href,
  minThreads: 1,
  maxThreads: 1,
  timeLimitMs: 200,
  maxWaitMs: 60_000,
} as const;

/** Far above the time in which a busy machine gives a thread its processor time. */
const pool = createThreadPool<TimedTask, string>({ ...OPTIONS, wallLimitMs: 60_000 });
const impatientPool = createThreadPool<TimedTask, string>({ ...OPTIONS, wallLimitMs: 500 });
after(() => Promise.all([pool.destroy(), impatientPool.destroy()]));

test('a task that waits on a busy machine is not slow: the limit applies to its processor time', async () => {
  assert.equal(await pool.run('ada', { idleMs: 600, busyMs: 50 }), 'done');
});

test('processor time of earlier tasks in the thread is not counted', async () => {
  for (let times = 0; times < 3; times++) assert.equal(await pool.run('ada', { idleMs: 210, busyMs: 120 }), 'done');
});

test('a task that exceeds its processor time is ended', async () => {
  await assert.rejects(pool.run('ada', { idleMs: 0, busyMs: 60_000 }), {
    ...{ name: 'ThreadLimitError', limit: 'time', message: 'the limit of time was reached' },
  });
  assert.deepEqual(pool.load(), { running: 0, waiting: 0 });
});

test('a task that got too little processor time for too long ends like one without a thread', async () => {
  const tooSlow = impatientPool.run('ada', { idleMs: 60_000, busyMs: 0 });
  await assert.rejects(tooSlow, { name: 'ThreadLimitError', limit: 'wait' });
});
