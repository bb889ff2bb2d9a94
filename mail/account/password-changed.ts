import type { AccountMail, AccountMailFacts } from './account-mail.ts';

/**
 * Sent after a password change, so that the owner of the account notices a change by someone else.
 */
export function passwordChanged({ name, username, address, developerTokens, at }: AccountMailFacts): AccountMail {
  return {
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
  };
}

function describeTokens(count: number): string {
  if (count === 0) return 'No developer token works anymore.';
  return count === 1 ? '1 developer token still works.' : `${count} developer tokens still work.`;
}

const WHEN = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });
