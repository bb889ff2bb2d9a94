/** Deletes pictures without references: marks their rows, then deletes the bytes, then the rows. */

import type { Database } from '../../store/db/database.ts';
import type { ImageStore } from '../../store/images/files/image-store.ts';
import { finishImageDeletion, releaseUnusedImages, startImageDeletions } from '../../store/images/sweep.ts';

export async function sweepImages(db: Database, images: ImageStore, now: Date): Promise<void> {
  await releaseUnusedImages(db, now);
  for (const name of await startImageDeletions(db, now)) {
    await images.remove(name);
    await finishImageDeletion(db, name, now);
  }
}
