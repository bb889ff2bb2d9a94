/** What the thread of cards does, one card at a time. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Card } from '../../../article/cards/card.ts';
import { markBegun } from '../../../threads/begun.ts';
import type { InThread } from '../../../threads/pool.ts';
import { drawCard } from './draw-card.ts';

export interface CardTask {
  card: Card;
}

export default async function runTask({ card, begun }: InThread<CardTask>): Promise<Uint8Array> {
  markBegun(begun);
  const picture = await drawCard(card);
  // Resvg's 3 MB of pixels are given back in a turn of the event loop, of which a thread with more to do has none by itself: a thousand cards took 3 GB.
  await nextTurn();
  return picture;
}
