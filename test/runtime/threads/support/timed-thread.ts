/** A thread with a task that takes time with no or full use of the processor. */

import type { InThread } from '../../../../runtime/threads/pool.ts';
import { markTaskStarted, toProcessorMs } from '../../../../runtime/threads/task-clock.ts';

export interface TimedTask {
  idleMs: number;
  busyMs: number;
}

export default function runTimed({ begun, idleMs, busyMs }: InThread<TimedTask>): string {
  markTaskStarted(begun);
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, idleMs);
  const before = toProcessorMs(process.threadCpuUsage());
  while (toProcessorMs(process.threadCpuUsage()) - before < busyMs);
  return 'done';
}
