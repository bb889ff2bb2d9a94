/** A plain mailer over SMTP: the exchange is real, the mail as small as it can be. */
import { Readable } from 'node:stream';
import { createTransport } from 'nodemailer';
import type { Mailer } from '../../activities/deps.ts';

export function smtpMailer(port: number): Mailer {
  return {
    async send(mail, { beforeLastByte }) {
      const transport = createTransport({ host: '127.0.0.1', port, secure: false, ignoreTLS: true });
      let marked = false;
      async function* flow() {
        yield `Message-ID: ${mail.messageId}\r\nTo: <${mail.to.address}>\r\nSubject: ${mail.subject}\r\n`;
        const headers = Object.entries(mail.headers).map(([name, value]) => `${name}: ${value}\r\n`);
        yield `${headers.join('')}\r\n${mail.text}\r\n`;
        await beforeLastByte();
        marked = true;
      }
      // Nodemailer reads a stream ahead, before the server has said anything; this one waits until it is read.
      transport.use('stream', (sending, done) => {
        sending.message.createReadStream = (() =>
          Readable.from(flow(), { objectMode: false, highWaterMark: 1 })) as typeof sending.message.createReadStream;
        done();
      });
      try {
        await transport.sendMail({
          envelope: { from: 'digest@courant.example', to: [mail.to.address] },
          raw: 'replaced above',
        });
        return { kind: 'sent' };
      } catch (error) {
        const { responseCode, message } = error as { responseCode?: number; message: string };
        if (responseCode === undefined) return { kind: marked ? 'unknown' : 'unavailable', reason: message };
        return responseCode >= 500
          ? { kind: 'refused', reason: message, of: marked ? 'message' : 'recipient' }
          : { kind: 'unavailable', reason: message };
      } finally {
        transport.close();
      }
    },
  };
}
