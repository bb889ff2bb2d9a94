/**
 * Ownership of pictures. The author's claim is stored before the bytes, the source address after
 * them. A crash in between leaves an unused picture, which is swept, and never an address without a
 * picture.
 */
import { sql } from 'kysely';
import type { ImageName } from '../../article/images/image-name.ts';
import type { Database } from '../db/database.ts';
import { lockUser } from '../users/lock-user.ts';

export interface ImageClaim {
  authorId: string;
  name: ImageName;
  bytes: number;
  /** Bytes of pictures that the author may store. */
  limitBytes: number;
  now: Date;
}

/**
 * `full`: over the limit, nothing was changed; `usedBytes` is the author's total. `busy`: the same
 * picture is being deleted; retry later. The claim throws UNAUTHENTICATED if the account is gone.
 */
export type ClaimOutcome = { kind: 'claimed' } | { kind: 'busy' } | { kind: 'full'; usedBytes: number };

export function claimImage(db: Database, claim: ImageClaim): Promise<ClaimOutcome> {
  const { authorId, name, bytes, limitBytes, now } = claim;
  const { hash, type } = name;
  return db.transaction().execute(async (tx): Promise<ClaimOutcome> => {
    await lockUser(tx, authorId);
    const renewed = await tx
      .updateTable('authorImages')
      .set({ checkedAt: now, unusedSince: null })
      .where('authorId', '=', authorId)
      .where('hash', '=', hash)
      .executeTakeFirst();
    if (renewed.numUpdatedRows > 0n) return { kind: 'claimed' };
    const used = await tx
      .selectFrom('authorImages')
      .select((eb) => eb.fn.sum<number | null>('bytes').as('bytes'))
      .where('authorId', '=', authorId)
      .executeTakeFirst();
    const usedBytes = Number(used?.bytes ?? 0);
    if (usedBytes + bytes > limitBytes) return { kind: 'full', usedBytes };
    // Locks the row, so that its deletion does not start meanwhile.
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

/** The picture already copied from this address, protected from the sweep for days; or null. */
export async function findImageCopy(
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

/** Null if no picture has this name. */
export async function findImageSize(db: Database, { hash, type }: ImageName): Promise<number | null> {
  const row = await db
    .selectFrom('images')
    .select('bytes')
    .where('hash', '=', hash)
    .where('type', '=', type)
    .executeTakeFirst();
  return row?.bytes ?? null;
}

export interface StoredImageCopy extends Omit<ImageClaim, 'limitBytes'> {
  address: string;
}

/**
 * Records a copy once its bytes are stored. False if its author is gone since the claim. The sweep
 * may have run before the bytes arrived, so the row is inserted again, or its deletion restarted.
 */
export function recordImageCopy(
  db: Database,
  { authorId, address, name, bytes, now }: StoredImageCopy,
): Promise<boolean> {
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
