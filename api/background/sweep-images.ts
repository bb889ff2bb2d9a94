/** Deletes pictures without references: marks their rows, then deletes the bytes, then the rows. */
import type { ImageStore } from '../../images/image-store.ts';
import type { Database } from '../../store/db/database.ts';
import { beginDeletions, endDeletion, forgetUnused } from '../../store/images/sweep.ts';

export async function sweepImages(db: Database, images: ImageStore, now: Date): Promise<void> {
  await forgetUnused(db, now);
  for (const name of await beginDeletions(db, now)) {
    await images.remove(name);
    await endDeletion(db, name, now);
  }
}
