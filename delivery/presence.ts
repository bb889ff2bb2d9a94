/** Whether a copy exists at its account and readers find it, by the answers. Pure; the table is in `test/delivery/presence.test.ts`. */
import type { DeliveryAction, DestinationAnswer, Presence } from './types.ts';

/**
 * `open`: sent, outcome not known. `lost`: ended without an answer. `nothing`: refused, or a look-up found no post.
 * `gone`: deleted at the destination. `foreign`: belongs to somebody else.
 */
export type CopyAnswer = 'open' | 'done' | 'deleted' | 'nothing' | 'gone' | 'foreign' | 'lost';

export function nextPresence(before: Presence, action: DeliveryAction, answer: CopyAnswer): Presence {
  // The post is gone, and its id may be another's.
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
      return open(before, action);
    case 'nothing':
      return before === 'uncertain' ? NOTHING[action] : before;
    // Treated as live, so that it is withdrawn if the article is not to be there.
    case 'lost':
      return before === 'uncertain' && action === 'update' ? 'live' : before;
  }
}

function open(before: Presence, action: DeliveryAction): Presence {
  if (action === 'create') return before === 'live' ? before : 'uncertain';
  return action === 'update' && before === 'hidden' ? 'uncertain' : before;
}

const NOTHING = { create: 'absent', update: 'hidden', withdraw: 'uncertain' } as const;

export function readCopyAnswer(answer: DestinationAnswer): CopyAnswer {
  if (answer.kind === 'done') return answer.deleted ? 'deleted' : 'done';
  if (answer.kind === 'unknown') return 'open';
  if (answer.kind !== 'rejected') return 'nothing';
  if (answer.code === 'remote_gone') return 'gone';
  if (answer.code === 'remote_not_ours') return 'foreign';
  return answer.maybeSaved ? 'open' : 'nothing';
}
