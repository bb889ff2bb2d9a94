/** Sends one mail, with the mark that ensures at most one mail, and maps the outcome to its row. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Context } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import type { Mail, Mailer, MailOutcome } from '../../mail/mailer.ts';
import type { FinalMailOutcome } from '../../store/mails/outcome.ts';

/** Characters of a stored reason from the mail server. */
const MAX_REASON_LENGTH = 300;
/** Limits the retries of a write during a database outage; below the activity's time-out. */
const RECORD_TIMEOUT_MS = 60_000;

/** The row of a mail, which decides whether it may be sent. */
export interface MailRecord {
  /** For logs. */
  name: string;
  /** Commits that the mail may have been sent. Returns the attempt number; null if forbidden. */
  mark(): Promise<number | null>;
  /** Removes the mark of this attempt, because the server did not accept the mail. */
  unmark(attempt: number): Promise<void>;
  closeSent(): Promise<unknown>;
  /** The recipient's current address; null if there is no recipient any more. */
  readAddress(): Promise<string | null>;
}

/** Throws, to be retried, if the mail was certainly not sent and may be sent later. */
export async function exchangeMail(
  { mail: mailer }: { mail: Mailer },
  record: MailRecord,
  mail: Mail,
): Promise<FinalMailOutcome> {
  let marking: Promise<number | null> = Promise.resolve(null);
  let isForbidden = false;
  const beforeLastByte = async () => {
    marking = record.mark();
    isForbidden = (await marking) === null;
    if (isForbidden) throw new Error('this mail must no longer be sent');
  };
  const outcome = await sendOnce(mailer, mail, beforeLastByte);
  // The server may have ended the exchange during the write of the mark.
  const attempt = await marking.catch(() => null);
  // The row has the reason: turned off, deleted, or sent by another attempt.
  if (isForbidden) throw retryLater('The mail changed while it was being sent.');
  if (outcome.kind === 'failed') return outcome;
  if (outcome.kind === 'sent') {
    await recordSent(record);
    return outcome;
  }
  const reason = outcome.reason.slice(0, MAX_REASON_LENGTH);
  const hasMoved = outcome.kind === 'refused' && (await hasOtherAddress(record, mail));
  if (outcome.kind !== 'unavailable' && !hasMoved) return { ...outcome, reason };
  // Certainly not accepted. With the mark in place, the next attempt would count it as maybe sent.
  if (attempt !== null) await retryWrite(() => record.unmark(attempt));
  throw retryLater(hasMoved ? 'The recipient’s address has changed.' : reason);
}

/** Records before the activity returns. On failure, the workflow records. */
async function recordSent(record: MailRecord): Promise<void> {
  try {
    await record.closeSent();
  } catch (error) {
    const { log } = Context.current();
    log.warn('could not record a sent mail yet', { mail: record.name, reason: (error as Error).message });
  }
}

/** The refusal of a former address must not stop the mails to the new one. */
async function hasOtherAddress(record: MailRecord, mail: Mail): Promise<boolean> {
  const address = await record.readAddress();
  return address !== null && address !== mail.to.address;
}

async function retryWrite(write: () => Promise<void>): Promise<void> {
  for (const end = performance.now() + RECORD_TIMEOUT_MS; ; ) {
    try {
      return await write();
    } catch (error) {
      if (performance.now() > end) throw error;
      await sleep(500);
    }
  }
}

async function sendOnce(
  mailer: Mailer,
  mail: Mail,
  beforeLastByte: () => Promise<void>,
): Promise<MailOutcome | { kind: 'failed'; reason: string }> {
  try {
    return await mailer.send(mail, { beforeLastByte, signal: Context.current().cancellationSignal });
  } catch (error) {
    // Thrown before anything is sent, and a retry fails the same way.
    if (error instanceof TypeError) return { kind: 'failed', reason: 'No mail can be composed for this address.' };
    throw error;
  }
}

function retryLater(reason: string): ApplicationFailure {
  return ApplicationFailure.create({ type: 'MailUnavailable', message: reason });
}
