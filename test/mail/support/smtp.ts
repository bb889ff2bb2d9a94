/**
 * A real SMTP server in this process with configurable responses. Stores the mails that it
 * accepted.
 */
import { EventEmitter, once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { SMTPServer, type SMTPServerOptions, type SMTPServerSession } from 'smtp-server';
import type { Mail, MailOutcome } from '../../../mail/mailer.ts';
import { createMailer, type SmtpConfig } from '../../../mail/smtp/smtp-mailer.ts';

export interface ReceivedMail {
  from: string;
  to: string[];
  source: string;
}

export interface TestSmtp {
  url: string;
  mails: ReceivedMail[];
  /** The number of opened sessions. */
  connections: number;
  /** Emits `disconnected` when a client has disconnected and its data is processed. */
  events: EventEmitter;
  close(): Promise<void>;
}

export interface SmtpBehaviour {
  options?: SMTPServerOptions;
  /**
   * Called at the end of the data: an error rejects, `cut` ends the connection without a response.
   */
  atEnd?: (source: string, session: SMTPServerSession) => Error | 'cut' | null;
}

export function smtpError(responseCode: number, message: string): Error {
  return Object.assign(new Error(message), { responseCode });
}

export async function startSmtp(behaviour: SmtpBehaviour = {}): Promise<TestSmtp> {
  const mails: ReceivedMail[] = [];
  const sockets = new Set<Socket>();
  const smtp: TestSmtp = { url: '', mails, connections: 0, events: new EventEmitter(), close };
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    onData(stream, session, callback) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const source = Buffer.concat(chunks).toString('utf8');
        const answer = behaviour.atEnd?.(source, session) ?? null;
        if (answer === 'cut') return cut();
        if (answer instanceof Error) return callback(answer);
        const { mailFrom, rcptTo } = session.envelope;
        mails.push({ from: mailFrom ? mailFrom.address : '', to: rcptTo.map(({ address }) => address), source });
        callback();
      });
    },
    onClose: () => smtp.events.emit('disconnected'),
    ...behaviour.options,
  });
  server.on('error', () => undefined);
  // With TLS the socket belongs to the TLS layer. Node crashes if it is destroyed directly.
  server.server.on(behaviour.options?.secure ? 'secureConnection' : 'connection', (socket) => {
    smtp.connections += 1;
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  function cut() {
    for (const socket of sockets) socket.destroy();
  }
  async function close() {
    cut();
    await new Promise<void>((resolve) => server.close(() => resolve()));
  }
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  smtp.url = `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`;
  return smtp;
}

export const FROM = { name: 'Courant', address: 'digest@courant.example' };

export function testMailer(url: string, more: Partial<SmtpConfig> = {}) {
  return createMailer({ url, from: FROM, now: () => new Date('2026-11-16T07:00:00Z'), ...more });
}

export const MAIL: Mail = {
  to: { name: 'Ada', address: 'ada@example.org' },
  subject: 'Your week',
  html: `<p>${'Views. '.repeat(5_000)}</p>`,
  text: 'Views 7\n',
  messageId: '<digest.1.2026-11-16@courant.example>',
  headers: {},
};

/**
 * Sends one mail to a server with this behaviour. Returns the outcome and the number of records.
 */
export async function sendOnce(behaviour: SmtpBehaviour, url?: (url: string) => string) {
  const smtp = await startSmtp(behaviour);
  const mailer = testMailer(url?.(smtp.url) ?? smtp.url);
  let records = 0;
  const outcome = await mailer.send(MAIL, {
    beforeLastByte: async () => {
      records += 1;
    },
  });
  await mailer.close();
  await smtp.close();
  return { outcome, records, smtp };
}

/** Returns the reason why the mail was not sent; empty if it was. */
export function readReason(outcome: MailOutcome): string {
  return 'reason' in outcome ? outcome.reason : '';
}
