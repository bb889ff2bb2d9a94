/** The interface of a mailer: sends one mail and returns its outcome. */
import type { Mailbox } from './smtp/address.ts';

export interface RenderedMail {
  subject: string;
  html: string;
  text: string;
}

export interface Mail extends RenderedMail {
  to: Mailbox;
  /** `<local@domain>`, chosen by the caller: the same mail has the same id, however often it is sent. */
  messageId: string;
  headers: Record<string, string>;
}

export interface SendOptions {
  /**
   * Awaited when everything but the end of the message was sent to the server, right before the end is sent. If it throws, the mail is not
   * sent. Record here that the mail may be out: see `smtp/last-byte.ts`. Called at most once.
   */
  beforeLastByte: () => Promise<void>;
  signal?: AbortSignal;
}

/** A reason is one short line for an operator, without credentials. */
export type MailOutcome =
  /** The server accepted it. */
  | { kind: 'sent' }
  /**
   * The server refuses (5xx); a retry would be refused again. `recipient`: there is no such mailbox. `unclear`: the recipient was refused,
   * but the server did not say that it is gone. `message`: this mail only.
   */
  | { kind: 'refused'; reason: string; of: 'recipient' | 'unclear' | 'message' }
  /** Certainly not accepted, and not because of this mail: connection, login, sender, TLS, 4xx, cancelled by us. */
  | { kind: 'unavailable'; reason: string }
  /** The end may have reached the server, but there was no answer: it may have been accepted. */
  | { kind: 'unknown'; reason: string };

export interface Mailer {
  /** Does not reject for what the network or the server does; rejects with a `TypeError` for a malformed mail. */
  send(mail: Mail, options: SendOptions): Promise<MailOutcome>;
  /** Waits for mails that are being sent. */
  close(): Promise<void>;
}
