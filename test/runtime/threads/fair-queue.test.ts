import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createFairQueue, WaitedTooLongError } from '../../../runtime/threads/fair-queue.ts';

test('one author’s many large articles use one slot, and others alternate with them (A28)', async () => {
  const queue = createFairQueue({ maxRunning: 2, maxWaitMs: 60_000 });
  const order: string[] = [];
  let maxRunning = 0;
  let working = 0;
  const run = (owner: string, name: string) =>
    queue.run(owner, async () => {
      order.push(name);
      if (owner === 'a') maxRunning = Math.max(maxRunning, ++working);
      await sleep(5);
      if (owner === 'a') working--;
    });
  const many = Array.from({ length: 6 }, (_, index) => run('a', `a${index}`));
  const others = [run('b', 'b0'), run('c', 'c0'), run('b', 'b1'), run('c', 'c1')];
  await Promise.all([...many, ...others]);
  assert.equal(maxRunning, 1, 'one slot an author');
  assert.deepEqual(order.slice(0, 2).sort(), ['a0', 'b0']);
  assert.ok(order.indexOf('c1') < order.indexOf('a3'), order.join(' '));
});

test('work that throws releases its slot', async () => {
  const queue = createFairQueue({ maxRunning: 1, maxWaitMs: 60_000 });
  await assert.rejects(
    queue.run('a', async () => {
      throw new Error('no');
    }),
    /no/,
  );
  assert.equal(await queue.run('a', async () => 'next'), 'next');
});

test('an entry that waits too long is rejected, does not run, and uses no slot', async () => {
  const queue = createFairQueue({ maxRunning: 1, maxWaitMs: 50 });
  const ran: string[] = [];
  const { promise: blocked, resolve: release } = Promise.withResolvers<void>();
  const first = queue.run('a', () => blocked);
  const tooLate = [queue.run('a', async () => ran.push('a')), queue.run('b', async () => ran.push('b'))];
  const refusal = { name: 'WaitedTooLongError', message: 'no slot within 0.05 s' };
  for (const one of tooLate) await assert.rejects(one, refusal);
  const inTime = queue.run('c', async () => ran.push('c'));
  release();
  await Promise.all([first, inTime]);
  assert.deepEqual(ran, ['c']);
});

test('above the maximum length, the owner with the most entries loses the last one at once', async () => {
  const queue = createFairQueue({ maxRunning: 1, maxWaitMs: 60_000, maxWaiting: 3 });
  const { promise: blocked, resolve: release } = Promise.withResolvers<void>();
  const order: string[] = [];
  const run = (owner: string, name: string) => queue.run(owner, async () => void order.push(name));
  const first = queue.run('a', () => blocked);
  const many = ['a1', 'a2', 'a3'].map((name) => run('a', name));
  const refusal = { name: 'WaitedTooLongError', message: '3 others wait' };
  const crowdedOut = assert.rejects(many[2] as Promise<void>, refusal);
  const other = run('b', 'b1');
  await crowdedOut;
  await assert.rejects(run('a', 'a4'), WaitedTooLongError);
  assert.deepEqual(queue.load(), { running: 1, waiting: 3 });
  release();
  await Promise.all([first, many[0], many[1], other]);
  assert.deepEqual(order, ['b1', 'a1', 'a2']);
  assert.deepEqual(queue.load(), { running: 0, waiting: 0 });
  await run('a', 'a5');
});

test('an owner may use several slots up to a limit', async () => {
  const queue = createFairQueue({ maxRunning: 3, maxRunningPerOwner: 2, maxWaitMs: 60_000 });
  const { promise: blocked, resolve: release } = Promise.withResolvers<void>();
  const mine = [1, 2, 3].map(() => queue.run('a', () => blocked));
  assert.deepEqual(queue.load(), { running: 2, waiting: 1 });
  assert.equal(await queue.run('b', async () => 'at once'), 'at once');
  release();
  await Promise.all(mine);
});
