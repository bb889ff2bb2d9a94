/**
 * Lists of articles by author, tag and series that cost the same however long they are, and the places of all of it in the sitemap.
 * Frozen once released; imports no application code.
 *
 * A place in the sitemap is given once and never changes. Ten thousand of them are a part, so that what is published or changed later changes
 * one part: the number is 10,000 and not the 50,000 that the protocol allows because an address has up to 1,900 bytes and a part 50 MB.
 */
import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

const STATEMENTS = [
  `create index articles_author_published_idx on articles (author_id, published_at desc, id desc) where status = 'PUBLISHED'`,
  `create index articles_series_published_idx on articles (part_of, published_at desc, id desc)
    where status = 'PUBLISHED' and part_of is not null`,
  `create table article_tags (
    tag text not null,
    published_at timestamptz not null,
    article_id uuid not null references articles on delete cascade,
    primary key (tag, published_at, article_id)
  )`,
  `comment on table article_tags is 'Of public articles only. An index over articles.tags would find all 50,000 of a tag before it could say which are the newest'`,
  'create index article_tags_article_id_idx on article_tags (article_id)',
  'create sequence sitemap_places as integer minvalue 0',
  'alter table articles add column sitemap_place integer',
  `comment on column articles.sitemap_place is 'Since it was first public'`,
  `create index articles_sitemap_idx on articles ((sitemap_place / 10000), updated_at desc) where status = 'PUBLISHED'`,
  'create index users_suspended_idx on users (id) where suspended_at is not null',
  `create table sitemap_lists (
    kind text not null check (kind in ('author', 'tag', 'series')),
    key text not null,
    place integer generated always as identity (minvalue 0),
    primary key (kind, key)
  )`,
  `comment on table sitemap_lists is 'The lists that ever had a public article. Whether one has any now is for whoever reads it to look'`,
  'create index sitemap_lists_part_idx on sitemap_lists (kind, (place / 10000))',
  `create function place_in_sitemap() returns trigger language plpgsql as $$
  begin
    new.sitemap_place := nextval('sitemap_places');
    return new;
  end $$`,
  `create trigger place_in_sitemap before insert or update of status on articles for each row
    when (new.status = 'PUBLISHED' and new.sitemap_place is null) execute function place_in_sitemap()`,
  // Ordered, so that two publishes with the same new tags do not wait for each other. Looked up first: a conflict would use up a place.
  `create function list_article() returns trigger language plpgsql set enable_seqscan = off as $$
  begin
    if tg_op = 'UPDATE' then
      delete from article_tags where article_id = new.id;
    end if;
    if new.status <> 'PUBLISHED' then return null; end if;
    insert into article_tags (tag, published_at, article_id)
      select distinct tag, new.published_at, new.id from unnest(new.tags) as tag where tag not in ('.', '..');
    insert into sitemap_lists (kind, key)
      select kind, key from (
        select 'author' as kind, new.author_id::text as key
        union all select 'series', new.part_of::text where new.part_of is not null
        union all select 'tag', tag from article_tags where article_id = new.id
      ) as named
      where not exists (select from sitemap_lists known where (known.kind, known.key) = (named.kind, named.key))
      order by kind, key
      on conflict do nothing;
    return null;
  end $$`,
  `create trigger list_new_article after insert on articles for each row execute function list_article()`,
  `create trigger list_changed_article after update of status, published_at, tags, part_of on articles for each row
    when ((old.status, old.published_at, old.tags, old.part_of) is distinct from (new.status, new.published_at, new.tags, new.part_of))
    execute function list_article()`,
  `update articles set sitemap_place = placed.place from (
    select id, nextval('sitemap_places') as place from
      (select id from articles where status = 'PUBLISHED' order by published_at, id) as public_articles
  ) as placed where placed.id = articles.id`,
  `insert into article_tags (tag, published_at, article_id)
    select distinct tag, published_at, id from articles, unnest(tags) as tag where status = 'PUBLISHED' and tag not in ('.', '..')`,
  `insert into sitemap_lists (kind, key)
    select kind, key from (
      select 'author' as kind, author_id::text as key, published_at from articles where status = 'PUBLISHED'
      union all select 'series', part_of::text, published_at from articles where status = 'PUBLISHED' and part_of is not null
      union all select 'tag', tag, published_at from article_tags
    ) as named group by kind, key order by kind, min(published_at), key`,
];
