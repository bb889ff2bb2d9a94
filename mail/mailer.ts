/** Sending one mail and knowing what became of it. */
import type { Mailbox } from './smtp-address.ts';

export interface Mail {
  to: Mailbox;
  subject: string;
  html: string;
  text: string;
  /** `<local@domain>`, chosen by the caller: the same mail has the same one whoever sends it, and however often. */
  messageId: string;
  headers: Record<string, string>;
}

export interface SendOptions {
  /**
   * Awaited once everything but the end of the message is with the server, right before the end is given to it; where it
   * throws, the mail is not sent. Record here that the mail may be out: see `last-byte.ts`. Called at most once.
   */
  beforeLastByte: () => Promise<void>;
  signal?: AbortSignal;
}

/** A reason is one short line for an operator, never with credentials. */
export type MailOutcome =
  /** The server took it. */
  | { kind: 'sent' }
  /** A server's final no (5xx) to this recipient or to this message: again would be refused again. */
  | { kind: 'refused'; reason: string; of: 'recipient' | 'message' }
  /** Certainly not accepted, and not because of this mail: connection, login, sender, TLS, 4xx, our own cancelling. */
  | { kind: 'unavailable'; reason: string }
  /** The end may have reached the server, and no answer came: it may have been accepted. */
  | { kind: 'unknown'; reason: string };

export interface Mailer {
  /** Never rejects for what the network or the server does; rejects with a `TypeError` for a mail that no caller should make. */
  send(mail: Mail, options: SendOptions): Promise<MailOutcome>;
  /** Waits for mails that are on their way. */
  close(): Promise<void>;
}
