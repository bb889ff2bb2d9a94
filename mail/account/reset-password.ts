import type { Letter, LetterFacts } from './letter.ts';

/** To somebody who has forgotten the password, or of whom somebody else says so. */
export function resetPassword({ name, username, address }: LetterFacts): Letter {
  return {
    subject: 'A new password for Courant',
    preview: 'The link can be used once, within an hour.',
    heading: 'Choose a new password',
    paragraphs: [
      `Hello ${name},`,
      `somebody, most likely you, asked for a new password for @${username}. It ends all sessions of the account, wherever they are.`,
    ],
    action: { label: 'Choose a new password', path: '/account/reset-password', hours: 1 },
    closing: [
      'The link can be used once, within an hour. If it was not you, do nothing: your password stays as it is.',
    ],
    footer: `You get this because a new password was asked for ${address}.`,
  };
}
