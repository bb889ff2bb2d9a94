/** Sends mail over SMTP through a pool of open connections. */
import { domainToASCII } from 'node:url';
import type { Transporter } from 'nodemailer';
import type { SMTPPoolOptions, SMTPPoolSentMessageInfo } from 'nodemailer/lib/smtp-pool';
import { composeMail, refuseAddress } from '../compose.ts';
import type { Mail, Mailer, MailOutcome, SendOptions } from '../mailer.ts';
import { type Mailbox, parseSmtpUrl, type SmtpServer } from './address.ts';
import { type HeldMessage, holdLastByte } from './last-byte.ts';
import { readSmtpOutcome, type SmtpFailure } from './outcome.ts';

export interface SmtpConfig {
  /** `SMTP_URL`: `smtp[s]://[user:password@]host[:port]`. Without TLS only to this machine. */
  url: string;
  /** `MAIL_FROM`, parsed. */
  from: Mailbox;
  now: () => Date;
  /**
   * Other options of nodemailer, for tests and benchmarks: timeouts, a certificate authority, a
   * socket.
   */
  pool?: Partial<SMTPPoolOptions>;
}

export function createMailer(config: SmtpConfig): Mailer {
  const server = parseSmtpUrl(config.url);
  if (server === null) throw new TypeError('SMTP_URL must have the form smtp[s]://[user:password@]host[:port]');
  const secrets = server.auth ? listSecretForms(server.auth) : [];
  let transport: Promise<Transporter<SMTPPoolSentMessageInfo>> | undefined;
  const sending = new Set<Promise<unknown>>();

  async function send(mail: Mail, options: SendOptions): Promise<MailOutcome> {
    const refused = refuseAddress(mail);
    if (refused) return refused;
    const { envelope, message } = await composeMail(mail, config.from, config.now());
    transport ??= openPool({ ...buildPoolOptions(server as SmtpServer), ...config.pool });
    const held = holdLastByte(message, options.beforeLastByte);
    try {
      await (await transport).sendMail({
        envelope,
        raw: message,
        // Read by the plug-in in `openPool`.
        held,
        ...(options.signal ? { signal: options.signal } : {}),
      } as Parameters<Transporter['sendMail']>[0]);
      return { kind: 'sent' };
    } catch (error) {
      // A server's rejection may repeat the address, which must not be stored with the reason.
      return readSmtpOutcome(error as SmtpFailure, held.isLastByteSent(), [...secrets, ...listAddressForms(mail)]);
    } finally {
      // A response may arrive before the end of the data. The last byte must not be sent after it.
      held.abandon();
    }
  }

  return {
    send(mail, options) {
      const sent = send(mail, options).finally(() => sending.delete(sent));
      sending.add(sent);
      return sent;
    },
    async close() {
      await Promise.allSettled(sending);
      (await transport)?.close();
    },
  };
}

/** Exported for its test, which checks that connections to other machines are encrypted. */
export function buildPoolOptions(server: SmtpServer): SMTPPoolOptions {
  const { host, port, secure, auth, loopback } = server;
  return {
    pool: true,
    host,
    port,
    secure,
    ...(auth ? { auth } : {}),
    // Sends nothing if the server offers no STARTTLS or an attacker removed the offer.
    requireTLS: !secure && !loopback,
    ignoreTLS: !secure && loopback,
    tls: { minVersion: 'TLSv1.2' },
    maxConnections: 5,
    maxMessages: 100,
    connectionTimeout: 10_000,
    dnsTimeout: 10_000,
    greetingTimeout: 10_000,
    // A server may scan a message before it responds; RFC 5321 recommends ten minutes.
    socketTimeout: 120_000,
    // Nagle's algorithm needs no option: nodemailer disables it since version 10. Otherwise the end
    // of each message waits 40 ms for an acknowledgement (22 mails per second; measured by
    // `bench/mail.ts`).
  };
}

async function openPool(options: SMTPPoolOptions): Promise<Transporter<SMTPPoolSentMessageInfo>> {
  const { createTransport } = await import('nodemailer');
  const transport = createTransport(options);
  // Servers often close idle connections. The pool opens another one for the next mail.
  transport.on('error', () => undefined);
  transport.use('stream', (mail, done) => {
    const { held } = mail.data as unknown as { held: HeldMessage };
    // Nodemailer's own stream reads ahead before the server responds. Ours starts when it is read.
    mail.message.createReadStream = (() => held.stream()) as typeof mail.message.createReadStream;
    done();
  });
  return transport;
}

/** The address as stored, and as sent in the envelope. */
function listAddressForms({ to: { address } }: Mail): string[] {
  const [local, domain = ''] = address.split('@');
  return [address, `${local}@${domainToASCII(domain)}`];
}

/** Lists the secrets in plain form and in the encodings of logins. */
function listSecretForms({ user, pass }: { user: string; pass: string }): string[] {
  const plain = Buffer.from(`\u0000${user}\u0000${pass}`).toString('base64');
  const forms = [pass, Buffer.from(pass).toString('base64'), plain, encodeURIComponent(pass)];
  // Removing a password of three characters or fewer would damage every reason.
  return forms.filter((form) => form.length >= 4);
}
