/**
 * Totals that statistics read: of an author by day, and of an article by month. Added up from the days of each article, they would cost an author
 * with a thousand articles some hundred thousand rows a page. Frozen once released; imports no application code.
 */
import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

const STATEMENTS = [
  `create table author_days (
    author_id uuid not null references users on delete cascade,
    day date not null,
    views bigint not null default 0 check (views >= 0),
    reading_seconds bigint not null default 0 check (reading_seconds >= 0),
    primary key (author_id, day)
  )`,
  `comment on table author_days is 'The article_days of all articles of an author'`,
  `create table author_day_hosts (
    author_id uuid not null references users on delete cascade,
    day date not null,
    host text not null,
    views bigint not null default 0 check (views >= 0),
    primary key (author_id, day, host)
  )`,
  `comment on table author_day_hosts is 'As article_day_hosts, of all articles of an author'`,
  `create table article_months (
    article_id uuid not null references articles on delete cascade,
    month date not null check (month = date_trunc('month', month)),
    views bigint not null default 0 check (views >= 0),
    reading_seconds bigint not null default 0 check (reading_seconds >= 0),
    primary key (article_id, month)
  )`,
  `comment on column article_months.month is 'Its first day'`,

  `insert into author_days (author_id, day, views, reading_seconds)
    select author_id, day, sum(views), sum(reading_seconds) from article_days join articles on articles.id = article_id group by author_id, day`,
  `insert into author_day_hosts (author_id, day, host, views)
    select author_id, day, host, sum(views) from article_day_hosts join articles on articles.id = article_id group by author_id, day, host`,
  `insert into article_months (article_id, month, views, reading_seconds)
    select article_id, date_trunc('month', day), sum(views), sum(reading_seconds) from article_days group by 1, 2`,
];
