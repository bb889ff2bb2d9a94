/**
 * Adds `is_canonical`, which triggers maintain, and records all former public addresses in
 * `slug_redirects`. Frozen once released; imports no application code.
 */
import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

const STATEMENTS = [
  // Serves an author's articles with one canonical URL, and those of all authors.
  'create index articles_canonical_idx on articles (canonical_key, author_id, created_at, id)',
  'drop index articles_canonical_key_idx',
  'alter table articles add column is_canonical boolean not null default false',
  `comment on column articles.is_canonical is 'Whether it is a published canonical article: PUBLISHED, and its author''s oldest with its canonical URL. Maintained by triggers; says nothing about a suspension'`,
  'alter table articles disable trigger article_changed',
  `update articles set is_canonical = true where status = 'PUBLISHED' and not exists (select from articles older
    where older.author_id = articles.author_id and older.canonical_key = articles.canonical_key and older.status = 'PUBLISHED'
    and (older.created_at, older.id) < (articles.created_at, articles.id))`,
  'alter table articles enable trigger article_changed',
  // No condition on status: with one, the planner scans the index of all published articles.
  'drop index articles_author_published_idx',
  'create index articles_author_published_idx on articles (author_id, published_at desc, id desc) where is_canonical',
  'drop index articles_series_published_idx',
  'create index articles_series_published_idx on articles (part_of, published_at desc, id desc) where is_canonical and part_of is not null',

  // Locks the author first, as commands do, so that two transactions never decide from different
  // states. `enable_seqscan = off`: cached plans from a small table must also suit a large one.
  // Triggers fire in alphabetical order; these names keep the lock before later triggers.
  // `status || ''` and `is_canonical::int` exclude the partial indexes, which hold all articles of
  // an author: the planner uses articles_canonical_idx.
  `create function set_is_canonical() returns trigger language plpgsql set enable_seqscan = off as $$
  begin
    new.is_canonical := false;
    if new.status = 'PUBLISHED' then
      perform from users where id = new.author_id for no key update;
      new.is_canonical := not exists (select from articles older
        where older.author_id = new.author_id and older.canonical_key = new.canonical_key and older.status || '' = 'PUBLISHED'
        and (older.created_at, older.id) < (new.created_at, new.id) and older.id <> new.id);
    end if;
    return new;
  end $$`,
  'create trigger decide_canonical before insert on articles for each row execute function set_is_canonical()',
  `create trigger decide_canonical_again before update on articles for each row
    when ((old.status, old.canonical_key, old.author_id, old.created_at, old.is_canonical)
      is distinct from (new.status, new.canonical_key, new.author_id, new.created_at, new.is_canonical))
    execute function set_is_canonical()`,
  // When an article stops being canonical, the next one may become it; when it becomes canonical,
  // the others stop (several, if one statement published them all). The nested update fires the same
  // triggers. The select first avoids an update without rows, which would double the time of the trigger.
  `create function update_duplicates() returns trigger language plpgsql set enable_seqscan = off as $$
  declare
    was_canonical boolean := tg_op <> 'INSERT' and old.is_canonical;
    is_canonical boolean := tg_op <> 'DELETE' and new.is_canonical;
    other uuid;
    others uuid[];
  begin
    if was_canonical and is_canonical and (old.author_id, old.canonical_key) = (new.author_id, new.canonical_key) then return null; end if;
    if was_canonical then
      perform from users where id = old.author_id for no key update;
      select id into other from articles
        where author_id = old.author_id and canonical_key = old.canonical_key and status || '' = 'PUBLISHED' and id <> old.id
        order by created_at, id limit 1;
      if found then update articles set is_canonical = true where id = other and not articles.is_canonical; end if;
    end if;
    if is_canonical then
      others := array(select id from articles a
        where author_id = new.author_id and canonical_key = new.canonical_key and a.is_canonical::int = 1 and id <> new.id);
      if cardinality(others) > 0 then update articles set is_canonical = false where id = any (others); end if;
    end if;
    return null;
  end $$`,
  `create trigger decide_duplicates after insert or delete or update of status, canonical_key, author_id, created_at, is_canonical on articles
    for each row execute function update_duplicates()`,

  `comment on table slug_redirects is 'Every address under which an article was public and then was not. It leads to the article, and answers 410 while that is not public'`,
  `create or replace function article_changed() returns trigger language plpgsql set enable_seqscan = off as $$
  declare
    was_public boolean := tg_op <> 'INSERT' and old.status = 'PUBLISHED';
    is_public boolean := tg_op <> 'DELETE' and new.status = 'PUBLISHED';
    was_canonical boolean := tg_op <> 'INSERT' and old.is_canonical;
    is_canonical boolean := tg_op <> 'DELETE' and new.is_canonical;
    subjects text[] := array['articles'];
  begin
    if not was_public and not is_public then return null; end if;
    if was_public then
      subjects := subjects || array['article:' || old.id, 'author:' || old.author_id, 'series:' || old.part_of];
    end if;
    if is_public then
      subjects := subjects || array['article:' || new.id, 'author:' || new.author_id, 'series:' || new.part_of];
    end if;
    perform announce_change(array(select distinct subject from unnest(subjects) as subject where subject is not null));
    -- The suspension has withdrawn everything, and its end reports what is there then.
    if is_suspended(case when tg_op = 'DELETE' then old.author_id else new.author_id end) then return null; end if;
    if tg_op = 'UPDATE' and was_public and (not is_public or old.slug <> new.slug) then
      insert into slug_redirects (slug, article_id) values (old.slug, old.id) on conflict do nothing;
    end if;
    if was_canonical and not is_canonical then
      insert into article_changes (article_id, author_id, slug, appeared) values (old.id, old.author_id, old.slug, false);
    elsif is_canonical and not was_canonical then
      insert into article_changes (article_id, author_id, slug, appeared) values (new.id, new.author_id, new.slug, true);
    elsif is_canonical
      and (old.slug, old.revision, old.updated_at, old.derived_at, old.derived_version, old.canonical_key, old.author_id)
      is distinct from (new.slug, new.revision, new.updated_at, new.derived_at, new.derived_version, new.canonical_key, new.author_id) then
      insert into article_changes (article_id, author_id, slug, appeared) values (new.id, new.author_id, new.slug, false);
    end if;
    return null;
  end $$`,
  `create or replace function author_changed() returns trigger language plpgsql set enable_seqscan = off as $$
  declare
    ids uuid[] := array(select id from articles where author_id = new.id and status = 'PUBLISHED'
      union select article_id from comments where user_id = new.id limit 200);
  begin
    if cardinality(ids) > 150 then
      perform announce_change(array['everything']);
    else
      perform announce_change(array['articles', 'author:' || new.id] || array(select 'article:' || id from unnest(ids) as id));
    end if;
    if old.suspended_at is not null and new.suspended_at is not null then return null; end if;
    if new.suspended_at is not null then
      insert into slug_redirects (slug, article_id) select slug, id from articles where author_id = new.id and status = 'PUBLISHED'
      on conflict do nothing;
    end if;
    insert into article_changes (article_id, author_id, slug, appeared)
      select id, author_id, slug, old.suspended_at is not null from articles
      where author_id = new.id and status = 'PUBLISHED' and is_canonical order by published_at, id;
    return null;
  end $$`,
  'drop function log_turn(text, uuid, uuid)',
  'drop function others_with(text[], uuid)',

  // Copy former slugs from the log before clearing it.
  `insert into slug_redirects (slug, article_id) select slug, id from articles
    where (status <> 'PUBLISHED' or is_suspended(author_id))
    and exists (select from article_changes c where c.article_id = articles.id and c.slug = articles.slug)
    on conflict do nothing`,
  // Restart the log: clients have duplicates, and lack articles that the former rule excluded.
  'delete from article_changes',
  `insert into article_changes (article_id, author_id, slug, appeared, at)
    select id, author_id, slug, true, greatest(updated_at, derived_at) from articles
    where status = 'PUBLISHED' and is_canonical and not is_suspended(author_id) order by published_at, id`,
  'update change_epoch set id = gen_random_uuid()',
];
