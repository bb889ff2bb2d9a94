/** Actions of the links in account mails: confirm an address or set a new password. */
import type { LinkPurpose } from '../../../store/db/types.ts';
import { findLink } from '../../../store/mail-links/links.ts';
import { enqueueMail } from '../../../store/mails/enqueue.ts';
import { countOwnTokens } from '../../../store/tokens/own-tokens.ts';
import * as accounts from '../../../store/users/change-account.ts';
import { hashPassword } from '../../../store/users/passwords.ts';
import { findOwnProfile } from '../../../store/users/profile.ts';
import type { AccountDeps, Client } from '../../auth/account-deps.ts';
import { countMail, limitResetLinks } from '../../auth/account-limits.ts';
import { createLinkInvalidError, findOpenLink } from '../../auth/mail-links.ts';
import { readEmail } from '../../auth/read-email.ts';
import { checkPassword } from '../password/rules.ts';

/**
 * Enqueues a mail with a reset link. The account is looked up only when the mail is composed, so
 * neither the response nor its timing reveals whether the address has one. Errors: BAD_INPUT,
 * RATE_LIMITED.
 */
export async function requestPasswordReset(deps: AccountDeps, client: Client, input: string): Promise<void> {
  const email = readEmail(input);
  await limitResetLinks(deps, client, email);
  await enqueueMail(deps.db, { kind: 'reset_password', userId: null, email, now: deps.now() });
  deps.onOutboxWrite();
}

/** Returns false if the address is already confirmed. Errors: RATE_LIMITED. */
export async function resendConfirmation(deps: AccountDeps, client: Client, userId: string): Promise<boolean> {
  const user = await findOwnProfile(deps.db, userId);
  if (!user || user.emailConfirmedAt !== null) return false;
  await countMail(deps.db, client.address, user.email);
  await enqueueMail(deps.db, { kind: 'confirm_email', userId, email: user.email, now: deps.now() });
  deps.onOutboxWrite();
  return true;
}

/** Describes the account of a confirmation link, before the link is used. Errors: LINK_INVALID. */
export async function describeConfirmation(
  deps: AccountDeps,
  token: string,
): Promise<{ username: string; email: string }> {
  const { link, user } = await findLinkOfUser(deps, token, 'confirm_email');
  return { username: user.username, email: link.email };
}

/** Repeating a used link succeeds: the address is already confirmed. Errors: LINK_INVALID. */
export async function confirmEmail({ db, linkKey, now }: AccountDeps, token: string): Promise<void> {
  const link = await findLink(db, linkKey, { token, purpose: 'confirm_email', now: now() });
  if (link?.state === 'used') return;
  if (link?.state !== 'open' || !(await accounts.confirmEmail(db, link, now()))) throw createLinkInvalidError(link);
}

export interface ResetForm {
  username: string;
  /**
   * If false, the reset deletes the contents of the account, because the owner of the address may
   * not have registered it.
   */
  isConfirmed: boolean;
  developerTokens: number;
}

/** Describes the account of a reset link, before the link is used. Errors: LINK_INVALID. */
export async function describeReset(deps: AccountDeps, token: string): Promise<ResetForm> {
  const { user } = await findLinkOfUser(deps, token, 'reset_password');
  const developerTokens = await countOwnTokens(deps.db, user.id, deps.now());
  return { username: user.username, isConfirmed: user.emailConfirmedAt !== null, developerTokens };
}

/**
 * Ends all sessions. Revokes developer tokens unless `keepDeveloperTokens` is set. If this confirms
 * the address for the first time, the account is emptied (`isReplaced`). Errors: LINK_INVALID,
 * WEAK_PASSWORD.
 */
export async function resetPassword(
  deps: AccountDeps,
  token: string,
  { password, keepDeveloperTokens }: { password: string; keepDeveloperTokens: boolean },
): Promise<{ isReplaced: boolean }> {
  const { db, now, hashCost } = deps;
  const { link, user } = await findLinkOfUser(deps, token, 'reset_password');
  checkPassword(password, user);
  const passwordHash = await hashPassword(password, hashCost);
  const reset = await accounts.resetPassword(db, { link, passwordHash, keepDeveloperTokens, now: now() });
  if (!reset) throw createLinkInvalidError(link);
  deps.onOutboxWrite();
  return reset;
}

async function findLinkOfUser(deps: AccountDeps, token: string, purpose: LinkPurpose) {
  const link = await findOpenLink(deps, token, purpose);
  const user = link.userId === null ? undefined : await findOwnProfile(deps.db, link.userId);
  if (!user) throw createLinkInvalidError(null);
  return { link, user };
}
