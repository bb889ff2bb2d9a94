import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { collectWhenIdle } from '../../../runtime/threads/collect-when-idle.ts';

const LOOK_EVERY_MS = 200;

test('an idle process releases its memory once, and again after a busy period', async (t) => {
  const { count } = watch(t, { atMostEveryMs: 0 });
  await sleep(6 * LOOK_EVERY_MS);
  assert.equal(count(), 1);
  work(3 * LOOK_EVERY_MS);
  await sleep(6 * LOOK_EVERY_MS);
  assert.equal(count(), 2);
});

test('a process with short busy periods is not paused for each of them', async (t) => {
  const { count } = watch(t, { atMostEveryMs: 60_000 });
  await sleep(6 * LOOK_EVERY_MS);
  work(3 * LOOK_EVERY_MS);
  await sleep(6 * LOOK_EVERY_MS);
  assert.equal(count(), 1);
});

function watch(
  t: { after: (end: () => void) => void },
  { atMostEveryMs: minCollectIntervalMs }: { atMostEveryMs: number },
) {
  let collections = 0;
  const collect = async () => {
    collections += 1;
  };
  const { stop } = collectWhenIdle({
    thoroughness: 'usual',
    checkIntervalMs: LOOK_EVERY_MS,
    minCollectIntervalMs,
    collect,
  });
  t.after(stop);
  return { count: () => collections };
}

function work(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}
