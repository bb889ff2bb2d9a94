/** What the activities work with; made once by the worker, or by a test. */
import type { FormatPool } from '../destinations/format/pool.ts';
import type { Destination, Platform } from '../destinations/types.ts';
import type { DigestContent } from '../mail/digest-content.ts';
import type { Mailer } from '../mail/mailer.ts';
import type { RenderedMail } from '../mail/render-digest.ts';
import type { Database } from '../store/db/database.ts';
import type { Sealer } from '../store/secrets/sealing.ts';
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
  /** Where articles are put into the form of a platform. */
  formats: FormatPool;
  /** The operator's word on private addresses: see `ClientOptions.allowPrivate`. */
  allowPrivate: boolean | readonly string[];
  /** False only for measuring: deliveries then take no turns. */
  pacing: boolean;
  /** For one HTTP exchange with a destination: `TIMEOUTS.httpMs`, shorter in tests. */
  httpTimeoutMs: number;
  mail: Mailer;
  renderDigest: (content: DigestContent) => Promise<RenderedMail>;
  /** The signed token of the link by which this user turns digests off. */
  unsubscribeToken: (userId: string) => string;
  now: () => Date;
}
