/** How far an import has come. Every step is written when it is done, so that a run that is cut anywhere goes on where it was. */
import { sql, type Transaction } from 'kysely';
import type { Cursor, ListedPost, SourceNotice } from '../../article/import/place.ts';
import type { SourcePost } from '../../article/import/source-post.ts';
import type { Database } from '../db/database.ts';
import type { DB } from '../db/types.ts';

/** What an import does as a whole, whatever its source has. */
export const MOST_ITEMS = 5_000;
export const MOST_BYTES = 64 * 1024 * 1024;

/** Null where it is gone, with its author. */
export async function loadImport(db: Database, importId: string) {
  const row = await db.selectFrom('imports').selectAll().where('id', '=', importId).executeTakeFirst();
  return row ?? null;
}

export type ImportRow = NonNullable<Awaited<ReturnType<typeof loadImport>>>;

export interface ListedPage {
  posts: ListedPost<SourcePost>[];
  next: Cursor | null;
  notices: SourceNotice[];
}

/**
 * Keeps a page with the place of the next one. A post that is listed twice (pages move while they are read) is one. Ends the listing where the
 * import has as many as its author or the bounds allow, and says so.
 */
export function keepPage(
  db: Database,
  { id, cursor }: Pick<ImportRow, 'id' | 'cursor'>,
  page: ListedPage,
): Promise<void> {
  return db.transaction().execute(async (tx) => {
    const row = await tx
      .selectFrom('imports')
      .select(['cursor', 'state', 'mostItems', 'listedItems', 'listedBytes', 'notices'])
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst();
    // Somebody else has kept this page: a worker that was taken for lost.
    if (row?.state !== 'running' || row.cursor?.page !== cursor?.page) return;
    const known = await tx
      .selectFrom('importItems')
      .select('remoteId')
      .where('importId', '=', id)
      .where('remoteId', 'in', ['', ...page.posts.map(({ post }) => post.remoteId)])
      .execute();
    const seen = new Set(known.map(({ remoteId }) => remoteId));
    const fresh = page.posts.filter(({ post }) => !seen.has(post.remoteId) && seen.add(post.remoteId));
    const { kept, bytes, end } = bound(fresh, row);
    const rows = kept.map(({ listed, text }, index) => buildItem(id, row.listedItems + index + 1, listed, text));
    for (let from = 0; from < rows.length; from += PORTION) {
      await tx
        .insertInto('importItems')
        .values(rows.slice(from, from + PORTION))
        .execute();
    }
    const notices = [...row.notices, ...page.notices, ...(end ? [end] : [])];
    const isFull = end !== null || row.listedItems + kept.length >= (row.mostItems ?? MOST_ITEMS);
    await tx
      .updateTable('imports')
      .set({
        cursor: page.next === null || isFull ? null : JSON.stringify(page.next),
        listedItems: row.listedItems + kept.length,
        listedBytes: row.listedBytes + bytes,
        notices: JSON.stringify(notices.slice(0, MOST_NOTICES)),
        waitsUntil: null,
      })
      .where('id', '=', id)
      .execute();
  });
}

const PORTION = 500;
const MOST_NOTICES = 50;

interface Room {
  mostItems: number | null;
  listedItems: number;
  listedBytes: number;
}

/** What of a page the import still has room for; `end` is what its author must know where that is not all. */
function bound(fresh: ListedPost<SourcePost>[], { mostItems, listedItems, listedBytes }: Room) {
  const kept: { listed: ListedPost<SourcePost>; text: string }[] = [];
  const room = Math.min(mostItems ?? MOST_ITEMS, MOST_ITEMS) - listedItems;
  let bytes = 0;
  for (const listed of fresh) {
    // JSON columns take no NUL.
    const text = JSON.stringify(listed.post).replaceAll('\\u0000', '\\ufffd');
    const size = Buffer.byteLength(text);
    if (listedBytes + bytes + size > MOST_BYTES) {
      const message = `The posts have more than ${MOST_BYTES / 1024 / 1024} MiB together, which is the most for one import. Import again for those that are missing.`;
      return { kept, bytes, end: { code: 'import_full', message } };
    }
    if (kept.length === room) {
      const message = `The source has more than ${MOST_ITEMS} posts, which is the most for one import; the oldest were left out.`;
      return { kept, bytes, end: mostItems === null ? { code: 'import_full', message } : null };
    }
    kept.push({ listed, text });
    bytes += size;
  }
  return { kept, bytes, end: null };
}

function buildItem(importId: string, number: number, { post, hasBody, account }: ListedPost<SourcePost>, text: string) {
  const { remoteId, url, title, publishedAt } = post;
  const plain = (value: string) => value.replaceAll('\0', '\ufffd');
  return {
    importId,
    number,
    remoteId: plain(remoteId),
    url: url === null ? null : plain(url),
    title: plain(title).slice(0, 300).toWellFormed(),
    publishedAt,
    account,
    hasBody,
    post: text,
  };
}

/** The oldest that is open: parts of a series come in their order. Null where none is. */
export async function findOpenItem(db: Database, importId: string) {
  const item = await db
    .selectFrom('importItems')
    .select(['importId', 'number', 'remoteId', 'post', 'hasBody', 'account', 'attempts'])
    .where('importId', '=', importId)
    .where('outcome', 'is', null)
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst();
  return item ?? null;
}

export type OpenItem = NonNullable<Awaited<ReturnType<typeof findOpenItem>>>;

/** Counts it before it is tried: one that takes its worker with it is not tried for ever. */
export async function countAttempt(
  db: Database,
  { importId, number }: Pick<OpenItem, 'importId' | 'number'>,
): Promise<void> {
  await db
    .updateTable('importItems')
    .set((eb) => ({ attempts: eb('attempts', '+', 1) }))
    .where('importId', '=', importId)
    .where('number', '=', number)
    .execute();
}

/** The source is asked again then. */
export async function noteWait(db: Database, importId: string, until: Date): Promise<void> {
  await db
    .updateTable('imports')
    .set({ waitsUntil: until })
    .where('id', '=', importId)
    .where('state', '=', 'running')
    .execute();
}

/** Does nothing to one that has ended. */
export async function endImport(
  db: Database,
  { importId, state, reason, now }: { importId: string; state: 'done' | 'failed'; reason: string | null; now: Date },
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable('imports')
      .set({ state, reason, endedAt: now, waitsUntil: null })
      .where('id', '=', importId)
      .where('state', '=', 'running')
      .executeTakeFirst();
    if (numUpdatedRows > 0n) await forgetPosts(tx, importId);
  });
}

/** What was listed and never came to its turn: nobody reads it any more. */
export async function forgetPosts(tx: Transaction<DB>, importId: string): Promise<void> {
  await tx
    .updateTable('importItems')
    .set({ post: null })
    .where('importId', '=', importId)
    .where('outcome', 'is', null)
    .execute();
}

export async function countItems(db: Database, importId: string): Promise<{ listed: number; done: number }> {
  const { rows } = await sql<{ listed: number; done: number }>`
    select count(*)::int as listed, count(outcome)::int as done from import_items where import_id = ${importId}`.execute(
    db,
  );
  return rows[0] ?? { listed: 0, done: 0 };
}
