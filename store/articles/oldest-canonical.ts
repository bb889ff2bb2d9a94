/** Whether a row of `articles` is the oldest published one here with its canonical URL. */
import { sql } from 'kysely';

/** At its own address an article is canonical whoever else points there (A18). Says nothing of the row's own status. */
export const isOldestCanonical = sql<boolean>`(articles.canonical_key = 'self:' || articles.slug or not exists (
  select 1 from articles older where older.canonical_key = articles.canonical_key
  and older.status = 'PUBLISHED' and (older.created_at, older.id) < (articles.created_at, articles.id)))`;
