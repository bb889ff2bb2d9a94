import assert from 'node:assert/strict';
import { performance } from 'node:perf_hooks';
import { mock, type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { collectWhenIdle } from '../../../runtime/threads/collect-when-idle.ts';
import { eventually } from '../../support/eventually.ts';

const CHECK_INTERVAL_MS = 200;

const [IDLE, BUSY] = [0.01, 0.9];

test('an idle process releases its memory once, and again after a busy period', (t) => {
  const { check, count } = watch(t, { minCollectIntervalMs: 0 });
  check(BUSY);
  assert.equal(count(), 0);
  check(IDLE, IDLE, IDLE);
  assert.equal(count(), 1);
  check(BUSY, BUSY);
  assert.equal(count(), 1);
  check(IDLE, IDLE, IDLE);
  assert.equal(count(), 2);
});

test('a process with short busy periods is not paused for each of them', (t) => {
  const { check, count } = watch(t, { minCollectIntervalMs: 60_000 });
  check(IDLE, BUSY, IDLE, BUSY, IDLE);
  assert.equal(count(), 1);
});

test('the utilization of this process differs between a busy and an idle period', async (t) => {
  let collections = 0;
  const collect = async () => {
    collections += 1;
  };
  const { stop } = collectWhenIdle({ ...OPTIONS, minCollectIntervalMs: 0, collect });
  t.after(stop);
  work(3 * CHECK_INTERVAL_MS);
  // The check that is due comes first.
  await sleep(1);
  assert.equal(collections, 0);
  await eventually('the collection of the idle process', async () => collections > 0);
});

const OPTIONS = { thoroughness: 'usual', checkIntervalMs: CHECK_INTERVAL_MS } as const;

/** `check` passes one interval for each of these utilizations. A real one depends on the machine. */
function watch(t: TestContext, { minCollectIntervalMs }: { minCollectIntervalMs: number }) {
  let utilization = 0;
  const read = mock.method(performance, 'eventLoopUtilization', () => ({ idle: 0, active: 0, utilization }));
  t.after(() => read.mock.restore());
  t.mock.timers.enable({ apis: ['setInterval'] });
  let collections = 0;
  const collect = async () => {
    collections += 1;
  };
  const { stop } = collectWhenIdle({ ...OPTIONS, minCollectIntervalMs, collect });
  t.after(stop);
  const check = (...utilizations: number[]) => {
    for (const one of utilizations) {
      utilization = one;
      t.mock.timers.tick(CHECK_INTERVAL_MS);
    }
  };
  return { check, count: () => collections };
}

function work(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}
