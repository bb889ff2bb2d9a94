/** Puts a mail on its way, in the transaction of what causes it: its workflow is started whatever happens after the commit. */
import type { Kysely } from 'kysely';
import type { DB, MailKind } from '../db/types.ts';

export interface NewMail {
  kind: MailKind;
  /** Null where only an address was given; that of a subscriber has no user. */
  userId: string | null;
  subscriberId?: string;
  email: string;
  now: Date;
}

/** What it says, and the link in it, is made when it is sent. */
export async function enqueueMail(db: Kysely<DB>, { now, ...mail }: NewMail): Promise<{ id: string }> {
  return db
    .with('mail', (cte) =>
      cte
        .insertInto('mails')
        .values({ ...mail, createdAt: now, at: now })
        .returning('id'),
    )
    .with('queued', (cte) =>
      cte
        .insertInto('outbox')
        .columns(['mailId'])
        .expression((eb) => eb.selectFrom('mail').select('id')),
    )
    .selectFrom('mail')
    .select('id')
    .executeTakeFirstOrThrow();
}
