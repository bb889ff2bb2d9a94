/** Lists the pictures of an author, for an export. */
import type { Kysely } from 'kysely';
import type { ImageName } from '../../article/images/image-name.ts';
import type { DB } from '../db/types.ts';

const IMAGES_PER_PAGE = 500;

/** Ordered by hash. */
export async function* readOwnImages(
  db: Kysely<DB>,
  authorId: string,
): AsyncGenerator<ImageName & { createdAt: Date }> {
  for (let last = ''; ; ) {
    const page = await db
      .selectFrom('authorImages')
      .innerJoin('images', 'images.hash', 'authorImages.hash')
      .select(['images.hash', 'images.type', 'images.createdAt'])
      .where('authorId', '=', authorId)
      .where('images.hash', '>', last)
      .orderBy('images.hash')
      .limit(IMAGES_PER_PAGE)
      .execute();
    yield* page;
    last = page.at(-1)?.hash ?? '';
    if (page.length < IMAGES_PER_PAGE) return;
  }
}
