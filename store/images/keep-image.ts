/**
 * Whose a picture is. It is an author's before it is put into the store, and what it was copied from is noted only after it is there: a crash
 * between the two leaves something that nobody uses, which is swept, and never an address behind which nothing is.
 */
import { sql } from 'kysely';
import type { ImageName } from '../../images/image-name.ts';
import type { Database } from '../db/database.ts';
import { lockAccount } from '../users/lock-account.ts';

export interface ImageClaim {
  authorId: string;
  name: ImageName;
  bytes: number;
  /** How many bytes of pictures the author may keep. */
  limitBytes: number;
  now: Date;
}

/**
 * `full`: over the limit, and nothing was changed; `usedBytes` is what the author has. `busy`: the same picture is just being deleted for somebody
 * else; ask again a little later. Throws UNAUTHENTICATED where the account is gone.
 */
export type ClaimOutcome = { kind: 'claimed' } | { kind: 'busy' } | { kind: 'full'; usedBytes: number };

export function claimImage(db: Database, claim: ImageClaim): Promise<ClaimOutcome> {
  const { authorId, name, bytes, limitBytes, now } = claim;
  const { hash, type } = name;
  return db.transaction().execute(async (tx): Promise<ClaimOutcome> => {
    await lockAccount(tx, authorId);
    const touched = await tx
      .updateTable('authorImages')
      .set({ checkedAt: now, unusedSince: null })
      .where('authorId', '=', authorId)
      .where('hash', '=', hash)
      .executeTakeFirst();
    if (touched.numUpdatedRows > 0n) return { kind: 'claimed' };
    const used = await tx
      .selectFrom('authorImages')
      .select((eb) => eb.fn.sum<number | null>('bytes').as('bytes'))
      .where('authorId', '=', authorId)
      .executeTakeFirst();
    const usedBytes = Number(used?.bytes ?? 0);
    if (usedBytes + bytes > limitBytes) return { kind: 'full', usedBytes };
    // Holds the row, so that its deletion does not begin meanwhile.
    const image = await tx
      .insertInto('images')
      .values({ hash, type, bytes, createdAt: now })
      .onConflict((conflict) => conflict.column('hash').doUpdateSet({ type: sql`images.type` }))
      .returning('deletingSince')
      .executeTakeFirstOrThrow();
    if (image.deletingSince !== null) return { kind: 'busy' };
    await tx.insertInto('authorImages').values({ authorId, hash, bytes, checkedAt: now }).execute();
    return { kind: 'claimed' };
  });
}

/** The picture that was copied from this address before, which is the author's for some more days; null where there is none. */
export async function findCopy(
  db: Database,
  { authorId, address, now }: { authorId: string; address: string; now: Date },
): Promise<ImageName | null> {
  const row = await db
    .updateTable('authorImages')
    .from(['imageCopies', 'images'])
    .set({ checkedAt: now, unusedSince: null })
    .whereRef('imageCopies.authorId', '=', 'authorImages.authorId')
    .whereRef('imageCopies.hash', '=', 'authorImages.hash')
    .whereRef('images.hash', '=', 'authorImages.hash')
    .where('authorImages.authorId', '=', authorId)
    .where('imageCopies.address', '=', address)
    .returning(['images.hash', 'images.type'])
    .executeTakeFirst();
  return row ?? null;
}

/** Null where no author has it. */
export async function findSize(db: Database, { hash, type }: ImageName): Promise<number | null> {
  const row = await db
    .selectFrom('images')
    .select('bytes')
    .where('hash', '=', hash)
    .where('type', '=', type)
    .executeTakeFirst();
  return row?.bytes ?? null;
}

export interface NotedCopy extends Omit<ImageClaim, 'limitBytes'> {
  address: string;
}

/**
 * It is in the store now. False where its author has gone since the claim: the picture may have been swept before it came, so its row is there
 * again, and a deletion that is going on does not end it.
 */
export function noteCopy(db: Database, { authorId, address, name, bytes, now }: NotedCopy): Promise<boolean> {
  const { hash, type } = name;
  return db.transaction().execute(async (tx) => {
    const claim = await tx
      .selectFrom('authorImages')
      .select('hash')
      .where('authorId', '=', authorId)
      .where('hash', '=', hash)
      .forKeyShare()
      .executeTakeFirst();
    if (!claim) {
      await tx
        .insertInto('images')
        .values({ hash, type, bytes, createdAt: now })
        .onConflict((conflict) =>
          conflict.column('hash').doUpdateSet({ deletingSince: now }).where('images.deletingSince', 'is not', null),
        )
        .execute();
      return false;
    }
    await tx
      .insertInto('imageCopies')
      .values({ authorId, address, hash })
      .onConflict((conflict) => conflict.columns(['authorId', 'address']).doUpdateSet({ hash }))
      .execute();
    return true;
  });
}
