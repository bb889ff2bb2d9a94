/**
 * Checks PostgreSQL: reachable, a supported version, the current schema, the permissions and enough
 * connections.
 */
import pg from 'pg';
import { type DatabaseConfig, MAX_DATABASE_CONNECTIONS } from '../../runtime/config/database.ts';
import {
  describeEarlierSchema,
  isEarlierSchema,
  listMigrations,
  readMigrations,
} from '../../store/db/migration-names.ts';
import { createFindings, describe, type Finding } from './finding.ts';

const { ok, warn, fail } = createFindings('database');
const clock = createFindings('clock');
const TIMEOUT_MS = 5_000;
/** The oldest version in the tests. */
const MIN_VERSION = 15;
const CLOCK_LIMIT_S = 2;

export async function connect(connectionString: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: TIMEOUT_MS, query_timeout: TIMEOUT_MS });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

/** `reachable` is false if checks that need the schema cannot run. */
export async function checkDatabase(config: DatabaseConfig): Promise<{ reachable: boolean; findings: Finding[] }> {
  const url = config.databaseDirectUrl;
  let client: pg.Client;
  try {
    client = await connect(url);
  } catch (error) {
    // Never the URL, which contains a password.
    const { hostname, port, pathname } = new URL(url);
    const message = `PostgreSQL cannot be reached at ${hostname || 'localhost'}:${port || 5432}${pathname}: ${describe(error)}.`;
    const name = config.databasePooled ? 'DATABASE_DIRECT_URL' : 'DATABASE_URL';
    const advice = `Is it running, and does ${name} have the correct host, port, user and database? Without it, nothing can be published.`;
    return { reachable: false, findings: [fail(message, advice)] };
  }
  try {
    const done = await readMigrations(url);
    const reachable = done.length > 0 && !isEarlierSchema(done);
    const dependent = reachable ? [await checkRights(client), ...(await checkRestore(client))] : [];
    const findings = [await checkVersion(client), await checkClock(client), await checkConnections(client)];
    return { reachable, findings: [...findings, await compareMigrations(done), ...dependent] };
  } finally {
    await client.end();
  }
}

async function queryRow<Row>(client: pg.Client, text: string): Promise<Row> {
  return (await client.query(text)).rows[0] as Row;
}

async function checkVersion(client: pg.Client): Promise<Finding> {
  const text = "select current_setting('server_version_num')::int / 10000 as major";
  const { major } = await queryRow<{ major: number }>(client, text);
  if (major >= MIN_VERSION) return ok(`PostgreSQL ${major} responds.`);
  return fail(`This is PostgreSQL ${major}.`, `Courant is tested with ${MIN_VERSION} and later: upgrade it.`);
}

async function checkClock(client: pg.Client): Promise<Finding> {
  const before = Date.now();
  const { now } = await queryRow<{ now: Date }>(client, 'select clock_timestamp() as now');
  // The time of the server lies between request and response.
  const offset = (now.getTime() - (before + Date.now()) / 2) / 1000;
  if (Math.abs(offset) <= CLOCK_LIMIT_S) return clock.ok('The clocks of this machine and the database agree.');
  const message = `The clock of the database is ${Math.abs(offset).toFixed(1)} s ${offset > 0 ? 'ahead of' : 'behind'} this machine: schedules and links are off by that much.`;
  return clock.fail(message, 'Run NTP (systemd-timesyncd or chrony) on both machines.');
}

async function checkConnections(client: pg.Client): Promise<Finding> {
  const { most, used } = await queryRow<{ most: number; used: number }>(
    client,
    `select current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int as most,
      (select count(*)::int from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()) as used`,
  );
  const { api, worker } = MAX_DATABASE_CONNECTIONS;
  const connectionsPerPair = api + 1 + worker;
  const message = `It allows ${most} connections, of which ${used} are in use; each API uses up to ${api + 1}, each worker up to ${worker}.`;
  if (most >= 2 * connectionsPerPair) return ok(message);
  const advice = `Raise max_connections, or use a pooler (docs/self-hosting/deployment.md): two of each process need ${2 * connectionsPerPair}.`;
  return most < connectionsPerPair ? fail(message, advice) : warn(message, advice);
}

async function compareMigrations(done: readonly string[]): Promise<Finding> {
  const known = await listMigrations();
  const missing = known.filter((name) => !done.includes(name));
  const ahead = done.filter((name) => !known.includes(name));
  if (isEarlierSchema(done))
    return fail(describeEarlierSchema('It'), 'Use an empty database: see docs/self-hosting/upgrading.md.');
  if (missing.length > 0) {
    const message = `The schema lacks ${missing.length} migrations, from ${missing[0]} on.`;
    return fail(message, 'Run `npm run migrate`; see docs/self-hosting/upgrading.md.');
  }
  if (ahead.length === 0) return ok(`The schema matches this release (${known.at(-1)}).`);
  const advice =
    'The previous release works with it, but only for the time of an upgrade. Upgrade this machine to the later release.';
  return warn(`The schema is of a later release: it has ${ahead.join(', ')}.`, advice);
}

async function checkRights(client: pg.Client): Promise<Finding> {
  const { user, denied, owns } = await queryRow<{ user: string; denied: string[] | null; owns: boolean }>(
    client,
    `select current_user as user, array_agg(c.relname::text order by c.relname)
        filter (where not has_table_privilege(c.oid, 'select') or not has_table_privilege(c.oid, 'insert')
          or not has_table_privilege(c.oid, 'update') or not has_table_privilege(c.oid, 'delete')) as denied,
      bool_and(pg_has_role(c.relowner, 'usage')) as owns
    from pg_class c where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace and c.relname not like 'kysely%'`,
  );
  if (denied !== null) {
    const message = `The role ${user} cannot read and write ${denied.length} tables (${denied.slice(0, 3).join(', ')} …).`;
    return fail(message, `Grant it: grant select, insert, update, delete on all tables in schema public to ${user};`);
  }
  if (owns) return ok(`The role ${user} can read, write and migrate every table.`);
  return ok(`The role ${user} can read and write every table; migrations need the role that owns them.`);
}

async function checkRestore(client: pg.Client): Promise<Finding[]> {
  const text = 'select exists (select 1 from restores where finished_at is null) as found';
  const { found } = await queryRow<{ found: boolean }>(client, text);
  const message = 'A restore from a backup has started and has not ended: no worker can start.';
  return found ? [fail(message, 'Complete `npm run restore`; see docs/self-hosting/backup.md.')] : [];
}
