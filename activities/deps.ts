/** The dependencies of the activities, created once by the worker or by a test. */
import type { FormatPool } from '../destinations/format/pool.ts';
import type { Destination, Platform } from '../destinations/types.ts';
import type { DigestContent } from '../mail/digest/view.ts';
import type { Mailer, RenderedMail } from '../mail/mailer.ts';
import type { ConversionPool } from '../sources/conversion/pool.ts';
import type { Database } from '../store/db/database.ts';
import type { ImageStore } from '../store/images/files/image-store.ts';
import type { SignedLink } from '../store/mail-links/links.ts';
import type { Sealer } from '../store/secrets/sealing.ts';
import type { WorkflowTarget } from '../temporal/signals.ts';

export interface ActivityDeps {
  db: Database;
  sealer: Sealer;
  /** Starts and signals the workflows of other articles and deliveries. */
  workflowTarget: WorkflowTarget;
  /** This site's address, without a trailing slash. */
  baseUrl: string;
  /** Null if the platform has no adapter. */
  findDestination: (platform: Platform) => Destination | null;
  /** Formats articles for a platform in worker threads. */
  formats: FormatPool;
  /** Reads feeds and converts imported posts in worker threads. */
  conversions: ConversionPool;
  /** Maximum bytes of documents per author. */
  storageLimit: number;
  images: ImageStore;
  /** Maximum bytes of pictures per author. */
  imagesLimit: number;
  /** Pauses before a busy picture server gets another request; shorter in tests. */
  imagePausesMs: readonly number[];
  /** Private addresses that the operator allows: see `ClientOptions.allowPrivate`. */
  allowPrivate: boolean | readonly string[];
  /** False only in measurements: deliveries then reserve no rate slots. */
  pacing: boolean;
  /** `TIMEOUTS.httpMs`, shorter in tests. */
  httpTimeoutMs: number;
  /** `TIMEOUTS.lateArrivalMs`, shorter in tests. */
  lateArrivalMs: number;
  mail: Mailer;
  renderDigest: (content: DigestContent) => Promise<RenderedMail>;
  signLink: (link: SignedLink) => string;
  unsubscribeToken: (userId: string) => string;
  now: () => Date;
}
