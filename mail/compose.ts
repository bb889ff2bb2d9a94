/** A mail in its MIME form. Everything that becomes a header is one clean line of bounded length by then (A21). */
import type { Mail, MailOutcome } from './mailer.ts';
import { toOneLine } from './plain.ts';
import { isMailAddress, type Mailbox } from './smtp-address.ts';

export interface Composed {
  envelope: { from: string; to: string };
  message: Buffer;
}

/** Throws a `TypeError` where the caller's own parts (Message-ID, header names) are not what they must be. The address was checked. */
export async function composeMail(mail: Mail, from: Mailbox, now: Date): Promise<Composed> {
  if (!MESSAGE_ID.test(mail.messageId)) throw new TypeError('a Message-ID has the form <local@domain>');
  // Not before the first mail: whoever never sends one does not carry it.
  const { default: MailComposer } = await import('nodemailer/lib/mail-composer');
  const composer = new MailComposer({
    from: cleanMailbox(from),
    to: cleanMailbox(mail.to),
    subject: toOneLine(mail.subject, 200),
    text: mail.text,
    html: mail.html,
    messageId: mail.messageId,
    date: now,
    headers: Object.entries(mail.headers).map(([key, value]) => ({
      key: checkHeaderName(key),
      value: toOneLine(value, 900),
    })),
    xMailer: false,
    // Else lines over 76 characters become format=flowed, which half of the mail programs show with its breaks.
    textEncoding: 'quoted-printable',
    newline: 'windows',
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    envelope: { from: from.address, to: mail.to.address },
    message: await composer.compile().build(),
  };
}

/** An address from our database that no mail can go to is refused here, before a server splits it into several. */
export function refuseAddress({ to }: Mail): MailOutcome | null {
  if (isMailAddress(to.address)) return null;
  return { kind: 'refused', reason: 'the address is not one that mail can be sent to', of: 'recipient' };
}

const MESSAGE_ID = /^<[a-z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-z0-9.-]+>$/i;

function cleanMailbox({ name, address }: Mailbox): Mailbox {
  return { name: toOneLine(name, 100), address };
}

/** Those that the composer writes itself may not come twice. */
function checkHeaderName(name: string): string {
  const known = /^(from|to|cc|bcc|sender|reply-to|subject|date|message-id|mime-version|content-.*)$/i;
  if (!/^[a-z][a-z0-9-]{0,60}$/i.test(name) || known.test(name))
    throw new TypeError('a header of that name is not taken');
  return name;
}
