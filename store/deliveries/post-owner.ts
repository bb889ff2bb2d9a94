/** Whose post it is that a look-up found, or that a platform takes for a duplicate. */
import { type Kysely, sql } from 'kysely';
import type { DestinationKey } from '../../article/types.ts';
import type { DB } from '../db/types.ts';

/** Whether the author's remote post belongs to another article already: two articles may have one canonical URL, but not one post. */
export async function isRemotePostTaken(
  db: Kysely<DB>,
  post: { authorId: string; destination: DestinationKey; remoteId: string; exceptDeliveryId: string },
): Promise<boolean> {
  const owner = await db
    .selectFrom('deliveries')
    .innerJoin('articles', 'articles.id', 'deliveries.articleId')
    .select('deliveries.id')
    .where('articles.authorId', '=', post.authorId)
    .where('deliveries.destination', '=', post.destination)
    .where('deliveries.remoteId', '=', post.remoteId)
    .where('deliveries.id', '!=', post.exceptDeliveryId)
    .executeTakeFirst();
  return owner !== undefined;
}

/** Whether the post is one that this delivery deleted. */
export async function isFormerPost(db: Kysely<DB>, deliveryId: string, remoteId: string): Promise<boolean> {
  const row = await db
    .selectFrom('deliveries')
    .select('id')
    .where('id', '=', deliveryId)
    .where(sql<boolean>`${remoteId} = any (former_remote_ids)`)
    .executeTakeFirst();
  return row !== undefined;
}
