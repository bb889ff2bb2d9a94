import type { Letter, LetterFacts } from './letter.ts';

/** To somebody who has registered, or asks for the link once more. */
export function confirmEmail({ name, username, address }: LetterFacts): Letter {
  return {
    subject: 'Confirm your address at Courant',
    preview: 'One click, and you can comment, follow and publish.',
    heading: 'Confirm your address',
    paragraphs: [
      `Hello ${name},`,
      `you have made the account @${username} at Courant with the address ${address}. Confirm that it is yours, and you can comment, follow and publish.`,
    ],
    action: { label: 'Confirm this address', path: '/account/confirm-email', hours: 72 },
    closing: [
      'The link can be used for three days. If you have made no account, do nothing: without a confirmation it is deleted after thirty days.',
    ],
    footer: `You get this because somebody gave ${address} when registering at Courant.`,
  };
}
