/** Builds the author's message for an attempt interrupted before its answer was stored. Pure. */
import type { AttemptStep, InFlight } from './types.ts';

/** `step`: the due step. Null if there is no such attempt, or if the step has its own message. */
export function describeUnknownAttempt(inFlight: InFlight | null, step: AttemptStep): string | null {
  if (inFlight === null || inFlight.answer !== null) return null;
  const next = describeNext(inFlight, step);
  return next && `${INTERRUPTED} ${next}`;
}

const INTERRUPTED =
  'The outcome of the last attempt is not known yet: it was interrupted before the response was stored.';

function describeNext({ action }: InFlight, step: AttemptStep): string | null {
  switch (step.kind) {
    case 'reconcile':
      if (step.canFind) return 'Before anything else is sent, Courant checks whether the destination has the post.';
      return step.repeatInMs === null
        ? CHECK_THERE
        : 'The identical request is sent once more; the destination responds with the post that the first one created.';
    case 'wait':
      return action === 'create' ? CHECK_THERE : WAITING;
    case 'update':
    case 'withdraw':
      if (step.kind === action) return REPEATED;
      return step.kind === 'withdraw' ? WITHDRAWN_TWICE : null;
    default:
      return null;
  }
}

const CHECK_THERE = 'Courant cannot check the destination. If no response arrives, check there yourself.';
const REPEATED = 'The request is repeated.';
const WITHDRAWN_TWICE = 'The post is withdrawn now, and again when the interrupted request can no longer arrive.';
const WAITING = 'The due change is sent when the interrupted request can no longer arrive.';
