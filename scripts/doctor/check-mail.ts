/** Checks the mail server: greeting, TLS and login. Sends no mail. */
import { createTransport } from 'nodemailer';
import { parseSmtpUrl } from '../../mail/smtp/address.ts';
import type { SmtpFailure } from '../../mail/smtp/outcome.ts';
import { buildPoolOptions } from '../../mail/smtp/smtp-mailer.ts';
import type { Settings } from './check-settings.ts';
import { createFindings, describe, type Finding } from './finding.ts';

const { ok, warn, fail } = createFindings('mail');
const TIMEOUT_MS = 5_000;
const ADVICE: Record<string, string> = {
  EAUTH: 'Correct the user name and password in SMTP_URL. Percent-encode special characters.',
  ETLS: 'A mail server on another machine must offer TLS: use its port for smtps:// (465), or one with STARTTLS (587).',
};
const REACHABLE = 'Do the host and port in SMTP_URL name a mail server that this machine can reach? Mails are retried.';

export async function checkMail({ smtpUrl, mailFrom, home }: Settings): Promise<Finding[]> {
  const server = smtpUrl === undefined ? null : parseSmtpUrl(smtpUrl);
  if (server === null) {
    const message = `There is no mail server: digests and confirmation links are stored in ${home}/mail and not sent.`;
    return [warn(message, 'Set SMTP_URL; see docs/self-hosting/mail.md.')];
  }
  const limits = { connectionTimeout: TIMEOUT_MS, greetingTimeout: TIMEOUT_MS, socketTimeout: TIMEOUT_MS };
  const transport = createTransport({ ...buildPoolOptions(server), ...limits });
  const name = `The mail server ${server.host}:${server.port}`;
  try {
    await transport.verify();
    const login = server.auth ? 'accepts our user name and password' : 'responds and requires no password';
    const sender = 'MAIL_FROM is not set: the sender of mails is digest@ the host of BASE_URL.';
    const advice = 'Set it to an address that this server may send from.';
    return [ok(`${name} ${login}.`), ...(mailFrom === undefined ? [warn(sender, advice)] : [])];
  } catch (error) {
    const { code = '', responseCode } = error as SmtpFailure;
    // The response to a login may repeat it, also encoded.
    const refusal = `it refuses our user name and password (${responseCode})`;
    const reason = code === 'EAUTH' && responseCode ? refusal : describe(error);
    return [fail(`${name} cannot be used: ${reason}.`, ADVICE[code] ?? REACHABLE)];
  } finally {
    transport.close();
  }
}
