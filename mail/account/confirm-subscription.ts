import type { AccountMail, AccountMailFacts } from './account-mail.ts';

/**
 * Sent to an address that was entered for an author's newsletter. Nothing else is sent there before
 * its owner confirms.
 */
export function confirmSubscription({ author, address }: AccountMailFacts): AccountMail {
  return {
    subject: `Confirm your subscription to @${author}`,
    preview: 'No newsletter is sent until you confirm.',
    heading: 'Confirm your subscription',
    paragraphs: [
      `You (or someone else) subscribed ${address} to the newsletter of @${author} at Courant. Confirm if you want to receive it.`,
    ],
    action: { label: 'Confirm subscription', path: '/newsletter/confirm', hours: 72 },
    closing: ['The link works for three days. If you did not request it, do nothing. We will send nothing more.'],
    footer: `You receive this mail once because someone entered ${address}.`,
  };
}
