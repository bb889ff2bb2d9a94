/** Inserts a finished import with this number of posts. */
import type { Database } from '../../../store/db/database.ts';

export async function addImport(db: Database, userId: string, posts: number): Promise<string> {
  const at = new Date();
  const place = JSON.stringify({ baseUrl: 'https://blog.example/feed', name: '', origin: 'blog.example' });
  const columns = {
    userId,
    source: 'rss',
    identifier: 'blog.example/feed',
    place,
    asDraft: false,
    dryRun: false,
  } as const;
  const outcome = { images: 'keep', state: 'done', createdAt: at, endedAt: at, listedItems: posts } as const;
  const { id } = await db
    .insertInto('imports')
    .values({ ...columns, ...outcome })
    .returning('id')
    .executeTakeFirstOrThrow();
  const items = Array.from({ length: posts }, (_, index) => {
    const warnings = JSON.stringify([{ code: 'a_code', message: 'A message.' }]);
    return {
      importId: id,
      number: index + 1,
      remoteId: String(index),
      title: 'A post',
      hasBody: true,
      outcome: 'created',
      endedAt: at,
      warnings,
    } as const;
  });
  if (items.length > 0) await db.insertInto('importItems').values(items).execute();
  return id;
}
