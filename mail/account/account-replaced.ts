import type { AccountMail, AccountMailFacts } from './account-mail.ts';

/** Sent to the owner of an address after a reset replaced an account that was never confirmed. */
export function accountReplaced({ username, address }: AccountMailFacts): AccountMail {
  return {
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
  };
}
