/**
 * Composes a mail in MIME form. Header values are cleaned to one line of bounded length, so that no
 * text can add headers.
 */

import { cleanToOneLine } from './clean-text.ts';
import type { Mail, MailOutcome } from './mailer.ts';
import { isMailAddress, type Mailbox } from './smtp/address.ts';

export interface Composed {
  envelope: { from: string; to: string };
  message: Buffer;
}

/**
 * Throws a `TypeError` if the Message-ID or a header name is malformed. The caller must check the
 * address with `refuseAddress`.
 */
export async function composeMail(mail: Mail, from: Mailbox, now: Date): Promise<Composed> {
  if (!MESSAGE_ID.test(mail.messageId)) throw new TypeError('a Message-ID has the form <local@domain>');
  // Loaded with the first mail, because many processes send none.
  const { default: MailComposer } = await import('nodemailer/lib/mail-composer');
  const composer = new MailComposer({
    from: cleanMailbox(from),
    to: cleanMailbox(mail.to),
    subject: cleanToOneLine(mail.subject, 200),
    text: mail.text,
    html: mail.html,
    messageId: mail.messageId,
    date: now,
    headers: Object.entries(mail.headers).map(([key, value]) => ({
      key: checkHeaderName(key),
      value: cleanToOneLine(value, 900),
    })),
    xMailer: false,
    // Otherwise lines over 76 characters become format=flowed, which many mail programs show with
    // hard breaks.
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

/**
 * Rejects an address that is not exactly one recipient, because a server might split it. Null if it
 * is valid.
 */
export function refuseAddress({ to }: Mail): MailOutcome | null {
  if (isMailAddress(to.address)) return null;
  return { kind: 'refused', reason: 'the address cannot receive mail', cause: 'recipient' };
}

const MESSAGE_ID = /^<[a-z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-z0-9.-]+>$/i;

function cleanMailbox({ name, address }: Mailbox): Mailbox {
  return { name: cleanToOneLine(name, 100), address };
}

/** The composer writes the reserved headers itself; they must not occur twice. */
function checkHeaderName(name: string): string {
  const reserved = /^(from|to|cc|bcc|sender|reply-to|subject|date|message-id|mime-version|content-.*)$/i;
  if (!/^[a-z][a-z0-9-]{0,60}$/i.test(name) || reserved.test(name))
    throw new TypeError('a header with this name is not allowed');
  return name;
}
