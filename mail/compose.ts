/**
 * Composes a mail in MIME form. Header values are cleaned to one line of bounded length, so that no
 * text can add headers.
 */
import { cleanToOneLine } from './clean-text.ts';
import type { Mail, MailOutcome } from './mailer.ts';
import { isMailAddress, type Mailbox } from './smtp/address.ts';

/** The caller must check the address with `refuseAddress`. */
export async function composeMail(mail: Mail, from: Mailbox, now: Date) {
  // Loaded with the first mail, because many processes send none.
  const { default: MailComposer } = await import('nodemailer/lib/mail-composer');
  const composer = new MailComposer({
    from: cleanMailbox(from),
    to: cleanMailbox(mail.to),
    subject: cleanToOneLine(mail.subject, 200),
    text: mail.text,
    html: mail.html,
    messageId: cleanToOneLine(mail.messageId, 250),
    date: now,
    headers: Object.entries(mail.headers).map(([key, value]) => ({ key, value: cleanToOneLine(value, 900) })),
    xMailer: false,
    // Otherwise lines over 76 characters become format=flowed, which many mail programs show with
    // hard breaks.
    textEncoding: 'quoted-printable',
    newline: 'windows',
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return { envelope: { from: from.address, to: mail.to.address }, message: await composer.compile().build() };
}

/**
 * Rejects an address that is not exactly one recipient, because a server might split it. Null if it
 * is valid.
 */
export function refuseAddress({ to }: Mail): MailOutcome | null {
  if (isMailAddress(to.address)) return null;
  return { kind: 'refused', reason: 'the address cannot receive mail', cause: 'recipient' };
}

function cleanMailbox({ name, address }: Mailbox): Mailbox {
  return { name: cleanToOneLine(name, 100), address };
}
