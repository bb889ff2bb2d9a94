/** A loop of steps: its pauses, what ends them, and its end. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { computeRestMs } from '../../../api/background/deriver.ts';
import { type Pause, sleep, startLoop } from '../../../api/background/loop.ts';
import { eventually } from '../../support/eventually.ts';

const turn = (ms = 30) => new Promise((resolve) => setTimeout(resolve, ms));

function countSteps(pause: Pause, chooseDelayMs?: () => number) {
  let steps = 0;
  const step = async () => {
    steps += 1;
    return pause;
  };
  const loop = startLoop(step, chooseDelayMs);
  return { loop, count: () => steps };
}

test('a loop runs its step at once, and again after each pause', async () => {
  const { loop, count } = countSteps({ ms: 5 });
  await eventually('three steps', async () => count() >= 3);
  await loop.stop();
  const stopped = count();
  await turn();
  assert.equal(count(), stopped);
});

test('a nudge ends a pause, unless the pause must be complete', async () => {
  const nudged = countSteps({ ms: 60_000 });
  await turn();
  for (let n = 0; n < 3; n++) nudged.loop.nudge();
  await eventually('one more step', async () => nudged.count() === 2);
  await turn();
  assert.equal(nudged.count(), 2, 'several nudges at once are one');
  nudged.loop.nudge();
  await eventually('another step', async () => nudged.count() === 3);
  const whole = countSteps({ ms: 60_000, endsOnNudge: false });
  await turn();
  whole.loop.nudge();
  await turn();
  assert.equal(whole.count(), 1);
  await Promise.all([nudged.loop.stop(), whole.loop.stop()]);
});

test('a nudge during a step prevents the pause after it; one during the delay belongs to the next step', async () => {
  let steps = 0;
  const loop = startLoop(async () => {
    steps += 1;
    if (steps === 1) loop.nudge();
    return { ms: 60_000 };
  });
  await eventually('the second step', async () => steps === 2);
  await loop.stop();
  const delayed = countSteps({ ms: 60_000 }, () => 60);
  delayed.loop.nudge();
  await turn(20);
  assert.equal(delayed.count(), 0);
  await eventually('the step', async () => delayed.count() === 1);
  await turn();
  assert.equal(delayed.count(), 1);
  await delayed.loop.stop();
});

test('stop resolves after the current step, and aborts its signal', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const order: string[] = [];
  const loop = startLoop(async (stopping) => {
    stopping.addEventListener('abort', () => order.push('aborted'));
    await promise;
    order.push('step');
    return { ms: 60_000 };
  });
  await turn(5);
  const stopped = loop.stop().then(() => order.push('stopped'));
  await turn(5);
  resolve();
  await stopped;
  assert.deepEqual(order, ['aborted', 'step', 'stopped']);
});

test('an aborted sleep ends early, without an error', async () => {
  const abort = new AbortController();
  const started = performance.now();
  setTimeout(() => abort.abort(), 10);
  await sleep(60_000, abort.signal);
  assert.ok(performance.now() - started < 5_000);
});

test('deriving takes a fifth of the time, with pauses of ten seconds at most', () => {
  assert.deepEqual([0, 100, 2_500, 2_501, 60_000].map(computeRestMs), [0, 400, 10_000, 10_000, 10_000]);
});
