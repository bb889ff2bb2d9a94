/** Offers: published articles without a copy at the connected account, which can be sent. */
import { sql, type Transaction } from 'kysely';
import type { DestinationKey } from '../../article/types.ts';
import { createSuspendedError } from '../commands/refused-command.ts';
import type { Database } from '../db/database.ts';
import type { DB } from '../db/types.ts';
import { lockUser } from '../users/lock-user.ts';

export interface Offer {
  articleId: string;
  slug: string;
  title: string;
}

interface OfferKey {
  authorId: string;
  destination: DestinationKey;
}

/** Newest first. */
export async function listOffers(db: Database | Transaction<DB>, key: OfferKey): Promise<Offer[]> {
  const { rows } = await sql<Offer>`select s.article_id, a.slug, a.title from (${selectOffered(key)}) s
    join articles a on a.id = s.article_id order by a.published_at desc, a.id limit ${MAX_OFFERS}`.execute(db);
  return rows;
}

/** Further articles are offered after these were sent. */
const MAX_OFFERS = 1_000;

function selectOffered({ authorId, destination }: OfferKey) {
  return sql`select article_id from delivery_states
    where author_id = ${authorId} and destination = ${destination} and is_offered and connection_status = 'active'`;
}

/** Makes the offered articles among `articleIds` due, and returns their ids. Ignores the others. */
export function sendArticles(db: Database, key: OfferKey, articleIds: readonly string[]): Promise<string[]> {
  const { authorId, destination } = key;
  return db.transaction().execute(async (tx) => {
    const { suspendedAt } = await lockUser(tx, authorId);
    if (suspendedAt !== null) throw createSuspendedError();
    const { rows } = await sql<{ articleId: string }>`
      with sent as (
        insert into deliveries (article_id, destination, due_at)
        select article_id, ${destination}, clock_timestamp() from (${selectOffered(key)}) s
        where article_id = any(${articleIds}::uuid[]) order by article_id
        on conflict (article_id, destination) do update set due_at = excluded.due_at, version = deliveries.version + 1,
          handled_dispatch = least(deliveries.handled_dispatch, (select dispatch - 1 from articles a where a.id = deliveries.article_id))
        returning article_id
      ) insert into outbox (article_id, destination) select article_id, ${destination} from sent returning article_id`.execute(
      tx,
    );
    return rows.map(({ articleId }) => articleId);
  });
}
