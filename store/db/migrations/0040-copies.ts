/**
 * One row per copy at an account, attempts with ids of their own, and deliveries that keep intent only. `delivery_states` derives everything
 * else. Frozen once released; imports no application code.
 */
import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

const KEYS = `array['blogsite_a', 'blogsite_b', 'blogsite_c', 'cms_site', 'social_feed']`;

/** Before, a withdrawal that was requested during an attempt counted as handled, and was sent all the same. */
const IS_TO_BE_WITHDRAWN = `(d.state not in ('failed', 'unknown') and (d.withdraw_requested or (a.status <> 'PUBLISHED' and not a.imported))
  and d.remote_id is not null and (d.withdrawn_at is null or exists (select from delivery_attempts t
    where t.delivery_id = d.id and t.account_id = d.account_id and t.ended_at is null and t.action = 'update')))`;

const RATE_BUDGET = [
  'drop table rate_slots',
  `alter table deliveries add column slot_at timestamptz,
    add column slot_connection_id uuid references connections on delete set null`,
  'create index deliveries_slot_idx on deliveries (slot_connection_id, slot_at) where slot_connection_id is not null',
  `comment on column deliveries.slot_at is 'When it may call its destination; a block of the account moves it'`,
  `comment on column deliveries.slot_connection_id is 'The rate budget in which it has its slot; null: it has none'`,
  `comment on column connections.refusals is '429s in a row: each that names almost no time makes the next block longer'`,
];

