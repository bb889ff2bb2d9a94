/**
 * What readers see, and when it changes: every change of what is public is announced by NOTIFY with the subjects that it concerns, and logged for
 * agents that follow the site. Triggers do both, so that no way of writing can forget it. Frozen once released; imports no application code.
 */
import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

const STATEMENTS = [
  // No foreign keys: what was public and is gone is news. No row is ever updated: nobody waits for the log of another article.
  `create table article_changes (
    number bigint generated always as identity primary key,
    xid xid8 not null default pg_current_xact_id(),
    article_id uuid not null,
    author_id uuid not null,
    slug text not null,
    appeared boolean not null,
    at timestamptz not null default clock_timestamp()
  )`,
  `comment on table article_changes is 'Each time that an article changed for readers; what is true now stands in articles. Rows of one article are thinned out to the newest, and the newest that appeared'`,
  `comment on column article_changes.xid is 'Transactions commit in another order than their numbers have: rows are read once every older transaction has ended'`,
  `comment on column article_changes.slug is 'Under which the public knows it: the slug of a draft is not disclosed'`,
  `comment on column article_changes.appeared is 'Whether it became public by this change'`,
  'create index article_changes_order_idx on article_changes (xid, number)',
  'create index article_changes_article_idx on article_changes (article_id, xid, number)',
  'create index article_changes_author_idx on article_changes (author_id, xid, number)',
  'create index article_changes_appeared_idx on article_changes (article_id, xid, number) where appeared',

  // Numbers of transactions mean something in one history of one database cluster only.
  `create table change_epoch (
    id uuid not null default gen_random_uuid(),
    history text not null,
    only_one boolean primary key default true check (only_one)
  )`,
  `comment on table change_epoch is 'Of which history of the database the log of changes is; cursors of another one are refused'`,
  `create function database_history() returns text language sql volatile as $$
    select (select system_identifier from pg_control_system()) || '/' ||
      case when pg_is_in_recovery() then '' else left(pg_walfile_name(pg_current_wal_insert_lsn()), 8) end
  $$`,
  'insert into change_epoch (history) values (database_history())',
  // The order stays: by the numbers, since all rows get the number of one transaction.
  `create function begin_change_epoch() returns void language plpgsql as $$
  begin
    lock table article_changes in exclusive mode;
    create temporary table renumbered on commit drop as
      select article_id, author_id, slug, appeared, at from article_changes order by xid, number;
    delete from article_changes;
    insert into article_changes (article_id, author_id, slug, appeared, at) select * from renumbered;
    drop table renumbered;
    update change_epoch set id = gen_random_uuid(), history = database_history();
    perform announce_change(array['everything']);
  end $$`,
  `create function restore_begins() returns trigger language plpgsql as $$
  begin
    perform begin_change_epoch();
    return null;
  end $$`,
  'create trigger begin_change_epoch after insert on restores for each row execute function restore_begins()',

  // A payload has less than 8,000 bytes; whoever is told nothing in particular forgets everything.
  `create function announce_change(subjects text[]) returns void language sql as $$
    select pg_notify('courant_changes', case when length(joined) < 7900 then joined else 'everything' end)
    from array_to_string(subjects, ' ') as joined
  $$`,

  // A session keeps the plans that it made while the table was small: they must be those of a large one.
  `create function article_changed() returns trigger language plpgsql set enable_seqscan = off as $$
  declare
    was_public boolean := tg_op <> 'INSERT' and old.status = 'PUBLISHED';
    is_public boolean := tg_op <> 'DELETE' and new.status = 'PUBLISHED';
    subjects text[] := array['articles'];
    keys text[] := '{}';
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
    -- Of several articles with one canonical URL agents are given the oldest: another one's turn may have come. The status is
    -- written so that no index of all public articles is taken for this.
    if was_public <> is_public or keys[1] <> keys[2] then
      subjects := subjects || array(select 'article:' || id from articles
        where canonical_key = any (keys) and status || '' = 'PUBLISHED' limit 300);
    end if;
    perform announce_change(array(select distinct subject from unnest(subjects) as subject where subject is not null));
    if not is_public then
      insert into article_changes (article_id, author_id, slug, appeared) values (old.id, old.author_id, old.slug, false);
    elsif not was_public then
      -- What a suspended author's schedule makes public nobody sees, until the suspension is lifted.
      if exists (select from users where id = new.author_id and suspended_at is not null) then return null; end if;
      insert into article_changes (article_id, author_id, slug, appeared) values (new.id, new.author_id, new.slug, true);
    elsif (old.slug, old.revision, old.updated_at, old.derived_at, old.derived_version, old.canonical_key, old.author_id)
      is distinct from (new.slug, new.revision, new.updated_at, new.derived_at, new.derived_version, new.canonical_key, new.author_id) then
      insert into article_changes (article_id, author_id, slug, appeared) values (new.id, new.author_id, new.slug, false);
    end if;
    return null;
  end $$`,
  'create trigger article_changed after insert or update or delete on articles for each row execute function article_changed()',

  // Whatever else of an account may be shown one day: only what never is shown is left out.
  'alter table users add column shown_at timestamptz',
  `comment on column users.shown_at is 'When anything of it changed that readers see; null if nothing ever did'`,
  `create function shown_of_user(person users) returns jsonb language sql immutable as $$
    select to_jsonb(person) - array['email', 'email_confirmed_at', 'password_hash', 'stored_bytes', 'shown_at']
  $$`,
  `create function note_shown() returns trigger language plpgsql as $$
  begin
    new.shown_at := clock_timestamp();
    return new;
  end $$`,
  `create trigger note_shown before update on users for each row
    when (shown_of_user(old) is distinct from shown_of_user(new)) execute function note_shown()`,
  `create function author_changed() returns trigger language plpgsql as $$
  declare
    ids uuid[] := array(select id from articles where author_id = new.id and status = 'PUBLISHED'
      union select article_id from comments where user_id = new.id limit 200);
  begin
    if cardinality(ids) > 150 then
      perform announce_change(array['everything']);
    else
      perform announce_change(array['articles', 'author:' || new.id] || array(select 'article:' || id from unnest(ids) as id));
    end if;
    insert into article_changes (article_id, author_id, slug, appeared)
      select id, author_id, slug, old.suspended_at is not null and new.suspended_at is null
      from articles where author_id = new.id and status = 'PUBLISHED' order by published_at, id;
    return null;
  end $$`,
  `create trigger author_changed after update on users for each row
    when (shown_of_user(old) is distinct from shown_of_user(new)) execute function author_changed()`,

  // Comments belong to the article that they stand under; moved addresses to the one that they lead to.
  `create function part_of_article_changed() returns trigger language plpgsql as $$
  begin
    perform announce_change(array['article:' || coalesce(new.article_id, old.article_id)]);
    if old.article_id <> new.article_id then perform announce_change(array['article:' || old.article_id]); end if;
    return null;
  end $$`,
  'create trigger comment_changed after insert or update or delete on comments for each row execute function part_of_article_changed()',
  'create trigger redirect_changed after insert or update or delete on slug_redirects for each row execute function part_of_article_changed()',
  `create function series_changed() returns trigger language plpgsql as $$
  begin
    perform announce_change(array['series:' || coalesce(new.id, old.id), 'author:' || coalesce(new.author_id, old.author_id)]);
    return null;
  end $$`,
  'create trigger series_changed after insert or update or delete on series for each row execute function series_changed()',
  `create function roundup_changed() returns trigger language plpgsql as $$
  begin
    perform announce_change(array['roundups']);
    return null;
  end $$`,
  'create trigger roundup_changed after insert or update or delete on roundups for each row execute function roundup_changed()',
  `create function forget_everything() returns trigger language plpgsql as $$
  begin
    perform announce_change(array['everything']);
    return null;
  end $$`,
  ...['articles', 'users', 'comments', 'slug_redirects', 'series', 'roundups'].map(
    (table) =>
      `create trigger truncated after truncate on ${table} for each statement execute function forget_everything()`,
  ),

  `insert into article_changes (article_id, author_id, slug, appeared, at)
    select a.id, author_id, slug, true, greatest(updated_at, derived_at) from articles a join users u on u.id = author_id
    where status = 'PUBLISHED' and suspended_at is null order by published_at, a.id`,
];
