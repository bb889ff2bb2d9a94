/** A mail server on a port of its own that keeps the mails it takes, and refuses or stalls where a test says so. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';

/** A status, or one with a text: `550 5.1.1 no such user`. */
type Refusal = number | `${number} ${string}`;

export interface TakenMail {
  to: string;
  parsed: Email;
}

export interface TestSmtpServer {
  port: number;
  /** The mails that were taken, in order, also those whose client never got the answer. */
  mails: TakenMail[];
  /** The recipient of every mail that was begun. */
  begun: string[];
  /** Asked for each recipient: what to refuse with, or a promise that stalls the exchange before anything is sent. */
  onRecipient: (address: string) => Refusal | null | Promise<Refusal | null>;
  /** Asked once a mail has arrived complete: what to refuse it with. */
  onWhole: (address: string) => Refusal | null;
  /** Awaited once a mail is taken, before the answer. */
  beforeAnswer: () => Promise<void>;
  close(): Promise<void>;
}

export async function startSmtpServer(): Promise<TestSmtpServer> {
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    closeTimeout: 500,
    onRcptTo({ address }, _session, callback) {
      state.begun.push(address);
      void Promise.resolve(state.onRecipient(address)).then((answer) => callback(refusal(answer)));
    },
    onData(stream, session, callback) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', async () => {
        const to = session.envelope.rcptTo[0]?.address ?? '';
        const answer = state.onWhole(to);
        if (answer === null) {
          state.mails.push({ to, parsed: await PostalMime.parse(Buffer.concat(chunks)) });
          await state.beforeAnswer();
        }
        callback(refusal(answer));
      });
    },
  });
  // Some tests kill the client during an exchange.
  server.on('error', () => undefined);
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  const state: TestSmtpServer = {
    port: (server.server.address() as AddressInfo).port,
    mails: [],
    begun: [],
    onRecipient: () => null,
    onWhole: () => null,
    beforeAnswer: async () => undefined,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
  return state;
}

function refusal(answer: Refusal | null): Error | null {
  if (answer === null) return null;
  const [, status = '', text = ''] = /^(\d+) ?(.*)$/.exec(String(answer)) ?? [];
  return Object.assign(new Error(text || 'refused by the test'), { responseCode: Number(status) });
}
