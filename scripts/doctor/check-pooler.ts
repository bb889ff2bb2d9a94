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
    const advice = 'Is the pooler running, and does its configuration include the database and user of DATABASE_URL?';
    return [fail(SUBJECT, `DATABASE_URL cannot be used: ${describe(error)}.`, advice)];
  }
}

/**
 * A pooler sends a process id of its own instead of the backend's. In transaction mode, a client
 * gets another backend while its previous one is in use.
 */
async function detectMode(url: string): Promise<'none' | 'session' | 'transaction'> {
  return withTwoClients(url, async (first, second) => {
    const before = await findBackend(first);
    if (before === (first as unknown as { processID: number }).processID) return 'none';
    await second.query('begin');
    const held = await findBackend(second);
    return held === before || (await findBackend(first)) !== before ? 'transaction' : 'session';
  });
}

async function checkPooled({ databaseUrl, databasePrepares }: DatabaseConfig): Promise<Finding[]> {
  return withTwoClients(databaseUrl, async (first, second) => {
    const findings: Finding[] = [];
    const { rows } = await first.query("select current_setting('statement_timeout') as limit");
    if (rows[0]?.limit === '0') {
      const message = 'Hanging statements are not cancelled: a pooler does not pass on our statement_timeout.';
      findings.push(
        warn(SUBJECT, message, "Add connect_query='set statement_timeout = 12000' to the database in pgbouncer.ini."),
      );
    }
    if (databasePrepares && !(await supportsPrepared(first, second))) {
      const message = 'DATABASE_PREPARED_STATEMENTS is on, but this pooler loses prepared statements.';
      const advice = 'Remove it, or use PgBouncer 1.21 or later with max_prepared_statements = 100.';
      findings.push(fail(SUBJECT, message, advice));
    }
    return findings.length > 0
      ? findings
      : [ok(SUBJECT, 'The pooler accepts our statements, and PostgreSQL can be reached directly.')];
  });
}

/** Whether a prepared statement works on another backend than the one where it was prepared. */
async function supportsPrepared(first: pg.Client, second: pg.Client): Promise<boolean> {
  const statement = { name: 'courant doctor', text: 'select 1' };
  try {
    await first.query(statement);
    await second.query('begin');
    await first.query(statement);
    await second.query(statement);
    return true;
  } catch {
    return false;
  }
}

async function findBackend(client: pg.Client): Promise<number> {
  return (await client.query('select pg_backend_pid() as pid')).rows[0].pid as number;
}

async function withTwoClients<T>(url: string, work: (first: pg.Client, second: pg.Client) => Promise<T>): Promise<T> {
  const clients = await Promise.all([connect(url), connect(url)]);
  try {
    return await work(...(clients as [pg.Client, pg.Client]));
  } finally {
    await Promise.all(clients.map((client) => client.end()));
  }
}
