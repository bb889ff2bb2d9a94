/** Lists the deliveries of an article of any author. */
import type { Kysely } from 'kysely';
import type { DB } from '../../store/db/types.ts';
import { addErrorMessages, selectStates } from '../../store/deliveries/states.ts';

export async function listDeliveries(db: Kysely<DB>, articleId: string) {
  const rows = await selectStates(db).where('s.articleId', '=', articleId).execute();
  return addErrorMessages(rows);
}
