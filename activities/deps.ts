/** What the activities work with; made once by the worker, or by a test. */
import type { Client } from '@temporalio/client';
import type { Destination, Platform } from '../destinations/types.ts';
import type { Database } from '../store/database.ts';
import type { Sealer } from '../store/sealing.ts';

export interface ActivityDeps {
  db: Database;
  sealer: Sealer;
  /** For waking other actors by signalWithStart. */
  client: Client;
  /** This site's address, without a trailing slash. */
  baseUrl: string;
  /** The adapter of a platform; null where there is none yet. */
  destinationFor: (platform: Platform) => Destination | null;
  /** The operator's word that destinations on private addresses are meant (sandbox, intranet). */
  allowPrivate: boolean;
  /** False only for measuring: deliveries then take no turns. */
  pacing: boolean;
  now: () => Date;
}
