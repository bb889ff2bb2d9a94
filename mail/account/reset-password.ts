import type { AccountMail, AccountMailFacts } from './account-mail.ts';

/** Sent when anyone requests a password reset for the address. */
export function resetPassword({ name, username, address }: AccountMailFacts): AccountMail {
  return {
    subject: 'A new password for Courant',
    preview: 'The link can be used once, within an hour.',
    heading: 'Choose a new password',
    paragraphs: [
      `Hello ${name},`,
      `You (or someone else) asked to reset the password of @${username}. A new password ends all sessions of the account, and revokes its developer tokens unless you keep them.`,
    ],
    action: { label: 'Choose a new password', path: '/account/reset-password', hours: 1 },
    closing: [
      'The link can be used once, within an hour. If it was not you, do nothing: your password stays as it is.',
    ],
    footer: `You get this because a new password was asked for ${address}.`,
  };
}
