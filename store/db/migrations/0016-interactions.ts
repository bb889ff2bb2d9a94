/**
 * What readers may do, and what becomes of it: threads of comments with moderation, readings that are counted without
 * knowing who reads, and notifications that are read, muted and forgotten. Frozen once released; imports no application code.
 */
import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

const STATEMENTS = [
  'alter table articles add column comments_locked_at timestamptz',
  `comment on column articles.comments_locked_at is 'Its author takes no more comments; those that are there stay'`,

  `alter table comments
    add column html text not null default '',
    add column depth smallint not null default 0,
    add column path bytea,
    add column edited_at timestamptz,
    add column hidden_at timestamptz`,
  `comment on column comments.html is 'The body as it is shown: rendered and sanitised when it was written'`,
  `comment on column comments.hidden_at is 'The author of the article hides it; replies stay'`,
  `comment on column comments.path is 'In its order the comments of an article are its threads: the time and id of every comment from the first down to this one'`,

  // Whoever inserts a comment and however, its place follows from its parent.
  `create function comment_step(at timestamptz, id uuid) returns bytea language sql immutable as $$
    select int8send((extract(epoch from at at time zone 'UTC') * 1000000)::bigint) || uuid_send(id)
  $$`,
  `with recursive placed as (
    select id, 0 as depth, comment_step(created_at, id) as path from comments where parent_id is null
    union all
    select c.id, placed.depth + 1, placed.path || comment_step(c.created_at, c.id)
    from placed join comments c on c.parent_id = placed.id
  ) update comments set depth = placed.depth, path = placed.path from placed where placed.id = comments.id`,
  // A circle of parents, which nothing could have made, would have no place.
  'update comments set path = comment_step(created_at, id) where path is null',
  'alter table comments alter column path set not null',
  `create function place_comment() returns trigger language plpgsql as $$
  declare
    parent comments;
  begin
    new.path := comment_step(new.created_at, new.id);
    if new.parent_id is null then return new; end if;
    select * into parent from comments where id = new.parent_id;
    if not found or parent.article_id <> new.article_id then
      raise exception 'a reply belongs to the article of its parent' using errcode = '23503', constraint = 'comments_parent_id_fkey';
    end if;
    new.depth := parent.depth + 1;
    new.path := parent.path || new.path;
    return new;
  end $$`,
  'create trigger place_comment before insert on comments for each row execute function place_comment()',
  'create unique index comments_article_path_key on comments (article_id, path)',
  'create index comments_user_created_idx on comments (user_id, created_at)',
  'drop index comments_user_id_idx',

  // The newest of several stays.
  `update comments c set accepted_at = null where accepted_at is not null and exists (
    select 1 from comments o where o.article_id = c.article_id and (o.accepted_at, o.id) > (c.accepted_at, c.id))`,
  'create unique index comments_accepted_key on comments (article_id) where accepted_at is not null',

  'create index newsletter_subscribers_unconfirmed_idx on newsletter_subscribers (created_at) where confirmed_at is null',

  // Thrown away with the day: afterwards nobody can tell which reader a visitor was.
  `create unlogged table reading_salts (
    day date primary key,
    salt bytea not null
  )`,
  `create unlogged table reading_visitors (
    day date not null references reading_salts on delete cascade,
    article_id uuid not null,
    network bytea not null,
    visitor bytea not null,
    seconds integer not null default 0,
    primary key (day, article_id, network, visitor)
  )`,
  `comment on table reading_visitors is 'Who has been counted today, by salted hashes that differ from article to article'`,
  `create table article_day_hosts (
    article_id uuid not null references articles on delete cascade,
    day date not null,
    host text not null,
    views integer not null default 0 check (views >= 0),
    primary key (article_id, day, host)
  )`,
  `comment on column article_day_hosts.host is 'Where readers came from; direct where no other site sent them, other for what is beyond the bound'`,

  // What was there before lists existed was seen on streams: it begins as read.
  `alter table notifications
    add column read_at timestamptz default now(),
    add column on_stream boolean not null default true,
    add column link text`,
  'alter table notifications alter column read_at drop default',
  `comment on column notifications.on_stream is 'False where its author had turned its type off for streams: it is listed, and read from the beginning'`,
  `comment on column notifications.link is 'The path on this site of what it is about'`,
  'create index notifications_unread_idx on notifications (user_id) where read_at is null',
  'create index notifications_created_at_idx on notifications (created_at)',
  `create table notification_preferences (
    user_id uuid not null references users on delete cascade,
    type text not null,
    stream boolean not null default true,
    digest boolean not null default true,
    primary key (user_id, type)
  )`,
  `comment on table notification_preferences is 'Only of types that were changed: the others are on'`,
];
