import type { AccountMail, AccountMailFacts } from './account-mail.ts';

/** Sent when anyone requests a password reset for the address. */
export function resetPassword({ name, username, address }: AccountMailFacts): AccountMail {
  return {
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
  };
}
