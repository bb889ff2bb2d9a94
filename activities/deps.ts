/** What the activities work with; made once by the worker, or by a test. */
import type { Destination, Platform } from '../destinations/types.ts';
import type { Database } from '../store/database.ts';
import type { DigestContent } from '../store/digest-content.ts';
import type { Sealer } from '../store/sealing.ts';
import type { Actors } from '../temporal/signals.ts';

export interface ActivityDeps {
  db: Database;
  sealer: Sealer;
  /** For waking other actors by signalWithStart. */
  actors: Actors;
  /** This site's address, without a trailing slash. */
  baseUrl: string;
  /** The adapter of a platform; null where there is none yet. */
  destinationFor: (platform: Platform) => Destination | null;
  /** The operator's word that destinations on private addresses are meant (sandbox, intranet). */
  allowPrivate: boolean;
  /** False only for measuring: deliveries then take no turns. */
  pacing: boolean;
  /** For one HTTP exchange with a destination, headers to last byte; well below the activities' own 30 s. */
  httpTimeoutMs: number;
  mail: Mailer;
  renderDigest: (content: DigestContent) => Promise<RenderedMail>;
  /** The headers of a mail of a list that one can leave. */
  digestHeaders: (links: { unsubscribeUrl: string; siteUrl: string }) => Record<string, string>;
  /** The signed token of the link by which this user turns digests off. */
  unsubscribeToken: (userId: string) => string | Promise<string>;
  now: () => Date;
}

export interface RenderedMail {
  subject: string;
  html: string;
  text: string;
}

/** Texts as people wrote them: that no header is made of a name or a title is the mailer's work. */
export interface OutgoingMail extends RenderedMail {
  to: { name: string; address: string };
  /** With its angle brackets; the same for every attempt. */
  messageId: string;
  headers: Record<string, string>;
}

export type MailOutcome =
  | { kind: 'sent' }
  /** A final no, to this address or to this one message. */
  | { kind: 'refused'; reason: string; of: 'recipient' | 'message' }
  /** Surely not taken; may be tried again. */
  | { kind: 'unavailable'; reason: string }
  /** It may have been taken. */
  | { kind: 'unknown'; reason: string };

export interface Mailer {
  /** `beforeLastByte` is awaited when all but the end of the message is out; where it throws, the end is not sent. */
  send(
    mail: OutgoingMail,
    options: { beforeLastByte: () => Promise<void>; signal?: AbortSignal },
  ): Promise<MailOutcome>;
}
