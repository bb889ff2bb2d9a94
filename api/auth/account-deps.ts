/** Dependencies of the functions that sign in, register or change an account. */
import type { Database } from '../../store/db/database.ts';
import type { HashCost } from '../../store/users/passwords.ts';
import type { Sessions } from './sessions.ts';

export interface AccountDeps {
  db: Database;
  sessions: Sessions;
  /** Signs and verifies the links in mails. */
  linkKey: Buffer;
  /** Derives the successors of refresh tokens. */
  refreshKey: Buffer;
  /** Cost of password hashes; by default the library's recommendation. */
  hashCost?: HashCost | undefined;
  now: () => Date;
  /** Called after an outbox row was written. */
  onOutboxWrite: () => void;
}

export interface Client {
  address: string;
  userAgent: string | null;
}
