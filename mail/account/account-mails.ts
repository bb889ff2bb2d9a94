/** The kinds of mails about an account. */

interface AccountMailFacts {
  /**
   * The person's name once their address is confirmed, else the user name. Otherwise a registration
   * could send a free text to a stranger.
   */
  name: string;
  username: string;
  /** User name of the author of the newsletter; empty for other mails. */
  author: string;
  address: string;
  /** Number of valid developer tokens of the account when the mail is sent. */
  developerTokens: number;
  at: Date;
}

export interface AccountMail {
  subject: string;
  /** The text that an inbox shows beside the subject. */
  preview: string;
  heading: string;
  paragraphs: string[];
  /** The button. Its link is valid for one use within `hours`. */
  action: { label: string; path: string; hours: number } | null;
  closing: string[];
  footer: string;
}

export const ACCOUNT_MAILS = {
  /** Sent after registration, and when the owner requests the link again. */
  confirm_email: ({ name, username, address }) => ({
    subject: 'Confirm your address at Courant',
    preview: 'Confirm only if you created the account. Then you can comment, follow and publish.',
    heading: 'Confirm your address',
    paragraphs: [
      `Hello ${name},`,
      `Someone created the account @${username} at Courant with the address ${address}. If that was you, confirm the address. Then you can comment, follow and publish.`,
    ],
    action: { label: 'Confirm this address', path: '/account/confirm-email', hours: 72 },
    closing: [
      'The link works for three days. If you did not create this account, do not confirm it: someone else chose its password. If nobody confirms it, it is deleted after thirty days unless it holds articles. To take it over now, choose “Forgot your password?” on the sign-in page: that deletes its contents.',
    ],
    footer: `You receive this mail because someone entered ${address} when registering at Courant.`,
  }),
  /** Sent when anyone requests a password reset for the address. */
  reset_password: ({ name, username, address }) => ({
    subject: 'Reset your password for Courant',
    preview: 'The link works once, within one hour.',
    heading: 'Choose a new password',
    paragraphs: [
      `Hello ${name},`,
      `You (or someone else) asked to reset the password of @${username}. A new password ends all sessions of the account, and revokes its developer tokens unless you choose otherwise.`,
    ],
    action: { label: 'Choose a new password', path: '/account/reset-password', hours: 1 },
    closing: ['The link works once, within one hour. If it was not you, do nothing: your password stays unchanged.'],
    footer: `You receive this mail because a password reset was requested for ${address}.`,
  }),
  /** Sent after a password change, so that the owner notices a change by someone else. */
  password_changed: ({ name, username, address, developerTokens, at }) => ({
    subject: 'Your password at Courant was changed',
    preview: 'If it was not you, choose a new one now.',
    heading: 'Your password was changed',
    paragraphs: [
      `Hello ${name},`,
      `the password of @${username} was changed on ${WHEN.format(at)} UTC. Other devices are signed out. ${describeTokens(developerTokens)}`,
    ],
    action: null,
    closing: [
      'If it was not you, choose “Forgot your password?” on the sign-in page at once. That reset also revokes your developer tokens, unless you choose otherwise.',
    ],
    footer: `You receive this mail because ${address} is the address of the account.`,
  }),
  /** Sent to the owner of an address after a reset replaced an account that was never confirmed. */
  account_replaced: ({ username, address }) => ({
    subject: 'Your account at Courant was reset',
    preview: 'Its previous contents are deleted.',
    heading: 'Your account was reset',
    paragraphs: [
      `Your new password for @${username} is set, and the address ${address} is confirmed.`,
      'Nobody had confirmed the address before, so someone else may have created the account. Everything that was in it is deleted: articles and drafts, profile, connections, developer tokens and sessions.',
    ],
    action: null,
    closing: [
      'If you did not set this password, someone else may be able to read your mail. Secure your mailbox, then choose “Forgot your password?” on the sign-in page.',
    ],
    footer: `You receive this mail because ${address} is the address of the account.`,
  }),
  /**
   * Sent to an address that was entered for an author's newsletter. Nothing else is sent there before
   * its owner confirms.
   */
  confirm_subscription: ({ author, address }) => ({
    subject: `Confirm your subscription to @${author}`,
    preview: 'No newsletter is sent until you confirm.',
    heading: 'Confirm your subscription',
    paragraphs: [
      `You (or someone else) subscribed ${address} to the newsletter of @${author} at Courant. Confirm if you want to receive it.`,
    ],
    action: { label: 'Confirm subscription', path: '/newsletter/confirm', hours: 72 },
    closing: ['The link works for three days. If you did not request it, do nothing. We will send nothing more.'],
    footer: `You receive this mail once because someone entered ${address}.`,
  }),
} satisfies Record<string, (facts: AccountMailFacts) => AccountMail>;

function describeTokens(count: number): string {
  if (count === 0) return 'No developer token works anymore.';
  return count === 1 ? '1 developer token still works.' : `${count} developer tokens still work.`;
}

const WHEN = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });
