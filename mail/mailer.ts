/** The interface of a mailer: sends one mail and returns its outcome. */
import type { Mailbox } from './smtp/address.ts';

export interface RenderedMail {
  subject: string;
  html: string;
  text: string;
}

export interface Mail extends RenderedMail {
  to: Mailbox;
  /** `<local@domain>`, chosen by the caller. All attempts for a mail use the same id. */
  messageId: string;
  headers: Record<string, string>;
}

export interface SendOptions {
  /**
   * Awaited after all but the last byte of the message is sent. If it throws, the mail is not sent.
   * Record here that the mail may be sent (`smtp/last-byte.ts`). Called at most once.
   */
  beforeLastByte: () => Promise<void>;
  signal?: AbortSignal;
}

/** `reason` is one short line for operators, without credentials. */
export type MailOutcome =
  | { kind: 'sent' }
  /**
   * Permanent rejection (5xx). `recipient`: the mailbox does not exist. `unclear`: the recipient
   * was rejected without a clear cause. `message`: only this mail was rejected.
   */
  | { kind: 'refused'; reason: string; cause: 'recipient' | 'unclear' | 'message' }
  /**
   * Not accepted, and not because of this mail: connection, login, sender, TLS, 4xx or
   * cancellation.
   */
  | { kind: 'unavailable'; reason: string }
  /** The last byte may have reached the server, but there was no response. It may be accepted. */
  | { kind: 'unknown'; reason: string };

export interface Mailer {
  /** Network and server errors are outcomes. */
  send(mail: Mail, options: SendOptions): Promise<MailOutcome>;
  /** Waits for running `send` calls. */
  close(): Promise<void>;
}
