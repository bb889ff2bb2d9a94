/** What the links in our mails do: they confirm an address, or set a new password. */
import { RefusedCommandError } from '../../store/commands/refused-command.ts';
import type { LinkPurpose } from '../../store/db/types.ts';
import { type FoundLink, findLink } from '../../store/mail-links/links.ts';
import { enqueueMail } from '../../store/mails/enqueue.ts';
import * as accounts from '../../store/users/change-account.ts';
import { hashPassword } from '../../store/users/passwords.ts';
import { findOwnProfile } from '../../store/users/profile.ts';
import { countMail } from './account-limits.ts';
import type { AccountDeps, Client } from './deps.ts';
import { readEmail } from './names.ts';
import { checkPassword } from './password-rules.ts';

/**
 * The same whether the address has an account or not, in its answer and in the time it takes: that is found out when the mail is made.
 * Errors: BAD_INPUT, RATE_LIMITED.
 */
export async function requestPasswordReset(deps: AccountDeps, client: Client, given: string): Promise<void> {
  const email = readEmail(given);
  await countMail(deps.db, client.address, email);
  await enqueueMail(deps.db, { kind: 'reset_password', userId: null, email, now: deps.now() });
  deps.onDecided();
}

/** False where the address is confirmed already. Errors: RATE_LIMITED. */
export async function resendConfirmation(deps: AccountDeps, client: Client, userId: string): Promise<boolean> {
  const user = await findOwnProfile(deps.db, userId);
  if (!user || user.emailConfirmedAt !== null) return false;
  await countMail(deps.db, client.address, user.email);
  await enqueueMail(deps.db, { kind: 'confirm_email', userId, email: user.email, now: deps.now() });
  deps.onDecided();
  return true;
}

/** Errors: LINK_INVALID. One that was used before has done what it was for. */
export async function confirmEmail({ db, linkKey, now }: AccountDeps, token: string): Promise<void> {
  const link = await findLink(db, linkKey, { token, purpose: 'confirm_email', now: now() });
  if (link?.state === 'used') return;
  if (link?.state !== 'open' || !(await accounts.confirmEmail(db, link, now()))) throw createLinkInvalid(link);
}

/** Ends all sessions of the account. Errors: LINK_INVALID, WEAK_PASSWORD. */
export async function resetPassword(deps: AccountDeps, token: string, password: string): Promise<void> {
  const { db, now, hashCost } = deps;
  const link = await findOpenLink(deps, token, 'reset_password');
  const user = link.userId === null ? undefined : await findOwnProfile(db, link.userId);
  if (!user) throw createLinkInvalid(null);
  checkPassword(password, user);
  const passwordHash = await hashPassword(password, hashCost);
  if (!(await accounts.resetPassword(db, { link, passwordHash, now: now() }))) throw createLinkInvalid(link);
  deps.onDecided();
}

/** A link that still does something. Throws LINK_INVALID. */
export async function findOpenLink(
  { db, linkKey, now }: AccountDeps,
  token: string,
  purpose: LinkPurpose,
): Promise<FoundLink> {
  const link = await findLink(db, linkKey, { token, purpose, now: now() });
  if (link?.state !== 'open') throw createLinkInvalid(link);
  return link;
}

export function createLinkInvalid(link: FoundLink | null): RefusedCommandError {
  const why =
    link === null
      ? 'The link is cut off or changed, or expired long ago: copy the whole address from the mail, or ask for another one.'
      : `The link ${link.state === 'used' ? 'was used already' : 'has expired'}: ask for another mail.`;
  return new RefusedCommandError('LINK_INVALID', why);
}
