/** An author with a private row of every kind, and a reader of all rows of an author. */
import assert from 'node:assert/strict';
import { sql } from 'kysely';
import type { Database } from '../../../store/db/database.ts';
import { addNotification, buildArticleLink } from '../../../store/notifications/add.ts';
import { openSession } from '../../../store/sessions/open-session.ts';
import { markdown, type TestApi, type TestAuthor } from '../../support/api/api.ts';
import { runGraphql } from '../../support/api/graphql.ts';
import { addImport } from '../../support/api/imports.ts';
import { addComment } from '../../support/api/readership.ts';
import { eventually } from '../../support/eventually.ts';

/** Contained in the draft and in the comment. */
export const SECRET = 'Nobody but its author reads this sentence.';

export interface Belongings {
  articleId: string;
  /** The slug of a draft. */
  slug: string;
  username: string;
  /** A comment of the owner, on an article of the owner. */
  commentId: string;
  sessionId: string;
  seriesId: string;
  tokenId: string;
  importId: string;
  /** A notification about the article. */
  notificationId: string;
}

export async function addBelongings(api: TestApi, owner: TestAuthor): Promise<Belongings> {
  const { db } = api;
  const series = await runGraphql(api, owner.id, 'mutation { createSeries(title: "Not yours") { id } }');
  const seriesId = series.data.createSeries.id as string;
  const draft = markdown({ title: 'Not yours', draft: true, series_id: seriesId }, `${SECRET}\n`);
  const { body } = await api.publish({ content: draft }, owner);
  const articleId = body.data?.id ?? '';
  const commentId = await addComment(db, { articleId, userId: owner.id, at: new Date(), body: SECRET });
  const notification = {
    userId: owner.id,
    type: 'NEW_FOLLOWER',
    payload: { actorName: 'Bo', postTitle: '' },
    dedupeKey: 'x',
    link: buildArticleLink(articleId),
  } as const;
  await db.transaction().execute((tx) => addNotification(tx, { ...notification, now: new Date() }));
  const { id: notificationId } = await db
    .selectFrom('notifications')
    .select('id')
    .where('userId', '=', owner.id)
    .executeTakeFirstOrThrow();
  const { sessionId } = await openSession(db, { userId: owner.id, userAgent: null, now: new Date() });
  const belongings = {
    articleId,
    slug: body.data?.slug ?? '',
    username: owner.username,
    commentId,
    sessionId,
    seriesId,
    tokenId: owner.tokenId,
    importId: await addImport(db, owner.id, 0),
    notificationId,
  };
  await db.insertInto('deliveries').values({ articleId, destination: 'blogsite_a' }).execute();
  const account = { userId: owner.id, destination: 'blogsite_a', platform: 'forem', identity: 'owner' } as const;
  const { id: accountId } = await db.insertInto('accounts').values(account).returning('id').executeTakeFirstOrThrow();
  const { identity: _, ...target } = account;
  await db
    .insertInto('connections')
    .values({ ...target, accountId, baseUrl: 'https://forem.example/api', credentialsSealed: Buffer.alloc(1) })
    .execute();
  // Pending work would change the owner's rows too.
  await eventually(
    'the outbox to be empty',
    async () => (await db.selectFrom('outbox').select('id').execute()).length === 0,
  );
  return belongings;
}

/** Returns every row that references the author or one of their articles, by table and column. */
export async function readEverythingOf(db: Database, { id }: TestAuthor): Promise<Record<string, unknown[]>> {
  const columns = await sql<{ table: string; column: string }>`
    select table_name as table, column_name as column from information_schema.columns
    where table_schema = 'public' and column_name in ('user_id', 'author_id', 'article_id') order by 1, 2`.execute(db);
  const rows: Record<string, unknown[]> = {};
  for (const { table, column } of columns.rows) {
    const isOwned =
      column === 'article_id'
        ? sql`t.article_id in (select id from articles where author_id = ${id})`
        : sql`${sql.ref(`t.${column}`)} = ${id}`;
    const found = await sql<{
      row: string;
    }>`select t::text as row from ${sql.table(table)} t where ${isOwned} order by 1`.execute(db);
    rows[`${table}.${column}`] = found.rows;
  }
  assert.ok(rows['articles.author_id']?.length, 'the owner has something to lose');
  return rows;
}
