/** Builds the author's message for an attempt interrupted before its answer was stored. Pure. */
import type { AttemptStep, InFlight } from './types.ts';

/** `step`: the due step. Null if there is no such attempt, or if the step has its own message. */
export function describeUnanswered(inFlight: InFlight | null, step: AttemptStep): string | null {
  if (inFlight === null || inFlight.answer !== null) return null;
  const next = describeNext(inFlight, step);
  return next && `${LOST} ${next}`;
}

const LOST = 'It is not known yet how the last attempt ended: it was interrupted before its answer was stored.';

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
      return step.kind === 'withdraw' ? WITHDRAWN_TWICE : null;
    default:
      return null;
  }
}

const LOOK_THERE = 'The destination cannot be asked; where no answer comes, you are asked to look there.';
const REPEATED = 'The request is repeated.';
const WITHDRAWN_TWICE = 'The post is withdrawn now, and again when the unanswered request can no longer arrive.';
const WAITING = 'What is due now is sent when the unanswered request can no longer arrive.';
