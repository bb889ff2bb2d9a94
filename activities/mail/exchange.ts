/** The exchange of one mail with the mail server, the mark that ensures at most one mail, and what each ending means for its row. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Context } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import type { Mail, Mailer, MailOutcome } from '../../mail/mailer.ts';
import type { MailEnding } from '../../store/mails/outcome.ts';

/** A mail server's reason is stored and shown up to this length. */
const REASON_LENGTH = 300;
/** How long the end of an exchange is recorded again and again while the database is away; well below the time-out of the activity. */
const RECORD_FOR_MS = 60_000;

/** The row of a mail, which decides whether it may go out. */
export interface MailRecord {
  /** For logs. */
  name: string;
  /** Commits that the mail may be out. Returns the number of the attempt; null if the mail must not go out. */
  mark(): Promise<number | null>;
  /** Takes the mark of this attempt back: the server did not accept the mail. */
  unmark(attempt: number): Promise<void>;
  closeSent(): Promise<unknown>;
  /** The recipient as of now; null where there is none any more. */
  readAddress(): Promise<string | null>;
}

/** Throws, to be retried, if the mail certainly did not go out and may go out later. */
export async function exchangeMail(
  { mail: mailer }: { mail: Mailer },
  record: MailRecord,
  mail: Mail,
): Promise<MailEnding> {
  let marking: Promise<number | null> = Promise.resolve(null);
  let forbidden = false;
  const beforeLastByte = async () => {
    marking = record.mark();
    forbidden = (await marking) === null;
    if (forbidden) throw new Error('this mail must not go out any more');
  };
  const outcome = await sendOnce(mailer, mail, beforeLastByte);
  // The server may have ended the exchange while the mark was being written.
  const attempt = await marking.catch(() => null);
  // The row says why: turned off, deleted, or sent by another attempt.
  if (forbidden) throw retryLater('Its row changed while it was sent.');
  if (outcome.kind === 'failed') return outcome;
  if (outcome.kind === 'sent') {
    await recordSent(record);
    return outcome;
  }
  const reason = outcome.reason.slice(0, REASON_LENGTH);
  const moved = outcome.kind === 'refused' && (await hasOtherAddress(record, mail));
  if (outcome.kind !== 'unavailable' && !moved) return { ...outcome, reason };
  // Certainly not accepted. Without this record the next attempt would have to take it for a mail that may be out.
  if (attempt !== null) await keepTrying(() => record.unmark(attempt));
  throw retryLater(moved ? 'Its recipient has another address now.' : reason);
}

/** At once: if the worker is lost before it returns, the outcome is still known. If it cannot be recorded here, the workflow records it from the result. */
async function recordSent(record: MailRecord): Promise<void> {
  try {
    await record.closeSent();
  } catch (error) {
    const { log } = Context.current();
    log.warn('a mail that was sent could not be recorded yet', { mail: record.name, reason: (error as Error).message });
  }
}

/** The refusal of an address that somebody has given up since must not stop the mails to the new one. */
async function hasOtherAddress(record: MailRecord, mail: Mail): Promise<boolean> {
  const address = await record.readAddress();
  return address !== null && address !== mail.to.address;
}

async function keepTrying(attempt: () => Promise<void>): Promise<void> {
  for (const end = performance.now() + RECORD_FOR_MS; ; ) {
    try {
      return await attempt();
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
    // Thrown before anything is sent; a retry would fail the same way.
    if (error instanceof TypeError) return { kind: 'failed', reason: 'No mail can be made for this address.' };
    throw error;
  }
}

function retryLater(reason: string): ApplicationFailure {
  return ApplicationFailure.create({ type: 'MailUnavailable', message: reason });
}
