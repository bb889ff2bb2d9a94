/**
 * Detects a connection pooler in front of PostgreSQL, its mode and limits, and whether the settings
 * match.
 */
import type pg from 'pg';
import type { DatabaseConfig } from '../../runtime/config/database.ts';
import { connect } from './check-database.ts';
import { createFindings, describe, type Finding } from './finding.ts';

const { ok, warn, fail } = createFindings('pooler');
const NEXT =
  'Set DATABASE_DIRECT_URL to the address of PostgreSQL itself; see docs/self-hosting/deployment.md, “A pooler”.';

export async function checkPooler(config: DatabaseConfig): Promise<Finding[]> {
  const direct = await withTwoClients(config.databaseDirectUrl, detectMode);
  if (!config.databasePooled) {
    if (direct === 'none') return [];
    if (direct === 'session') return [ok('DATABASE_URL points to a pooler in session mode.')];
    return [fail('DATABASE_URL points to a pooler in transaction mode: event streams receive nothing.', NEXT)];
  }
  if (direct !== 'none')
    return [fail('DATABASE_DIRECT_URL also points to a pooler: event streams may receive nothing.', NEXT)];
  try {
    const problems = await withTwoClients(config.databaseUrl, (...clients) => checkPooled(config, ...clients));
    const works = ok('The pooler accepts our statements, and PostgreSQL can be reached directly.');
    return problems.length > 0 ? problems : [works];
  } catch (error) {
    const advice = 'Is the pooler running, and does its configuration include the database and user of DATABASE_URL?';
    return [fail(`DATABASE_URL cannot be used: ${describe(error)}.`, advice)];
  }
}

/**
 * A pooler sends a process id of its own instead of the backend's. In transaction mode, a client
 * gets another backend while its previous one is in use.
 */
async function detectMode(first: pg.Client, second: pg.Client): Promise<'none' | 'session' | 'transaction'> {
  const before = await findBackend(first);
  if (before === (first as unknown as { processID: number }).processID) return 'none';
  await second.query('begin');
  const held = await findBackend(second);
  return held === before || (await findBackend(first)) !== before ? 'transaction' : 'session';
}

async function checkPooled(config: DatabaseConfig, first: pg.Client, second: pg.Client): Promise<Finding[]> {
  const findings: Finding[] = [];
  const { rows } = await first.query("select current_setting('statement_timeout') as limit");
  if (rows[0]?.limit === '0') {
    const message = 'Hanging statements are not cancelled: a pooler does not pass on our statement_timeout.';
    const advice = "Add connect_query='set statement_timeout = 12000' to the database in pgbouncer.ini.";
    findings.push(warn(message, advice));
  }
  if (config.databasePrepares && !(await supportsPrepared(first, second))) {
    const message = 'DATABASE_PREPARED_STATEMENTS is on, but this pooler loses prepared statements.';
    findings.push(fail(message, 'Remove it, or use PgBouncer 1.21 or later with max_prepared_statements = 100.'));
  }
  return findings;
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
  const [first, second] = await Promise.all([connect(url), connect(url)]);
  try {
    return await work(first, second);
  } finally {
    await Promise.all([first.end(), second.end()]);
  }
}
