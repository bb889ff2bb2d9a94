/**
 * Announces desk changes on the channel `courant_desk`: `<user id> article|delivery|notification
 * <row id>`, or `<user id> reload` for other rows and bulk changes. Frozen once released; imports
 * no application code.
 */
import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

type Operation = 'insert' | 'update' | 'delete';

/**
 * Per statement: a bulk update announces one `reload` per author, and PostgreSQL removes repeated
 * payloads of a transaction.
 */
function createTriggers(table: string, announce: string, operations: readonly Operation[]): string[] {
  return operations.map(
    (operation) =>
      `create trigger announce_${operation}_at_desk after ${operation} on ${table}
      referencing ${operation === 'delete' ? 'old' : 'new'} table as changed for each statement execute function ${announce}`,
  );
}

/** `seqscan` is off because a session keeps the plans that it made while the tables were small. */
function createFunction(name: string, perform: string): string {
  return `create function ${name}() returns trigger language plpgsql set enable_seqscan = off as $$
  begin
    perform ${perform};
    return null;
  end $$`;
}

const STATEMENTS = [
  `create function announce_rows_at_desk(event text, owners uuid[], ids uuid[]) returns void language sql as $$
    select pg_notify('courant_desk', payload) from (
      select distinct case when count(*) over (partition by owner) > 20 then owner || ' reload' else owner || ' ' || event || ' ' || id end as payload
      from unnest(owners, ids) as changed (owner, id) where owner is not null
    ) as announced
  $$`,

  createFunction(
    'announce_articles_at_desk',
    `announce_rows_at_desk('article', array_agg(author_id), array_agg(id)) from changed`,
  ),
  ...createTriggers('articles', 'announce_articles_at_desk()', ['insert', 'update', 'delete']),

  // Deliveries, and all that belongs to one, are only deleted with their article.
  createFunction(
    'announce_deliveries_at_desk',
    `announce_rows_at_desk('delivery', array_agg(a.author_id), array_agg(c.id)) from changed c join articles a on a.id = c.article_id`,
  ),
  ...createTriggers('deliveries', 'announce_deliveries_at_desk()', ['insert', 'update']),
  createFunction(
    'announce_parts_of_deliveries_at_desk',
    `announce_rows_at_desk('delivery', array_agg(a.author_id), array_agg(d.id))
      from changed c join deliveries d on d.id = c.delivery_id join articles a on a.id = d.article_id`,
  ),
  ...createTriggers('delivery_attempts', 'announce_parts_of_deliveries_at_desk()', ['insert', 'update']),
  ...createTriggers('former_posts', 'announce_parts_of_deliveries_at_desk()', ['insert', 'update', 'delete']),

  createFunction(
    'announce_notifications_at_desk',
    `announce_rows_at_desk('notification', array_agg(user_id), array_agg(id)) from changed`,
  ),
  ...createTriggers('notifications', 'announce_notifications_at_desk()', ['insert', 'update', 'delete']),

  createFunction(
    'announce_parts_of_articles_at_desk',
    `pg_notify('courant_desk', author_id || ' article ' || id) from articles where id in (select article_id from changed)`,
  ),
  ...createTriggers('article_notices', 'announce_parts_of_articles_at_desk()', ['insert']),
  ...createTriggers('comments', 'announce_parts_of_articles_at_desk()', ['insert', 'update', 'delete']),
  ...createTriggers('reactions', 'announce_parts_of_articles_at_desk()', ['insert', 'delete']),

  createFunction(
    'announce_authors_at_desk',
    `pg_notify('courant_desk', owner || ' reload') from (select distinct author_id as owner from changed) as owners`,
  ),
  // The other totals of readings change in the same transaction.
  ...createTriggers('author_days', 'announce_authors_at_desk()', ['insert', 'update']),
  ...createTriggers('followers', 'announce_authors_at_desk()', ['insert', 'delete']),
  ...createTriggers('newsletter_subscribers', 'announce_authors_at_desk()', ['insert', 'update', 'delete']),
  ...createTriggers('series', 'announce_authors_at_desk()', ['insert', 'update', 'delete']),
  createFunction(
    'announce_users_at_desk',
    `pg_notify('courant_desk', owner || ' reload') from (select distinct user_id as owner from changed) as owners`,
  ),
  ...createTriggers('accounts', 'announce_users_at_desk()', ['insert', 'update']),
  ...createTriggers('developer_tokens', 'announce_users_at_desk()', ['insert', 'update', 'delete']),
  ...createTriggers('digest_settings', 'announce_users_at_desk()', ['update']),
  ...createTriggers('notification_preferences', 'announce_users_at_desk()', ['insert', 'update', 'delete']),
  ...createTriggers('sessions', 'announce_users_at_desk()', ['insert', 'update', 'delete']),
  ...createTriggers('connections', 'announce_users_at_desk()', ['insert', 'delete']),

  // Rows that every delivery or publish updates: only in columns that the desk shows.
  `create function announce_user_at_desk() returns trigger language plpgsql as $$
  begin
    perform pg_notify('courant_desk', (to_jsonb(new) ->> tg_argv[0]) || ' reload');
    return null;
  end $$`,
  `create trigger announce_update_at_desk after update on connections for each row
    when ((old.platform, old.base_url, old.account_id, old.status, old.status_reason, old.blocked_until, old.generation)
      is distinct from (new.platform, new.base_url, new.account_id, new.status, new.status_reason, new.blocked_until, new.generation))
    execute function announce_user_at_desk('user_id')`,
  `create trigger announce_update_at_desk after update on users for each row
    when ((old.username, old.name, old.email, old.email_confirmed_at, old.bio, old.links, old.picture_url, old.content_signal)
      is distinct from (new.username, new.name, new.email, new.email_confirmed_at, new.bio, new.links, new.picture_url, new.content_signal))
    execute function announce_user_at_desk('id')`,
];
