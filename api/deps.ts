/** The API's dependencies; `main` or a test creates them once. */
import type { FastifyBaseLogger } from 'fastify';
import type { Database } from '../store/db/database.ts';
import type { Sealer } from '../store/secrets/sealing.ts';
import type { Actors } from '../temporal/signals.ts';
import type { Sessions } from './auth/sessions.ts';
import type { SigningKey } from './auth/signing-key.ts';
import type { ApiConfig } from './config.ts';
import type { DocumentPool } from './documents/pool.ts';

export interface ApiDeps {
  config: ApiConfig;
  db: Database;
  /** Only for the dispatcher; no request waits for it. */
  actors: Actors;
  /** Reads and renders documents outside the event loop. */
  documents: DocumentPool;
  /** Seals and opens the credentials of connections. */
  sealer: Sealer;
  /** Verifies the links that end a digest or leave a newsletter. */
  unsubscribeKey: Buffer;
  sessions: Sessions;
  signingKey: SigningKey;
  log: FastifyBaseLogger;
  now: () => Date;
}