const STATEMENTS = [
  ...RATE_BUDGET,
  // Triggers that announce changes would run for each converted row.
  'drop trigger copy_changed on deliveries',
  'drop trigger copy_made on deliveries',
  'alter table deliveries disable trigger user',
  'alter table delivery_attempts disable trigger user',

  `create table copies (
    id uuid primary key default gen_random_uuid(),
    article_id uuid not null references articles on delete cascade,
    account_id uuid not null references accounts on delete cascade,
    remote_id text,
    remote_url text,
    remote_changed_at text,
    content_hash text,
    revision integer,
    presence text not null check (presence in ('absent', 'live', 'hidden', 'deleted', 'uncertain')),
    may_be_live boolean not null generated always as (presence in ('live', 'uncertain')) stored,
    withdrawn_at timestamptz,
    is_current boolean not null default true,
    updated_at timestamptz not null default clock_timestamp(),
    unique (account_id, remote_id),
    check (remote_id is not null or presence in ('absent', 'uncertain'))
  )`,
  `comment on table copies is 'What exists, or may exist, of an article at an account'`,
  `comment on column copies.presence is 'Set by delivery/presence.ts from answers, and when a copy is found, settled or unknown after a restore'`,
  `comment on column copies.may_be_live is 'Readers find it, or nobody knows whether they do'`,
  `comment on column copies.content_hash is 'Of what the copy carries; null where that is not known'`,
  `comment on column copies.remote_changed_at is 'The platform''s own time of our last change; null where it is not known'`,
  'create unique index copies_current_key on copies (article_id, account_id) where is_current',
  'create index copies_article_id_idx on copies (article_id)',

  `insert into copies (article_id, account_id, remote_id, remote_url, remote_changed_at, content_hash, revision, presence, withdrawn_at)
    select d.article_id, d.account_id, d.remote_id, d.remote_url, d.remote_changed_at, d.delivered_hash,
      coalesce(d.delivered_revision, case when d.state = 'delivered' then a.revision end),
      case when d.withdrawn_at is null then 'live' else 'hidden' end, d.withdrawn_at
    from deliveries d join articles a on a.id = d.article_id where d.remote_id is not null and d.account_id is not null
    order by d.withdrawn_at nulls first, d.created_at on conflict do nothing`,
  `insert into copies (article_id, account_id, remote_id, remote_url, remote_changed_at, content_hash, revision, presence, withdrawn_at)
    select d.article_id, f.account_id, f.remote_id, f.remote_url, f.remote_changed_at, f.delivered_hash, f.delivered_revision,
      case when f.withdrawn_at is null then 'live' else 'hidden' end, f.withdrawn_at
    from former_posts f join deliveries d on d.id = f.delivery_id where f.remote_id <> all (d.former_remote_ids)
    on conflict do nothing`,
  `insert into copies (article_id, account_id, remote_id, presence, withdrawn_at, is_current)
    select d.article_id, d.account_id, former.remote_id, 'deleted', coalesce(d.withdrawn_at, d.updated_at), false
    from deliveries d cross join unnest(d.former_remote_ids) former (remote_id) where d.account_id is not null
    on conflict do nothing`,
  `insert into copies (article_id, account_id, presence)
    select distinct d.article_id, t.account_id, 'uncertain' from delivery_attempts t join deliveries d on d.id = t.delivery_id
    where t.ended_at is null and t.action = 'create' on conflict do nothing`,
  // The last of them is current where no other copy followed it, so that the delivery is shown as withdrawn.
  `update copies set is_current = true where id in (
    select distinct on (article_id, account_id) id from copies c where presence = 'deleted'
      and not exists (select from copies o where o.article_id = c.article_id and o.account_id = c.account_id and o.is_current)
    order by article_id, account_id, withdrawn_at desc)`,
  `update copies c set presence = 'uncertain' from deliveries d join delivery_attempts t on t.delivery_id = d.id
    where t.ended_at is null and t.action = 'update' and c.article_id = d.article_id and c.account_id = t.account_id
    and c.is_current and c.presence = 'hidden'`,

  `alter table delivery_attempts
    drop constraint delivery_attempts_pkey,
    add column id uuid primary key default gen_random_uuid(),
    add column copy_id uuid references copies on delete set null,
    add column was_sent boolean not null default true,
    add column has_later_command boolean not null default false,
    add column unknown_dispatch integer`,
  `comment on column delivery_attempts.unknown_dispatch is 'The publish for which its author was asked to look whether the post is there'`,
  `comment on column delivery_attempts.was_sent is 'False where it was refused before anything was sent'`,
  `comment on column delivery_attempts.has_later_command is 'Its author has ordered something since: where it fails, what is due is tried again'`,
  `comment on column delivery_attempts.code is 'What went wrong, with its reason; of an attempt without an outcome, what is known of it so far'`,
  `update delivery_attempts t set copy_id = c.id from deliveries d, copies c
    where d.id = t.delivery_id and c.article_id = d.article_id and c.account_id = t.account_id and c.is_current`,
  // Why a delivery failed or is tried again stood in its row.
  `update delivery_attempts t set code = d.last_error_code, reason = d.last_error,
      unknown_dispatch = case when d.state = 'unknown' then d.handled_dispatch end from deliveries d
    where d.id = t.delivery_id and t.account_id = d.account_id and t.ended_at is null and (d.state = 'unknown' or d.last_error_code <> 'skipped')`,
  `insert into delivery_attempts (delivery_id, number, account_id, copy_id, was_sent, action, dispatch, revision, content_hash, look_up, started_at, outcome, code, reason, ended_at)
    select d.id, d.attempts + 1, d.account_id, c.id, false, case when d.remote_id is null then 'create' when d.last_error_code = 'cannot_withdraw' then 'withdraw' else 'update' end,
      d.handled_dispatch, a.revision, '', '{"canonicalUrl": "", "slug": "", "title": ""}', d.updated_at,
      case when d.state = 'failed' or d.last_error_code = 'cannot_update' then 'failed' else 'retried' end, d.last_error_code, d.last_error, d.updated_at
    from deliveries d join articles a on a.id = d.article_id
    left join copies c on c.article_id = d.article_id and c.account_id = d.account_id and c.is_current
    where d.account_id is not null and d.last_error_code is not null and d.last_error_code not in ('skipped', 'account_changed', 'not_connected', 'unauthorised')
    and d.state not in ('unknown', 'held')
    and not exists (select from delivery_attempts t where t.delivery_id = d.id and t.account_id = d.account_id and (t.ended_at is null or t.number = d.attempts and t.code is not distinct from d.last_error_code))`,
  'alter table delivery_attempts drop column number',
  'drop index delivery_attempts_account_id_idx',
  'create index delivery_attempts_account_idx on delivery_attempts (account_id, ended_at desc)',
  'create index delivery_attempts_delivery_idx on delivery_attempts (delivery_id, account_id, started_at desc)',
  'create index delivery_attempts_copy_id_idx on delivery_attempts (copy_id)',
  // What may need its author.
  `create index delivery_attempts_failed_idx on delivery_attempts (delivery_id) where ended_at is null or outcome = 'failed'`,

  'alter table accounts add column connected_at timestamptz',
  `comment on column accounts.connected_at is 'When it was connected last; null where it never was. Deliveries of a disconnected destination are shown at the newest'`,
  `update accounts k set connected_at = coalesce((select max(t.started_at) from delivery_attempts t where t.account_id = k.id), k.created_at)
    where not exists (select from connections c where c.account_id = k.id)`,
  'update accounts k set connected_at = clock_timestamp() where connected_at is null',
  // If no account is connected, deliveries name the last one.
  `update accounts k set connected_at = clock_timestamp()
    where not exists (select from connections c where c.user_id = k.user_id and c.destination = k.destination)
    and k.id = (select d.account_id from deliveries d join articles a on a.id = d.article_id
      where a.author_id = k.user_id and d.destination = k.destination and d.account_id is not null order by d.updated_at desc limit 1)`,

  'alter table connections rename column generation to version',
  `comment on column connections.version is 'Counts the changes of its account, its credentials and its status'`,

  `alter table deliveries
    add column due_at timestamptz,
    add column version integer not null default 0`,
  `comment on column deliveries.due_at is 'When the next work is or was due; null if nothing is due'`,
  `comment on column deliveries.version is 'Counts commands, publishes, attempts and changes of the account; a decision is written only for the version that was read'`,
  `update deliveries d set due_at = case when d.state in ('pending', 'delivering', 'held') or d.handled_dispatch < a.dispatch
      or exists (select from delivery_attempts t where t.delivery_id = d.id and t.account_id = d.account_id and t.ended_at is null
        and t.answer ->> 'kind' <> 'unknown') or ${IS_TO_BE_WITHDRAWN} then coalesce(d.next_attempt_at, d.updated_at) end,
    version = d.attempts,
    handled_dispatch = case when d.state = 'held' or ${IS_TO_BE_WITHDRAWN} then least(d.handled_dispatch, a.dispatch - 1) else d.handled_dispatch end
    from articles a where a.id = d.article_id`,
  // A destination that was connected later gets nothing by itself, and neither does a delivery of an article that nobody wants there.
  `update deliveries d set due_at = null from articles a where a.id = d.article_id and d.due_at is not null and a.status <> 'PUBLISHED'
    and not exists (select from copies c where c.article_id = d.article_id and c.may_be_live)`,
  'drop index deliveries_account_post_idx',
  'drop index deliveries_needs_author_idx',
  'drop index deliveries_connection_id_idx',
  `alter table deliveries drop column connection_id, drop column state, drop column remote_id, drop column remote_url, drop column delivered_hash,
    drop column delivered_revision, drop column withdrawn_at, drop column attempts, drop column last_error_code, drop column last_error,
    drop column next_attempt_at, drop column remote_changed_at, drop column former_remote_ids, drop column account_id, drop column updated_at`,
  'create index deliveries_due_at_idx on deliveries (due_at) where due_at is not null',
  'drop table former_posts',

  'alter table deliveries enable trigger user',
  'alter table delivery_attempts enable trigger user',
  `create function announce_copies_at_desk() returns trigger language plpgsql set enable_seqscan = off as $$
  begin
    perform announce_rows_at_desk('delivery', array_agg(a.author_id), array_agg(d.id))
      from changed c join accounts k on k.id = c.account_id join articles a on a.id = c.article_id
      join deliveries d on d.article_id = c.article_id and d.destination = k.destination;
    return null;
  end $$`,
  `create trigger announce_insert_at_desk after insert on copies referencing new table as changed
    for each statement execute function announce_copies_at_desk()`,
  `create trigger announce_update_at_desk after update on copies referencing new table as changed
    for each statement execute function announce_copies_at_desk()`,
  `create trigger copy_changed after update on copies for each row
    when ((old.remote_url, old.presence) is distinct from (new.remote_url, new.presence)) execute function part_of_article_changed()`,
  `create trigger copy_made after insert on copies for each row when (new.remote_url is not null)
    execute function part_of_article_changed()`,
  'drop trigger announce_update_at_desk on connections',
  `create trigger announce_update_at_desk after update on connections for each row
    when ((old.platform, old.base_url, old.account_id, old.status, old.status_reason, old.blocked_until, old.version)
      is distinct from (new.platform, new.base_url, new.account_id, new.status, new.status_reason, new.blocked_until, new.version))
    execute function announce_owner_at_desk()`,

  // Stored, because the view would decompress each body to test it.
  `alter table articles add column has_body boolean not null generated always as (body ~ '\\S') stored`,
  `comment on column articles.has_body is 'Its body is more than white space: without one it is delivered nowhere'`,

  // The one place that decides whether an article is selected for a destination.
  `create function is_selected(syndicate boolean, imported boolean, cross_post jsonb, destination text) returns boolean
    language sql immutable as $$ select syndicate and not imported and coalesce((cross_post ->> destination)::boolean, false) $$`,
  // Before, the first plan of a publish made the row.
  `insert into deliveries (article_id, destination, due_at) select a.id, c.destination, clock_timestamp()
    from articles a join connections c on c.user_id = a.author_id
    where a.status = 'PUBLISHED' and is_selected(a.syndicate, a.imported, a.cross_post, c.destination)
      and a.dispatched_at >= c.created_at and a.dispatched_at > clock_timestamp() - interval '7 days'
    on conflict do nothing`,

  // Every publish, command and firing of a schedule raises the article's dispatch.
  `create function mark_deliveries_due() returns trigger language plpgsql as $$
  begin
    insert into deliveries (article_id, destination, due_at)
    select new.id, concerned.destination, clock_timestamp() from (
      select destination from deliveries where article_id = new.id
      union select c.destination from connections c where c.user_id = new.author_id and new.status = 'PUBLISHED'
        and is_selected(new.syndicate, new.imported, new.cross_post, c.destination)
    ) concerned order by concerned.destination
    on conflict (article_id, destination) do update set due_at = excluded.due_at, version = deliveries.version + 1;
    return null;
  end $$`,
  'create trigger deliveries_due_on_insert after insert on articles for each row execute function mark_deliveries_due()',
  `create trigger deliveries_due_on_update after update of dispatch on articles for each row
    when (old.dispatch is distinct from new.dispatch) execute function mark_deliveries_due()`,

  `create view delivery_states as
  select fact.*,
    case
      when state in ('unknown', 'delivering') then case when is_skipped then 'skipped' else open_code end
      when state = 'held' then case when connection_id is null then 'not_connected' else 'unauthorised' end
      when state = 'delivered' then null
      when is_skipped then 'skipped'
      when state = 'failed' or (state = 'stale' and last_outcome = 'failed' and is_handled) then last_code
      when open_id is not null and open_action <> 'create' then 'outcome_unknown'
      when state in ('pending', 'stale') and last_outcome in ('retried', 'absent') and due_at > clock_timestamp() then last_code
      when is_offered then 'other_account'
    end as error_code,
    state in ('failed', 'held', 'unknown') and not is_skipped and (state = 'unknown' or has_live_copy or should_be_delivered) as needs_author,
    case when due_at > clock_timestamp() and state in ('pending', 'stale', 'delivering') then due_at end as next_attempt_at
  from (
    select base.*,
      case
        when open_action = 'create' and unknown_dispatch >= dispatch then 'unknown'
        when open_id is not null and due_at is not null and connection_status = 'active' then 'delivering'
        when is_carried and not should_be_withdrawn then 'delivered'
        when is_skipped then case when has_live_copy then 'stale' else 'failed' end
        when due_at is not null and not is_handled and (should_be_delivered or (should_be_withdrawn and has_live_copy) or open_action = 'create')
          and connection_status is distinct from 'active' then 'held'
        when due_at is not null and not is_handled and (should_be_delivered or (should_be_withdrawn and has_live_copy)) then
          case when presence in ('live', 'hidden') or has_live_copy then 'stale' else 'pending' end
        when last_outcome = 'failed' and is_handled and last_code <> 'cannot_update' then 'failed'
        when last_outcome = 'failed' and last_code = 'cannot_withdraw' and should_be_withdrawn and has_live_copy then 'failed'
        else 'stale'
      end as state,
      should_be_delivered and presence = 'absent' and due_at is null and open_id is null and not is_skipped
        and coalesce(last_outcome, 'void') in ('retried', 'absent', 'void') as is_offered
    from (
      select d.id as delivery_id, a.id as article_id, a.author_id, keys.destination, a.status, a.dispatch, a.revision, a.imported,
        d.version, d.handled_dispatch, d.skipped_dispatch, d.withdraw_requested, d.overwrite, d.due_at,
        c.id as connection_id, c.version as connection_version, c.status as connection_status, c.status_reason, c.platform as connected_platform,
        account.id as account_id, account.platform, account.name as account,
        cp.id as copy_id, cp.remote_id, cp.remote_url, cp.remote_changed_at, cp.content_hash, cp.revision as delivered_revision,
        coalesce(cp.presence, 'absent') as presence, case when cp.presence <> 'live' then cp.withdrawn_at end as withdrawn_at,
        o.id as open_id, o.action as open_action, o.code as open_code, o.reason as open_reason, o.answer as open_answer, o.unknown_dispatch,
        l.outcome as last_outcome, l.code as last_code, l.reason as last_reason,
        is_selected(a.syndicate, a.imported, a.cross_post, keys.destination) as is_selected,
        is_selected(a.syndicate, a.imported, a.cross_post, keys.destination) and a.status = 'PUBLISHED' and u.suspended_at is null
          and not coalesce(d.withdraw_requested, false) and a.has_body as should_be_delivered,
        coalesce(d.withdraw_requested, false) or (a.status <> 'PUBLISHED' and not a.imported) as should_be_withdrawn,
        d.handled_dispatch >= a.dispatch as is_handled,
        coalesce(d.skipped_dispatch >= a.dispatch, false) as is_skipped,
        coalesce(cp.presence = 'live' or (cp.presence = 'uncertain' and cp.remote_id is not null), false) as has_live_copy,
        coalesce(cp.presence = 'live' and cp.revision = a.revision and not d.overwrite and (cp.content_hash is not null or a.imported), false) as is_carried
      from articles a join users u on u.id = a.author_id cross join unnest(${KEYS}) keys (destination)
      left join deliveries d on d.article_id = a.id and d.destination = keys.destination
      left join connections c on c.user_id = a.author_id and c.destination = keys.destination
      left join lateral (
        select id, platform, name from accounts
        where user_id = a.author_id and accounts.destination = keys.destination and (c.id is null or accounts.id = c.account_id)
        order by connected_at desc nulls last limit 1
      ) account on true
      left join copies cp on cp.article_id = a.id and cp.account_id = account.id and cp.is_current
      left join delivery_attempts o on o.delivery_id = d.id and o.account_id = account.id and o.ended_at is null
      left join lateral (
        select outcome, code, reason, t.dispatch from delivery_attempts t
        where t.delivery_id = d.id and t.account_id = account.id and t.ended_at is not null
        order by t.started_at desc, t.ended_at desc limit 1
      ) l on l.dispatch >= d.handled_dispatch
    ) base
  ) fact`,
  `comment on view delivery_states is 'Each article at each destination: intent, connection, current copy, attempts, and the state that follows from them'`,
];
