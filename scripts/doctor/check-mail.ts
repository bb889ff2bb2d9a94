/** Checks the mail server: greeting, TLS and login. Sends no mail. */
import { createTransport } from 'nodemailer';
import { parseSmtpUrl } from '../../mail/smtp/address.ts';
import { buildPoolOptions } from '../../mail/smtp/smtp-mailer.ts';
import type { Settings } from './check-settings.ts';
import { describe, type Finding, fail, ok, warn } from './finding.ts';

const SUBJECT = 'mail';
const TIMEOUT_MS = 5_000;

export async function checkMail({ smtpUrl, mailFrom, home }: Settings): Promise<Finding[]> {
  const server = smtpUrl === undefined ? null : parseSmtpUrl(smtpUrl);
  if (server === null) {
    const message = `There is no mail server: digests and confirmation links are stored in ${home}/mail and not sent.`;
    return [warn(SUBJECT, message, 'Set SMTP_URL; see docs/mail.md.')];
  }
  const limits = { connectionTimeout: TIMEOUT_MS, greetingTimeout: TIMEOUT_MS, socketTimeout: TIMEOUT_MS };
  const transport = createTransport({ ...buildPoolOptions(server), ...limits });
  try {
    await transport.verify();
    const login = server.auth ? 'accepts our user name and password' : 'responds and requires no password';
    const findings = [ok(SUBJECT, `The mail server ${server.host}:${server.port} ${login}.`)];
    if (mailFrom !== undefined) return findings;
    return [
      ...findings,
      warn(
        SUBJECT,
        'MAIL_FROM is not set: the sender of mails is digest@ the host of BASE_URL.',
        'Set it to an address that this server may send from.',
      ),
    ];
  } catch (error) {
    return [
      fail(
        SUBJECT,
        `The mail server ${server.host}:${server.port} cannot be used: ${describe(error)}.`,
        adviseOn(error),
      ),
    ];
  } finally {
    transport.close();
  }
}

function adviseOn(error: unknown): string {
  const { code } = error as { code?: string };
  if (code === 'EAUTH') return 'Correct the user name and password in SMTP_URL. Percent-encode special characters.';
  if (code === 'ETLS')
    return 'A mail server on another machine must offer TLS: use its port for smtps:// (465), or one with STARTTLS (587).';
  return 'Do the host and port in SMTP_URL name a mail server that this machine can reach? Mails are retried.';
}
