/** The dependencies of the activities, created once by the worker or by a test. */
import type { FormatPool } from '../destinations/format/pool.ts';
import type { Destination, Platform } from '../destinations/types.ts';
import type { ImageStore } from '../images/image-store.ts';
import type { DigestContent } from '../mail/digest/content.ts';
import type { Mailer, RenderedMail } from '../mail/mailer.ts';
import type { ConversionPool } from '../sources/conversion/pool.ts';
import type { Database } from '../store/db/database.ts';
import type { SignedLink } from '../store/mail-links/link-token.ts';
import type { Sealer } from '../store/secrets/sealing.ts';
import type { Actors } from '../temporal/signals.ts';

export interface ActivityDeps {
  db: Database;
  sealer: Sealer;
  /** For waking the workflows of other articles and deliveries. */
  actors: Actors;
  /** This site's address, without a trailing slash. */
  baseUrl: string;
  /** The adapter of a platform; null if there is none. */
  findDestination: (platform: Platform) => Destination | null;
  /** Formats articles for a platform, in threads of their own. */
  formats: FormatPool;
  /** Reads feeds and converts imported posts, in threads of their own. */
  conversions: ConversionPool;
  /** How many bytes of documents an author may keep. */
  storageLimit: number;
  /** Where pictures of imported posts are copied to. */
  images: ImageStore;
  /** How many bytes of pictures an author may keep. */
  imagesLimit: number;
  /** Before a picture whose server is busy is asked for again, once the other posts are done: `IMAGE_PAUSES_MS`, shorter in tests. */
  imagePausesMs: readonly number[];
  /** The private addresses that the operator allows: see `ClientOptions.allowPrivate`. */
  allowPrivate: boolean | readonly string[];
  /** False only for measuring: deliveries then reserve no rate slots. */
  pacing: boolean;
  /** For one HTTP exchange with a destination: `TIMEOUTS.httpMs`, shorter in tests. */
  httpTimeoutMs: number;
  /** How long a request that nobody answered may still arrive: `TIMEOUTS.lateArrivalMs`, shorter in tests. */
  lateArrivalMs: number;
  mail: Mailer;
  renderDigest: (content: DigestContent) => Promise<RenderedMail>;
  /** The signed token of a link in a mail. */
  signLink: (link: SignedLink) => string;
  /** The signed token for this user's unsubscribe link. */
  unsubscribeToken: (userId: string) => string;
  now: () => Date;
}
