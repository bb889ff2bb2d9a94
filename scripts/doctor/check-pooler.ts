/**
 * Detects a connection pooler in front of PostgreSQL, its mode and limits, and whether the settings
 * match.
 */
import type pg from 'pg';
import type { DatabaseConfig } from '../../runtime/config/database.ts';
import { connect } from './check-database.ts';
import { describe, type Finding, fail, ok, warn } from './finding.ts';

const SUBJECT = 'pooler';
const NEXT = 'Set DATABASE_DIRECT_URL to the address of PostgreSQL itself; see docs/deployment.md, “A pooler”.';

export async function checkPooler(config: DatabaseConfig): Promise<Finding[]> {
  const direct = await detectMode(config.databaseDirectUrl);
  if (!config.databasePooled) {
    if (direct === 'none') return [];
    if (direct === 'session') return [ok(SUBJECT, 'DATABASE_URL points to a pooler in session mode.')];
    return [fail(SUBJECT, 'DATABASE_URL points to a pooler in transaction mode: event streams receive nothing.', NEXT)];
  }
  if (direct !== 'none') {
    return [fail(SUBJECT, 'DATABASE_DIRECT_URL also points to a pooler: event streams may receive nothing.', NEXT)];
  }
  try {
    return await checkPooled(config);
  } catch (error) {
    const next = 'Is the pooler running, and does its configuration include the database and user of DATABASE_URL?';
    return [fail(SUBJECT, `DATABASE_URL cannot be used: ${describe(error)}.`, next)];
  }
}

/**
 * A pooler reports an invented process id. In transaction mode, a client gets another backend if
 * another client holds its former one.
 */
async function detectMode(url: string): Promise<'none' | 'session' | 'transaction'> {
  return withTwoClients(url, async (one, other) => {
    const before = await findBackend(one);
    if (before === (one as unknown as { processID: number }).processID) return 'none';
    await other.query('begin');
    const held = await findBackend(other);
    return held === before || (await findBackend(one)) !== before ? 'transaction' : 'session';
  });
}

async function checkPooled({ databaseUrl, databasePrepares }: DatabaseConfig): Promise<Finding[]> {
  return withTwoClients(databaseUrl, async (one, other) => {
    const findings: Finding[] = [];
    const { rows } = await one.query("select current_setting('statement_timeout') as limit");
    if (rows[0]?.limit === '0') {
      const says = 'Hanging statements are not cancelled: a pooler does not pass on our statement_timeout.';
      findings.push(
        warn(SUBJECT, says, "Add connect_query='set statement_timeout = 12000' to the database in pgbouncer.ini."),
      );
    }
    if (databasePrepares && !(await supportsPrepared(one, other))) {
      const says = 'DATABASE_PREPARED_STATEMENTS is on, but this pooler loses prepared statements.';
      const next = 'Remove it, or use PgBouncer 1.21 or later with max_prepared_statements = 100.';
      findings.push(fail(SUBJECT, says, next));
    }
    return findings.length > 0
      ? findings
      : [ok(SUBJECT, 'The pooler accepts our statements, and PostgreSQL can be reached directly.')];
  });
}

/** Whether a prepared statement works on another backend than the one where it was prepared. */
async function supportsPrepared(one: pg.Client, other: pg.Client): Promise<boolean> {
  const statement = { name: 'courant doctor', text: 'select 1' };
  try {
    await one.query(statement);
    await other.query('begin');
    await one.query(statement);
    await other.query(statement);
    return true;
  } catch {
    return false;
  }
}

async function findBackend(client: pg.Client): Promise<number> {
  return (await client.query('select pg_backend_pid() as pid')).rows[0].pid as number;
}

async function withTwoClients<T>(url: string, work: (one: pg.Client, other: pg.Client) => Promise<T>): Promise<T> {
  const clients = await Promise.all([connect(url), connect(url)]);
  try {
    return await work(...(clients as [pg.Client, pg.Client]));
  } finally {
    await Promise.all(clients.map((client) => client.end()));
  }
}
