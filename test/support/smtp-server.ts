/** A mail server that stores accepted mails. Tests can make it reject or delay them. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';

/** A status, optionally with a text: `550 5.1.1 no such user`. */
type Refusal = number | `${number} ${string}`;

export interface ReceivedMail {
  to: string;
  parsed: Email;
}

export interface TestSmtpServer {
  port: number;
  /** The accepted mails in order, including those whose client did not receive the response. */
  mails: ReceivedMail[];
  /** The recipients of all mails, including rejected ones. */
  begun: string[];
  /** Called for each recipient. Returns a rejection or null. A promise delays the mail. */
  onRecipient: (address: string) => Refusal | null | Promise<Refusal | null>;
  /** Called when a mail has arrived completely. Returns a rejection or null. */
  onWhole: (address: string) => Refusal | null;
  /** Awaited after a mail is accepted, before the response. */
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
      void Promise.resolve(state.onRecipient(address)).then((answer) => callback(buildRefusal(answer)));
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
        callback(buildRefusal(answer));
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

function buildRefusal(answer: Refusal | null): Error | null {
  if (answer === null) return null;
  const [, status = '', text = ''] = /^(\d+) ?(.*)$/.exec(String(answer)) ?? [];
  return Object.assign(new Error(text || 'refused by the test'), { responseCode: Number(status) });
}
