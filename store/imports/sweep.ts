/** Deletes old import reports. `article_origins` remains, so that no post is imported twice. */
import type { Database } from '../db/database.ts';

export const REPORT_RETENTION_DAYS = 90;
/** Each import may have thousands of items. */
const BATCH_SIZE = 20;

export async function sweepImports(db: Database, now: Date): Promise<void> {
  const end = new Date(now.getTime() - REPORT_RETENTION_DAYS * 24 * 3_600_000);
  const old = db.selectFrom('imports').select('id').where('endedAt', '<', end).orderBy('endedAt').limit(BATCH_SIZE);
  await db.deleteFrom('imports').where('id', 'in', old).execute();
}
