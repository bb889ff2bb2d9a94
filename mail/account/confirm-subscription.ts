import type { AccountMail, AccountMailFacts } from './account-mail.ts';

/**
 * Sent to an address that was entered for an author's newsletter. Nothing else is sent there before
 * its owner confirms.
 */
export function confirmSubscription({ author, address }: AccountMailFacts): AccountMail {
  return {
    subject: `Confirm your subscription to @${author}`,
    preview: 'Nothing is sent before you confirm it.',
    heading: 'Confirm your subscription',
    paragraphs: [`${address} was given for the newsletter of @${author} at Courant. Do you want to get it?`],
    action: { label: 'Yes, subscribe me', path: '/newsletter/confirm', hours: 72 },
    closing: ['The link can be used for three days. If you did not ask for it, do nothing, and nothing more is sent.'],
    footer: `You get this once, because somebody gave ${address}.`,
  };
}
