/** Subscribing to an author's newsletter: double opt-in, with or without an account. */
import type { AccountDeps, Client } from '../../deps.ts';
import { domainToASCII, domainToUnicode } from 'node:url';
import { useUpLink } from '../../../store/mail-links/links.ts';
import { enqueueMail } from '../../../store/mails/enqueue.ts';
import { findOrAddSubscription, confirmSubscription as storeConfirmation } from '../../../store/newsletter/subscribe.ts';
import { countMail } from '../../accounts/account-limits.ts';
import { createLinkInvalid, findOpenLink } from '../../accounts/links/links.ts';
import { readEmail } from '../../accounts/profile/names.ts';

/**
 * The same answer for an address that subscribes already, which is found out when the mail is made. Throws BAD_INPUT, NOT_FOUND (the author),
 * RATE_LIMITED.
 */
export async function subscribe(
  deps: AccountDeps,
  client: Client,
  given: { username: string; email: string },
): Promise<void> {
  const { db, now } = deps;
  const email = unifyDomain(readEmail(given.email));
  await countMail(db, client.address, email);
  await db.transaction().execute(async (tx) => {
    const subscription = await findOrAddSubscription(tx, { username: given.username, email, now: now() });
    const to = { userId: null, subscriberId: subscription.id, email: subscription.email };
    await enqueueMail(tx, { kind: 'confirm_subscription', ...to, now: now() });
  });
  deps.onDecided();
}

/** A domain in another script has two spellings (`bücher.example`, `xn--bcher-kva.example`); an address is known by one. */
function unifyDomain(email: string): string {
  const [local = '', domain = ''] = email.split('@');
  if (!/\P{ASCII}|xn--/iu.test(domain)) return email;
  return `${local}@${domainToUnicode(domainToASCII(domain)) || domain}`;
}

export interface Confirmed {
  subscriptionId: string;
  /** The author's user name. */
  username: string;
}

/** Throws LINK_INVALID. */
export async function confirmSubscription(deps: AccountDeps, token: string): Promise<Confirmed> {
  const link = await findOpenLink(deps, token, 'confirm_subscription');
  const { subscriberId } = link;
  return deps.db.transaction().execute(async (tx) => {
    const isOurs = subscriberId !== null && (await useUpLink(tx, link.id, deps.now()));
    const username = isOurs ? await storeConfirmation(tx, subscriberId, deps.now()) : undefined;
    if (subscriberId === null || username === undefined) throw createLinkInvalid(link);
    return { subscriptionId: subscriberId, username };
  });
}
