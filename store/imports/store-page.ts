/** Stores the posts that a source lists as the items of an import. */
import { sql, type Transaction } from 'kysely';
import type { Cursor, ListedPost, SourceNotice } from '../../article/import/import-address.ts';
import type { SourcePost } from '../../article/import/source-post.ts';
import type { Database } from '../db/database.ts';
import type { DB } from '../db/types.ts';
import { toStorable } from '../db/valid-keys.ts';
import type { ImportRow } from './progress.ts';

/** Limits of one import. */
export const MAX_IMPORT_ITEMS = 5_000;
export const MAX_IMPORT_BYTES = 64 * 1024 * 1024;

export interface ListedPage {
  posts: ListedPost<SourcePost>[];
  next: Cursor | null;
  notices: SourceNotice[];
}

/**
 * Stores a page with the cursor of the next one. A post listed twice is stored once, since pages
 * shift while they are read. Ends the listing at the author's or the general limit, with a notice.
 */
export function storePage(
  db: Database,
  { id, cursor }: Pick<ImportRow, 'id' | 'cursor'>,
  listed: ListedPage,
): Promise<void> {
  const page = toStorable(listed);
  return db.transaction().execute(async (tx) => {
    const row = await tx
      .selectFrom('imports')
      .select(['cursor', 'state', 'mostItems', 'listedItems', 'listedBytes', 'notices'])
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst();
    // Another worker has stored this page, because this worker was considered lost.
    if (row?.state !== 'running' || row.cursor?.page !== cursor?.page) return;
    const seen = await findListed(tx, id, page);
    const unlisted = page.posts.filter(({ post }) => !seen.has(post.remoteId) && seen.add(post.remoteId));
    const imported = await findImportedIds(tx, id, page);
    const { accepted, bytes, end } = selectFitting(
      unlisted.map((listed) => (imported.has(listed.post.remoteId) ? dropText(listed) : listed)),
      row,
    );
    const rows = accepted.map(({ listed, text }, index) => buildItem(id, row.listedItems + index + 1, listed, text));
    for (let from = 0; from < rows.length; from += INSERT_BATCH) {
      await tx
        .insertInto('importItems')
        .values(rows.slice(from, from + INSERT_BATCH))
        .execute();
    }
    const notices = [...row.notices, ...page.notices, ...(end ? [end] : [])];
    const isFull = end !== null || row.listedItems + accepted.length >= (row.mostItems ?? MAX_IMPORT_ITEMS);
    await tx
      .updateTable('imports')
      .set({
        cursor: page.next === null || isFull ? null : JSON.stringify(page.next),
        listedItems: row.listedItems + accepted.length,
        listedBytes: row.listedBytes + bytes,
        notices: JSON.stringify(notices.slice(0, MAX_NOTICES)),
        waitsUntil: null,
      })
      .where('id', '=', id)
      .execute();
  });
}

const INSERT_BATCH = 500;
const MAX_NOTICES = 50;

async function findListed(tx: Transaction<DB>, importId: string, { posts }: ListedPage): Promise<Set<string>> {
  const rows = await tx
    .selectFrom('importItems')
    .select('remoteId')
    .where('importId', '=', importId)
    .where(isOneOf('remoteId', posts))
    .execute();
  return new Set(rows.map(({ remoteId }) => remoteId));
}

/** Ids of the posts that were imported before. */
async function findImportedIds(tx: Transaction<DB>, importId: string, { posts }: ListedPage): Promise<Set<string>> {
  const rows = await tx
    .selectFrom('articleOrigins')
    .innerJoin('imports', 'imports.userId', 'articleOrigins.authorId')
    .select('remoteId')
    .where('imports.id', '=', importId)
    .whereRef('articleOrigins.source', '=', 'imports.source')
    .where(sql<boolean>`article_origins.origin = imports.place ->> 'origin'`)
    .where(isOneOf('remoteId', posts))
    .execute();
  return new Set(rows.map(({ remoteId }) => remoteId));
}

/** One array parameter: a feed may have more posts than a query may have parameters. */
function isOneOf(column: string, posts: ListedPage['posts']) {
  return sql<boolean>`${sql.ref(column)} = any(${posts.map(({ post }) => post.remoteId)}::text[])`;
}

/** The text is not needed again. Without it, more new posts fit into the import. */
function dropText({ post, ...listed }: ListedPost<SourcePost>): ListedPost<SourcePost> {
  return { ...listed, hasBody: false, post: { ...post, body: { ...post.body, text: '' } } };
}

interface ImportUsage {
  mostItems: number | null;
  listedItems: number;
  listedBytes: number;
}

/** The posts of a page that fit into the import. `end`: the author's notice if not all fit. */
function selectFitting(unlisted: ListedPost<SourcePost>[], { mostItems, listedItems, listedBytes }: ImportUsage) {
  const accepted: { listed: ListedPost<SourcePost>; text: string }[] = [];
  const remaining = Math.min(mostItems ?? MAX_IMPORT_ITEMS, MAX_IMPORT_ITEMS) - listedItems;
  let bytes = 0;
  for (const listed of unlisted) {
    const text = JSON.stringify(listed.post);
    const size = Buffer.byteLength(text);
    if (listedBytes + bytes + size > MAX_IMPORT_BYTES) {
      const message = `The posts have more than ${MAX_IMPORT_BYTES / 1024 / 1024} MiB together, which is the maximum for one import. Import again for the missing posts.`;
      return { accepted, bytes, end: { code: 'import_full', message } };
    }
    if (accepted.length === remaining) {
      const message = `The source has more than ${MAX_IMPORT_ITEMS} posts, which is the maximum for one import; the oldest were left out.`;
      return { accepted, bytes, end: mostItems === null ? { code: 'import_full', message } : null };
    }
    accepted.push({ listed, text });
    bytes += size;
  }
  return { accepted, bytes, end: null };
}

function buildItem(importId: string, number: number, { post, hasBody, account }: ListedPost<SourcePost>, text: string) {
  const { remoteId, url, title, publishedAt } = post;
  return {
    importId,
    number,
    remoteId,
    url,
    title: title.slice(0, 300).toWellFormed(),
    publishedAt,
    account,
    hasBody,
    post: text,
  };
}
