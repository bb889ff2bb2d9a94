/** A thread that keeps much memory, and reports its id, its memory and the number of its rests. */
import { threadId } from 'node:worker_threads';
import { collectGarbage } from '../../../../runtime/threads/collect-garbage.ts';
import type { InThread } from '../../../../runtime/threads/pool.ts';
import { markTaskStarted } from '../../../../runtime/threads/task-clock.ts';

export interface HoardTask {
  strings: number;
}

export interface Hoard {
  threadId: number;
  heapMb: number;
  rests: number;
  strings: number;
}

let rests = 0;

export default function hoard({ begun, strings }: InThread<HoardTask>): Hoard {
  markTaskStarted(begun);
  const { length } = Array.from({ length: strings }, (_, at) => ({ at, text: `text ${at}` }));
  return { threadId, heapMb: process.memoryUsage().heapTotal / 1_048_576, rests, strings: length };
}

export async function collectIdleGarbage(): Promise<void> {
  rests += 1;
  await collectGarbage('thorough');
}
