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

/**
 * More rows of one author are one `reload`: the page loads once in either case, and each event is
 * written to each open stream.
 */
const MAX_NAMED_ROWS = 20;

/** `seqscan` is off because a session reuses plans that were made while the tables were small. */
function createFunction(name: string, perform: string): string {
  return `create function ${name}() returns trigger language plpgsql set enable_seqscan = off as $$
  begin
    perform ${perform};
    return null;
  end $$`;
}

/** For statements on rows that name their author in `column`. */
function notifyOwners(column: 'author_id' | 'user_id'): string {
  return `pg_notify('courant_desk', owner || ' reload') from (select distinct ${column} as owner from changed) as owners`;
}

/** For rows that each delivery or publish updates: only if a column that the desk shows changes. */
function createUpdateTrigger(table: string, announce: string, shown: readonly string[]): string {
  const list = (row: string) => shown.map((column) => column.replace(/\w+/, `${row}.$&`)).join(', ');
  return `create trigger announce_update_at_desk after update on ${table} for each row
    when ((${list('old')}) is distinct from (${list('new')})) execute function ${announce}`;
}

const STATEMENTS = [
  `create function announce_rows_at_desk(event text, owners uuid[], ids uuid[]) returns void language sql as $$
    select pg_notify('courant_desk', payload) from (
      select distinct case when count(*) over (partition by owner) > ${MAX_NAMED_ROWS} then owner || ' reload' else owner || ' ' || event || ' ' || id end as payload
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

  createFunction('announce_authors_at_desk', notifyOwners('author_id')),
  // The other totals of readings change in the same transaction.
  ...createTriggers('author_days', 'announce_authors_at_desk()', ['insert', 'update']),
  ...createTriggers('followers', 'announce_authors_at_desk()', ['insert', 'delete']),
  ...createTriggers('newsletter_subscribers', 'announce_authors_at_desk()', ['insert', 'update', 'delete']),
  ...createTriggers('series', 'announce_authors_at_desk()', ['insert', 'update', 'delete']),
  createFunction('announce_users_at_desk', notifyOwners('user_id')),
  ...createTriggers('accounts', 'announce_users_at_desk()', ['insert', 'update']),
  ...createTriggers('developer_tokens', 'announce_users_at_desk()', ['insert', 'delete']),
  ...createTriggers('digest_settings', 'announce_users_at_desk()', ['update']),
  ...createTriggers('notification_preferences', 'announce_users_at_desk()', ['insert', 'update', 'delete']),
  ...createTriggers('sessions', 'announce_users_at_desk()', ['insert', 'update', 'delete']),
  ...createTriggers('connections', 'announce_users_at_desk()', ['insert', 'delete']),

  createFunction('announce_owner_at_desk', `pg_notify('courant_desk', new.user_id || ' reload')`),
  createUpdateTrigger('connections', 'announce_owner_at_desk()', [
    ...['platform', 'base_url', 'account_id', 'status', 'status_reason', 'blocked_until', 'generation'],
  ]),
  // Every publish with a token updates the time; the page shows the day.
  createUpdateTrigger('developer_tokens', 'announce_owner_at_desk()', [
    ...['name', 'expires_at', 'revoked_at'],
    `(last_used_at at time zone 'UTC')::date`,
  ]),
  createFunction('announce_user_at_desk', `pg_notify('courant_desk', new.id || ' reload')`),
  createUpdateTrigger('users', 'announce_user_at_desk()', [
    ...['username', 'name', 'email', 'email_confirmed_at', 'bio', 'links', 'picture_url', 'content_signal'],
  ]),
];
