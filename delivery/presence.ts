/** Derives a copy's presence from the destination's answers. Pure. */
import type { DeliveryAction, DestinationAnswer, Presence } from './types.ts';

/**
 * `open`: sent, outcome unknown. `lost`: ended without an answer. `nothing`: rejected, or a look-up
 * found no post. `gone`: deleted at the destination. `foreign`: owned by another account.
 */
export type CopyAnswer = 'open' | 'done' | 'deleted' | 'nothing' | 'gone' | 'foreign' | 'lost';

export function nextPresence(before: Presence, action: DeliveryAction, answer: CopyAnswer): Presence {
  // There is no copy; the id may belong to another post.
  if (action === 'withdraw' && before === 'absent') return 'absent';
  switch (answer) {
    case 'deleted':
      return 'deleted';
    case 'foreign':
      return 'absent';
    case 'done':
      return action === 'withdraw' ? 'hidden' : 'live';
    case 'gone':
      return action === 'withdraw' ? 'deleted' : 'absent';
    case 'open':
      return nextOpenPresence(before, action);
    case 'nothing':
      return before === 'uncertain' ? AFTER_NOTHING[action] : before;
    // Treated as live, so that a copy that should not exist is withdrawn.
    case 'lost':
      return before === 'uncertain' && action === 'update' ? 'live' : before;
  }
}

function nextOpenPresence(before: Presence, action: DeliveryAction): Presence {
  if (action === 'create') return before === 'live' ? before : 'uncertain';
  return action === 'update' && before === 'hidden' ? 'uncertain' : before;
}

const AFTER_NOTHING = { create: 'absent', update: 'hidden', withdraw: 'uncertain' } as const;

export function readCopyAnswer(answer: DestinationAnswer): CopyAnswer {
  if (answer.kind === 'done') return answer.deleted ? 'deleted' : 'done';
  if (answer.kind === 'unknown') return 'open';
  if (answer.kind !== 'rejected') return 'nothing';
  if (answer.code === 'remote_gone') return 'gone';
  if (answer.code === 'remote_not_ours') return 'foreign';
  return answer.mayBeSaved ? 'open' : 'nothing';
}
