/** What the thread of cards does, one card at a time. */
import type { Card } from '../../article/cards/card.ts';
import { markBegun } from '../../threads/begun.ts';
import type { InThread } from '../../threads/pool.ts';
import { drawCard } from './draw-card.ts';

export interface CardTask {
  card: Card;
}

export default function runTask({ card, begun }: InThread<CardTask>): Promise<Uint8Array> {
  markBegun(begun);
  return drawCard(card);
}
