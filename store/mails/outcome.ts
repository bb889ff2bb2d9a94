/** The outcome of a mail and the state that results from it. */
import type { MailState } from '../db/types.ts';

export type FinalMailOutcome =
  | { kind: 'sent' | 'deleted' }
  | { kind: 'skipped' | 'unknown'; reason: string }
  | { kind: 'refused'; reason: string; cause: 'recipient' | 'unclear' | 'message' }
  /** Not sent, and not retried. */
  | { kind: 'failed'; reason: string };

/** Idempotent. A final state does not change, except that `unknown` may become `sent`. */
export function resolveMailState(current: MailState, outcome: FinalMailOutcome): MailState {
  if (outcome.kind === 'deleted') return current;
  if (current === 'pending' || current === 'sending') {
    // It failed or was skipped, but an earlier attempt may have sent the mail.
    const mayBeSent = current === 'sending' && (outcome.kind === 'failed' || outcome.kind === 'skipped');
    return mayBeSent ? 'unknown' : outcome.kind;
  }
  return current === 'unknown' && outcome.kind === 'sent' ? 'sent' : current;
}

/** The outcome that a row already records; null if the mail is still to be sent. */
export function readFinalOutcome({
  state,
  reason,
}: {
  state: MailState;
  reason: string | null;
}): FinalMailOutcome | null {
  switch (state) {
    case 'pending':
      return null;
    case 'sending':
      return { kind: 'unknown', reason: 'The worker stopped while it sent the mail. The mail is not sent twice.' };
    case 'sent':
      return { kind: 'sent' };
    case 'refused':
      return { kind: 'refused', reason: reason ?? '', cause: 'message' };
    default:
      return { kind: state, reason: reason ?? '' };
  }
}
