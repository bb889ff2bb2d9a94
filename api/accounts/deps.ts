/** What the use cases of accounts need. */
import type { Database } from '../../store/db/database.ts';
import type { HashCost } from '../../store/users/passwords.ts';
import type { Sessions } from '../auth/sessions.ts';

export interface AccountDeps {
  db: Database;
  sessions: Sessions;
  /** Signs and verifies the links in mails. */
  linkKey: Buffer;
  /** From which the successors of refresh tokens follow. */
  refreshKey: Buffer;
  /** Of passwords; without it what the library advises. */
  hashCost?: HashCost | undefined;
  /** A mail was put on its way: something is in the outbox. */
  onDecided: () => void;
  now: () => Date;
}

/** Where a request comes from. */
export interface Client {
  address: string;
  userAgent: string | null;
}
