/** Enqueues a mail in the transaction of its cause, so that its workflow starts on commit. */
import type { Kysely } from 'kysely';
import type { DB, MailKind } from '../db/types.ts';

export interface NewMail {
  kind: MailKind;
  /** Null if only an address is known. A subscriber has no user. */
  userId: string | null;
  subscriberId?: string;
  email: string;
  now: Date;
}

/** The text and the link are created when the mail is sent. */
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
