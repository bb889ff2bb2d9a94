import type { AccountMail, AccountMailFacts } from './account-mail.ts';

/** Sent after registration, and when the owner requests the link again. */
export function confirmEmail({ name, username, address }: AccountMailFacts): AccountMail {
  return {
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
  };
}
