/** Subscribes to the newsletter of an author with double opt-in, with or without an account. */
import { domainToASCII, domainToUnicode } from 'node:url';
import { markLinkUsed } from '../../../store/mail-links/links.ts';
import { enqueueMail } from '../../../store/mails/enqueue.ts';
import {
  findOrAddSubscription,
  confirmSubscription as storeConfirmation,
} from '../../../store/newsletter/subscribe.ts';
import type { AccountDeps, Client } from '../../auth/account-deps.ts';
import { countMail } from '../../auth/account-limits.ts';
import { createLinkInvalidError, findOpenLink } from '../../auth/mail-links.ts';
import { readEmail } from '../../auth/read-email.ts';

/**
 * Enqueues the confirmation mail. Whether the address already subscribes is checked only when the
 * mail is composed, so the response does not reveal it. Errors: BAD_INPUT, NOT_FOUND (the author),
 * RATE_LIMITED.
 */
export async function subscribe(
  deps: AccountDeps,
  client: Client,
  input: { username: string; email: string },
): Promise<void> {
  const { db, now } = deps;
  const email = unifyDomain(readEmail(input.email));
  await countMail(db, client.address, email);
  await db.transaction().execute(async (tx) => {
    const subscription = await findOrAddSubscription(tx, { username: input.username, email, now: now() });
    const recipient = { userId: null, subscriberId: subscription.id, email: subscription.email };
    await enqueueMail(tx, { kind: 'confirm_subscription', ...recipient, now: now() });
  });
  deps.onOutboxWrite();
}

/**
 * An international domain has two spellings (`bücher.example`, `xn--bcher-kva.example`). Addresses
 * are stored with one of them.
 */
function unifyDomain(email: string): string {
  const [local = '', domain = ''] = email.split('@');
  if (!/\P{ASCII}|xn--/iu.test(domain)) return email;
  return `${local}@${domainToUnicode(domainToASCII(domain)) || domain}`;
}

export interface Confirmed {
  subscriptionId: string;
  /** User name of the author. */
  username: string;
}

/** Errors: LINK_INVALID. */
export async function confirmSubscription(deps: AccountDeps, token: string): Promise<Confirmed> {
  const link = await findOpenLink(deps, token, 'confirm_subscription');
  const { subscriberId } = link;
  return deps.db.transaction().execute(async (tx) => {
    const isMarkedUsed = subscriberId !== null && (await markLinkUsed(tx, link.id, deps.now()));
    const username = isMarkedUsed ? await storeConfirmation(tx, subscriberId, deps.now()) : undefined;
    if (subscriberId === null || username === undefined) throw createLinkInvalidError(link);
    return { subscriptionId: subscriberId, username };
  });
}
