/** Renders, sends and records a mail in one activity, so that no history holds an address. */
import { ACCOUNT_MAILS } from '../../mail/account/account-mails.ts';
import { buildMailHeaders, buildMailId, renderAccountMail } from '../../mail/account/render.ts';
import type { Mail } from '../../mail/mailer.ts';
import type { LinkPurpose, MailKind, MailState } from '../../store/db/types.ts';
import { createLink } from '../../store/mail-links/links.ts';
import { type LoadedMail, loadMail, markMail, recordMailOutcome, unmarkMail } from '../../store/mails/mail-row.ts';
import { type FinalMailOutcome, readFinalOutcome } from '../../store/mails/outcome.ts';
import { countOwnTokens } from '../../store/tokens/own-tokens.ts';
import type { ActivityDeps } from '../deps.ts';
import { withHeartbeat } from '../heartbeat.ts';
import { exchangeMail, type MailRecord } from './exchange.ts';

export function createMailActivities(deps: ActivityDeps) {
  const { db, now } = deps;

  async function send(mailId: string): Promise<FinalMailOutcome> {
    const row = await loadMail(db, mailId);
    if (!row) return { kind: 'deleted' };
    const recipient = findRecipient(row);
    const ended = findKnownMailOutcome(row, recipient);
    if (ended || !recipient) return ended ?? { kind: 'deleted' };
    return exchangeMail(deps, buildMailRecord(deps, mailId), await composeAccountMail(deps, row, recipient));
  }

  return {
    /** Throws, to be retried, while the mail server is unavailable. Returns other outcomes. */
    sendMail: ({ mailId }: { mailId: string }): Promise<FinalMailOutcome> => withHeartbeat(() => send(mailId)),

    closeMail: ({ mailId, outcome }: { mailId: string; outcome: FinalMailOutcome }): Promise<MailState | null> =>
      recordMailOutcome(db, { id: mailId, outcome, now: now() }),
  };
}

interface Recipient {
  userId: string | null;
  subscriberId: string | null;
  name: string;
  address: string;
}

/**
 * Uses the account's stored address, not the address typed in a form: two addresses that compare as
 * equal may belong to different mailboxes.
 */
function findRecipient({ userId, subscriberId, email, subscriberEmail, ...row }: LoadedMail): Recipient | null {
  if (userId !== null && email !== null) {
    const name = (row.emailConfirmedAt === null ? row.username : row.name) ?? '';
    return { userId, subscriberId: null, name, address: email };
  }
  return subscriberId !== null && subscriberEmail !== null
    ? { userId: null, subscriberId, name: '', address: subscriberEmail }
    : null;
}

/** The outcome of a mail that needs no sending; null if it must be sent. */
function findKnownMailOutcome(row: LoadedMail, recipient: Recipient | null): FinalMailOutcome | null {
  const skip = (reason: string): FinalMailOutcome => ({ kind: 'skipped', reason });
  const ended = readFinalOutcome(row);
  if (ended) return ended;
  if (recipient === null) return skip('No account has this address.');
  if (row.suspendedAt !== null) return skip('The account is suspended.');
  const confirmed = row.kind === 'confirm_email' ? row.emailConfirmedAt : null;
  if (confirmed !== null || (row.kind === 'confirm_subscription' && row.confirmedAt !== null)) {
    return skip('The address is already confirmed.');
  }
  // After an outage one link is enough. Each notice reports its own event.
  if (row.superseded && row.kind !== 'password_changed' && row.kind !== 'account_replaced')
    return skip('A newer mail has been requested since.');
  return null;
}

async function composeAccountMail(deps: ActivityDeps, row: LoadedMail, recipient: Recipient): Promise<Mail> {
  const { kind } = row;
  const { baseUrl } = deps;
  const letter = ACCOUNT_MAILS[kind]({
    name: recipient.name,
    username: row.username ?? '',
    author: row.authorUsername ?? '',
    address: recipient.address,
    developerTokens: await countTokens(deps, kind, recipient),
    at: row.createdAt,
  });
  const url = letter.action && (await buildLink(deps, row.id, kind as LinkPurpose, recipient, letter.action));
  return {
    to: { name: recipient.name, address: recipient.address },
    messageId: buildMailId(row.id, baseUrl),
    headers: buildMailHeaders(),
    ...(await renderAccountMail(letter, { siteUrl: baseUrl, url: url ?? null })),
  };
}

/** Returns 0 for mails that do not show the number. */
function countTokens({ db, now }: ActivityDeps, kind: MailKind, { userId }: Recipient): Promise<number> | number {
  return kind === 'password_changed' && userId !== null ? countOwnTokens(db, userId, now()) : 0;
}

/** The link uses the mail's id, so that each attempt generates the same link. */
async function buildLink(
  { db, baseUrl, signLink, now }: ActivityDeps,
  id: string,
  purpose: LinkPurpose,
  { userId, subscriberId, address: email }: Recipient,
  { path, hours }: { path: string; hours: number },
): Promise<string> {
  const at = now();
  const expiresAt = new Date(at.getTime() + hours * 3_600_000);
  await createLink(db, { id, purpose, userId, subscriberId, email, expiresAt, now: at });
  const token = signLink({ id, purpose, subjectId: userId ?? subscriberId ?? '', email });
  return `${baseUrl}${path}?token=${encodeURIComponent(token)}`;
}

function buildMailRecord({ db, now }: ActivityDeps, id: string): MailRecord {
  return {
    name: `mail/${id}`,
    mark: () => markMail(db, id, now()),
    unmark: (attempt) => unmarkMail(db, id, attempt),
    closeSent: () => recordMailOutcome(db, { id, outcome: { kind: 'sent' }, now: now() }),
    async readAddress() {
      const row = await loadMail(db, id);
      return row ? (findRecipient(row)?.address ?? null) : null;
    },
  };
}
