/** Starts and cancels imports under the author's lock; the outbox signals the workflow. */
import type { ImportAddress, ImportSource } from '../../article/import/import-address.ts';
import { RefusedCommandError } from '../commands/refused-command.ts';
import type { Database } from '../db/database.ts';
import type { ImportImages } from '../db/types.ts';
import { lockActiveUser, lockUser } from '../users/lock-user.ts';
import { erasePosts } from './progress.ts';

/** Imports per author within a day, dry runs included: each reads all posts of another server. */
export const MAX_IMPORTS_PER_DAY = 20;
const DAY_MS = 24 * 3_600_000;

export interface ImportRequest {
  userId: string;
  source: ImportSource;
  /** As the author wrote it. */
  identifier: string;
  place: ImportAddress;
  /** The author's limit; null for the general limits only. */
  mostItems: number | null;
  since: Date | null;
  asDraft: boolean;
  dryRun: boolean;
  images: ImportImages;
  now: Date;
}

/** Throws IMPORT_RUNNING, SUSPENDED, TOO_MANY, UNAUTHENTICATED. */
export function startImport(db: Database, { now, place, ...request }: ImportRequest): Promise<{ id: string }> {
  return db.transaction().execute(async (tx) => {
    await lockActiveUser(tx, request.userId);
    const recent = await tx
      .selectFrom('imports')
      .select(['id', 'state'])
      .where('userId', '=', request.userId)
      .where((eb) => eb.or([eb('state', '=', 'running'), eb('createdAt', '>', new Date(now.getTime() - DAY_MS))]))
      .execute();
    const running = recent.find(({ state }) => state === 'running');
    if (running) {
      const message = `Your import ${running.id} is still running. Wait for it, or cancel it with cancelImport.`;
      throw new RefusedCommandError('IMPORT_RUNNING', message);
    }
    if (recent.length >= MAX_IMPORTS_PER_DAY) {
      const message = `You have started ${recent.length} imports within a day, which is the maximum. Start the next one tomorrow.`;
      throw new RefusedCommandError('TOO_MANY', message);
    }
    const columns = { ...request, place: JSON.stringify(place), cursor: JSON.stringify({ page: 1 }), createdAt: now };
    const { id } = await tx.insertInto('imports').values(columns).returning('id').executeTakeFirstOrThrow();
    await tx.insertInto('outbox').values({ importId: id }).execute();
    return { id };
  });
}

/** Stored articles remain. False if it had ended; throws NOT_FOUND for another user's import. */
export function cancelImport(db: Database, target: { userId: string; importId: string; now: Date }): Promise<boolean> {
  const { userId, importId, now } = target;
  return db.transaction().execute(async (tx) => {
    await lockUser(tx, userId);
    const row = await tx
      .updateTable('imports')
      .set((eb) => ({
        state: eb
          .case()
          .when('state', '=', 'running')
          .then('cancelled' as const)
          .else(eb.ref('state'))
          .end(),
        endedAt: eb.fn.coalesce('endedAt', eb.val(now)),
        waitsUntil: null,
      }))
      .where('id', '=', importId)
      .where('userId', '=', userId)
      .returning(['state', 'endedAt'])
      .executeTakeFirst();
    if (!row) throw new RefusedCommandError('NOT_FOUND', 'You have no such import.', 'id');
    const isCancelled = row.endedAt?.getTime() === now.getTime();
    if (isCancelled) {
      await erasePosts(tx, importId);
      await tx.insertInto('outbox').values({ importId }).execute();
    }
    return isCancelled;
  });
}
