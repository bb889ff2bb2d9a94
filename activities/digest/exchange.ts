/** The exchange of one digest with the mail server, the mark that ensures at most one mail, and what each ending means for the row. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Context } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import type { Mail, MailOutcome } from '../../mail/mailer.ts';
import { closeDigest } from '../../store/digests/close-digest.ts';
import { type DigestKey, type DigestOutcome, loadDigest } from '../../store/digests/digest-row.ts';
import { markSending, unmarkSending } from '../../store/digests/mark-sending.ts';
import type { ActivityDeps } from '../deps.ts';

/** A mail server's reason is stored and shown up to this length. */
const REASON_LENGTH = 300;
/** How long the end of an exchange is recorded again and again while the database is away; well below the time-out of the activity. */
const RECORD_FOR_MS = 60_000;

/** Throws, to be retried, if the mail certainly did not go out and may go out later. */
export async function exchangeMail(deps: ActivityDeps, key: DigestKey, mail: Mail): Promise<DigestOutcome> {
  const { db, mail: mailer, now } = deps;
  let marking: Promise<number | null> = Promise.resolve(null);
  let forbidden = false;
  const beforeLastByte = async () => {
    marking = markSending(db, key, now());
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
    await recordSent(deps, key);
    return outcome;
  }
  const reason = outcome.reason.slice(0, REASON_LENGTH);
  const moved = outcome.kind === 'refused' && (await hasOtherAddress(deps, key, mail));
  if (outcome.kind !== 'unavailable' && !moved) return { ...outcome, reason };
  // Certainly not accepted. Without this record the next attempt would have to take it for a mail that may be out.
  if (attempt !== null) await keepTrying(() => unmarkSending(db, key, attempt));
  throw retryLater(moved ? 'Its author has another address now.' : reason);
}

/** At once: if the worker is lost before it returns, the outcome is still known. If it cannot be recorded here, the workflow records it from the result. */
async function recordSent({ db, now }: ActivityDeps, key: DigestKey): Promise<void> {
  try {
    await closeDigest(db, { ...key, outcome: { kind: 'sent' }, now: now() });
  } catch (error) {
    Context.current().log.warn('a sent digest could not be recorded yet', { ...key, reason: (error as Error).message });
  }
}

/** The refusal of an address that its author has given up since must not stop the digests to the new one. */
async function hasOtherAddress({ db }: ActivityDeps, key: DigestKey, mail: Mail): Promise<boolean> {
  const digest = await loadDigest(db, key);
  return digest !== undefined && digest.email !== mail.to.address;
}

async function keepTrying(record: () => Promise<void>): Promise<void> {
  for (const end = performance.now() + RECORD_FOR_MS; ; ) {
    try {
      return await record();
    } catch (error) {
      if (performance.now() > end) throw error;
      await sleep(500);
    }
  }
}

async function sendOnce(
  mailer: ActivityDeps['mail'],
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
