/**
 * A thread that keeps much memory, and reports its id, its memory and the number of its rests. Each
 * rest is also announced, because a task to ask for it would end the idle period.
 */
import { BroadcastChannel, threadId } from 'node:worker_threads';
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

/** Receives the number of rests after each. */
export const RESTS = 'rests of the hoarding thread';

let rests = 0;
const announcements = new BroadcastChannel(RESTS);
announcements.unref();

export default function hoard({ begun, strings }: InThread<HoardTask>): Hoard {
  markTaskStarted(begun);
  const { length } = Array.from({ length: strings }, (_, at) => ({ at, text: `text ${at}` }));
  return { threadId, heapMb: process.memoryUsage().heapTotal / 1_048_576, rests, strings: length };
}

export async function collectIdleGarbage(): Promise<void> {
  rests += 1;
  await collectGarbage('thorough');
  announcements.postMessage(rests);
}
