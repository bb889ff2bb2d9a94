/** Worker thread that draws cards, one at a time. */
import { setImmediate as nextTick } from 'node:timers/promises';
import type { Card } from '../../../article/cards/card.ts';
import type { InThread } from '../../../runtime/threads/pool.ts';
import { markTaskStarted } from '../../../runtime/threads/task-clock.ts';
import { drawCard } from './draw-card.ts';

export interface CardTask {
  card: Card;
}

export default async function runTask({ card, begun }: InThread<CardTask>): Promise<Uint8Array> {
  markTaskStarted(begun);
  const picture = await drawCard(card);
  // resvg frees its 3 MB of pixels in an event loop iteration, which a busy thread never reaches by
  // itself. Without this line, a thousand cards took 3 GB.
  await nextTick();
  return picture;
}
