/** The configured mailer: SMTP if a server is set, else a folder. */
import { join } from 'node:path';
import { createFolderMailer } from './folder-mailer.ts';
import type { Mailer } from './mailer.ts';
import { type Mailbox, parseMailbox } from './smtp/address.ts';
import { createMailer } from './smtp/smtp-mailer.ts';

export interface MailConfig {
  /** `SMTP_URL`; undefined to store mails in a folder. */
  smtpUrl: string | undefined;
  /** `MAIL_FROM`: `Name <address>` or an address alone. */
  mailFrom: string | undefined;
  /** COURANT_HOME. */
  home: string;
  baseUrl: string;
  now: () => Date;
}

export function chooseMailer({ smtpUrl, mailFrom, home, baseUrl, now }: MailConfig): Mailer {
  const from = chooseSender(mailFrom, baseUrl);
  return smtpUrl === undefined
    ? createFolderMailer(join(home, 'mail'), { from, now })
    : createMailer({ url: smtpUrl, from, now });
}

/**
 * Without `MAIL_FROM`, uses an address at the site's host name. A server that rejects this sender
 * does not count as a bounce.
 */
function chooseSender(mailFrom: string | undefined, baseUrl: string): Mailbox {
  const from = parseMailbox(mailFrom ?? `Courant <digest@${new URL(baseUrl).hostname}>`);
  return from ?? { name: 'Courant', address: 'digest@localhost' };
}
