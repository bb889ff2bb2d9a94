/** What its author reads of an attempt that was lost before an answer to it was written down: that nobody knows how it ended, and what is done. */
import type { AttemptStep, InFlight } from './types.ts';

/** `step`: what is due by now. Null where there is no such attempt, or where what is due says more. */
export function describeUnanswered(inFlight: InFlight | null, step: AttemptStep): string | null {
  if (inFlight === null || inFlight.answer !== null) return null;
  const next = describeNext(inFlight, step);
  return next && `${LOST} ${next}`;
}

const LOST = 'Nobody knows yet how the last attempt ended: it was cut off before an answer to it was written down.';

function describeNext({ action }: InFlight, step: AttemptStep): string | null {
  switch (step.kind) {
    case 'reconcile':
      if (step.canFind) return 'The destination is asked whether the post is there before anything else is sent.';
      return step.repeatInMs === null
        ? LOOK_THERE
        : 'The very same request is sent once more, which the destination answers with the post that the first one made.';
    case 'settle':
      return action === 'create' ? LOOK_THERE : WAITING;
    case 'update':
    case 'withdraw':
      if (step.kind === action) return REPEATED;
      return step.kind === 'withdraw' ? TAKEN_BACK : null;
    default:
      return null;
  }
}

const LOOK_THERE = 'The destination cannot be asked; where no answer comes, you are asked to look there.';
const REPEATED = 'It is sent once more.';
const TAKEN_BACK = 'The post is taken back at once, and once more when that cannot arrive there any more.';
const WAITING = 'What is due by now is sent once that cannot arrive there any more.';
