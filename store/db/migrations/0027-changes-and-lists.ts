/**
 * The log of changes waits only for transactions that write it; whose turn comes among articles with one canonical URL is told, suspensions
 * included; and the list of an author's articles with a tag has an index. Frozen once released; imports no application code.
 */
import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

const STATEMENTS = [
  // Whoever writes the log says, before the first number is drawn, above which number it will write: a shared advisory lock whose key holds it
  // lasts as long as the transaction, and no longer, however that ends. So a reader knows below which number nothing can come any more.
  `create function changes_underway_lock() returns bigint language sql immutable as 'select 6238071::bigint << 40'`,
  `create function note_changes_underway() returns trigger language plpgsql as $$
  begin
    if current_setting('courant.changes_underway', true) is distinct from 'yes' then
      perform pg_advisory_xact_lock_shared(changes_underway_lock() | coalesce(pg_sequence_last_value('article_changes_number_seq'), 0));
      perform set_config('courant.changes_underway', 'yes', true);
    end if;
    return null;
  end $$`,
  `create trigger note_changes_underway before insert on article_changes for each statement execute function note_changes_underway()`,
  // In this order: a transaction that has drawn a number before the first question either holds its lock at the second, or has ended, and
  // the statement that reads the rows afterwards sees them.
  `create function last_settled_change() returns bigint language plpgsql volatile as $$
  declare
    drawn bigint := coalesce(pg_sequence_last_value('article_changes_number_seq'), 0);
  begin
    return least(drawn, (select min(held.key - changes_underway_lock()) from pg_locks l,
      lateral (select (l.classid::bigint << 32) | l.objid::bigint as key) held
      where l.locktype = 'advisory' and l.objsubid = 1 and l.mode = 'ShareLock' and held.key >> 40 = changes_underway_lock() >> 40
      and l.database = (select oid from pg_database where datname = current_database())));
  end $$`,
  `comment on function last_settled_change() is 'The number up to which the log is complete. Ask for it in a statement before the one that reads rows'`,

  // Numbers alone are the order now: all rows are numbered anew in the former one, and cursors of before are told to start again.
  `create or replace function begin_change_epoch() returns void language plpgsql as $$
  begin
    lock table article_changes in exclusive mode;
    create temporary table renumbered on commit drop as
      select article_id, author_id, slug, appeared, at from article_changes order by number;
    delete from article_changes;
    insert into article_changes (article_id, author_id, slug, appeared, at) select * from renumbered;
    drop table renumbered;
    update change_epoch set id = gen_random_uuid(), history = database_history();
    perform announce_change(array['everything']);
  end $$`,
  `create temporary table in_former_order on commit drop as
    select article_id, author_id, slug, appeared, at from article_changes order by xid, number`,
  'delete from article_changes',
  'alter table article_changes drop column xid',
  'insert into article_changes (article_id, author_id, slug, appeared, at) select * from in_former_order',
  'drop table in_former_order',
  'update change_epoch set id = gen_random_uuid()',
  'create index article_changes_article_idx on article_changes (article_id, number)',
  'create index article_changes_author_idx on article_changes (author_id, number)',
  'create index article_changes_appeared_idx on article_changes (article_id, number) where appeared',
  // Of several that find the epoch ended at once, one begins the next.
  `create function renew_change_epoch() returns void language plpgsql as $$
  begin
    lock table article_changes in exclusive mode;
    if not exists (select from change_epoch where history = database_history()) then perform begin_change_epoch(); end if;
  end $$`,

  // Of several articles with one canonical URL agents are given the oldest of an author who takes part: where one comes or goes, the turn of
  // another may have come or gone. Announced are all of them, since two may go at once; logged is the one whose turn it is.
  `create function is_suspended(person uuid) returns boolean language sql stable as $$
    select exists (select from users where id = person and suspended_at is not null)
  $$`,
  // The status is written so that no index of all public articles is taken for this.
  `create function others_with(keys text[], besides uuid) returns text[] language sql stable as $$
    select case when count(*) > 150 then array['everything'] else coalesce(array_agg('article:' || id), '{}') end
    from (select id from articles where canonical_key = any (keys) and status || '' = 'PUBLISHED' and id is distinct from besides limit 151) as others
  $$`,
  `create function log_turn(key text, besides_article uuid, besides_author uuid) returns void language sql as $$
    insert into article_changes (article_id, author_id, slug, appeared)
      select id, author_id, slug, false from articles
      where canonical_key = key and status || '' = 'PUBLISHED' and id is distinct from besides_article
      and author_id is distinct from besides_author and not is_suspended(author_id)
      order by created_at, id limit 1
  $$`,
  `create or replace function announce_change(subjects text[]) returns void language sql as $$
    select pg_notify('courant_changes', case when length(joined) < 7900 and 'everything' <> all (subjects) then joined else 'everything' end)
    from array_to_string(subjects, ' ') as joined
  $$`,
  // A session keeps the plans that it made while the table was small: they must be those of a large one.
  `create or replace function article_changed() returns trigger language plpgsql set enable_seqscan = off as $$
  declare
    was_public boolean := tg_op <> 'INSERT' and old.status = 'PUBLISHED';
    is_public boolean := tg_op <> 'DELETE' and new.status = 'PUBLISHED';
    subjects text[] := array['articles'];
    keys text[] := '{}';
    this uuid := case when tg_op = 'DELETE' then old.id else new.id end;
    turns_change boolean;
    key text;
  begin
    if not was_public and not is_public then return null; end if;
    if was_public then
      subjects := subjects || array['article:' || old.id, 'author:' || old.author_id, 'series:' || old.part_of];
      keys := keys || old.canonical_key;
    end if;
    if is_public then
      subjects := subjects || array['article:' || new.id, 'author:' || new.author_id, 'series:' || new.part_of];
      keys := keys || new.canonical_key;
    end if;
    turns_change := was_public <> is_public or keys[1] <> keys[2];
    if turns_change then subjects := subjects || others_with(keys, this); end if;
    perform announce_change(array(select distinct subject from unnest(subjects) as subject where subject is not null));
    if not is_public then
      insert into article_changes (article_id, author_id, slug, appeared) values (old.id, old.author_id, old.slug, false);
    elsif not was_public then
      -- What a suspended author's schedule makes public nobody sees, until the suspension is lifted.
      if is_suspended(new.author_id) then return null; end if;
      insert into article_changes (article_id, author_id, slug, appeared) values (new.id, new.author_id, new.slug, true);
    elsif (old.slug, old.revision, old.updated_at, old.derived_at, old.derived_version, old.canonical_key, old.author_id)
      is distinct from (new.slug, new.revision, new.updated_at, new.derived_at, new.derived_version, new.canonical_key, new.author_id) then
      insert into article_changes (article_id, author_id, slug, appeared) values (new.id, new.author_id, new.slug, false);
    end if;
    if turns_change then
      foreach key in array keys loop perform log_turn(key, this, null); end loop;
    end if;
    return null;
  end $$`,
  `create or replace function author_changed() returns trigger language plpgsql set enable_seqscan = off as $$
  declare
    ids uuid[] := array(select id from articles where author_id = new.id and status = 'PUBLISHED'
      union select article_id from comments where user_id = new.id limit 200);
    turns_change boolean := (old.suspended_at is null) <> (new.suspended_at is null);
    keys text[] := '{}';
    subjects text[] := array['everything'];
    key text;
  begin
    if turns_change then
      keys := array(select distinct canonical_key from articles own where author_id = new.id and status = 'PUBLISHED' and exists
        (select from articles other where other.canonical_key = own.canonical_key and other.author_id <> own.author_id
          and other.status || '' = 'PUBLISHED'));
    end if;
    if cardinality(ids) <= 150 then
      subjects := array['articles', 'author:' || new.id] || array(select 'article:' || id from unnest(ids) as id)
        || others_with(keys, null);
    end if;
    perform announce_change(array(select distinct subject from unnest(subjects) as subject));
    insert into article_changes (article_id, author_id, slug, appeared)
      select id, author_id, slug, old.suspended_at is not null and new.suspended_at is null
      from articles where author_id = new.id and status = 'PUBLISHED' order by published_at, id;
    foreach key in array keys loop perform log_turn(key, null, new.id); end loop;
    return null;
  end $$`,

  // An author has few articles of a tag that has many, or the other way round: either list alone would be read to its end.
  'alter table article_tags add column author_id uuid',
  'update article_tags set author_id = articles.author_id from articles where articles.id = article_tags.article_id',
  'alter table article_tags alter column author_id set not null',
  'create index article_tags_author_idx on article_tags (author_id, tag, published_at desc, article_id desc)',
  `create or replace function list_article() returns trigger language plpgsql set enable_seqscan = off as $$
  begin
    if tg_op = 'UPDATE' then
      delete from article_tags where article_id = new.id;
    end if;
    if new.status <> 'PUBLISHED' then return null; end if;
    insert into article_tags (tag, published_at, article_id, author_id)
      select distinct tag, new.published_at, new.id, new.author_id from unnest(new.tags) as tag where tag not in ('.', '..');
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
  'drop trigger list_changed_article on articles',
  `create trigger list_changed_article after update of status, published_at, tags, part_of, author_id on articles for each row
    when ((old.status, old.published_at, old.tags, old.part_of, old.author_id)
      is distinct from (new.status, new.published_at, new.tags, new.part_of, new.author_id))
    execute function list_article()`,
];
