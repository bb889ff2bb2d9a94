/**
 * Provides databases in a real PostgreSQL and the address of a real Temporal server. `npm test`
 * starts both; `npm run test:services` keeps them running between test runs.
 */
import { createHash, randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import pg from 'pg';
import { type Database, type DatabaseOptions, openDatabase } from '../../store/db/database.ts';
import { migrateToLatest } from '../../store/db/migrate.ts';

export interface TestDatabase {
  /** The address of a new, migrated, empty database. */
  url: string;
  /** Removes the database and closes remaining connections. */
  drop(): Promise<void>;
}

/**
 * Creates a database with the current schema. The first call on a server migrates a template; each
 * call clones it (about 30 ms). Call it once per test file and `drop` it in an `after` hook.
 */
export async function createTestDatabase(): Promise<TestDatabase> {
  const template = `courant_template_${hashMigrations()}`;
  const name = `courant_test_${randomBytes(6).toString('hex')}`;
  await withAdmin(async (admin) => {
    // One process at a time: a template cannot be cloned during its creation or another clone.
    await admin.query('select pg_advisory_lock($1)', [TEMPLATE_LOCK]);
    try {
      await ensureTemplate(admin, template);
      // Copies files within the kernel: half the processor time of `wal_log`, which writes each page.
      await admin.query('set file_copy_method = clone');
      await admin.query(`create database ${name} template ${template} strategy file_copy`);
    } finally {
      await admin.query('select pg_advisory_unlock($1)', [TEMPLATE_LOCK]);
    }
  });
  return {
    url: buildAddress(name),
    drop: () => withAdmin(async (admin) => void (await admin.query(`drop database if exists ${name} with (force)`))),
  };
}

/** Like `createTestDatabase`, with an open connection; `close` ends both. */
export async function openTestDatabase(options: DatabaseOptions = {}): Promise<OpenTestDatabase> {
  const { url, drop } = await createTestDatabase();
  const db = openDatabase(url, options);
  return {
    url,
    db,
    async close() {
      await db.destroy();
      await drop();
    },
  };
}

export interface OpenTestDatabase {
  url: string;
  db: Database;
  close(): Promise<void>;
}

/** Returns the address (host:port) of the tests' Temporal server. */
export function readTemporalAddress(): string {
  return readVariable('TEST_TEMPORAL_ADDRESS');
}

const TEMPLATE_LOCK = 4_627_001;

function hashMigrations(): string {
  const folder = new URL('../../store/db/migrations/', import.meta.url);
  const hash = createHash('sha256');
  for (const name of readdirSync(folder).sort()) hash.update(name).update(readFileSync(new URL(name, folder)));
  return hash.digest('hex').slice(0, 16);
}

async function ensureTemplate(admin: pg.Client, template: string): Promise<void> {
  const found = await admin.query('select datistemplate from pg_database where datname = $1', [template]);
  if (found.rows[0]?.datistemplate === true) return;
  // A template without the mark is incomplete: its creation was interrupted.
  await admin.query(`drop database if exists ${template} with (force)`);
  await admin.query(`create database ${template} template template0`);
  await migrateToLatest(buildAddress(template));
  await admin.query(`alter database ${template} with is_template true`);
}

async function withAdmin<T>(use: (admin: pg.Client) => Promise<T>): Promise<T> {
  const admin = new pg.Client({ connectionString: readVariable('TEST_DATABASE_URL') });
  await admin.connect();
  try {
    return await use(admin);
  } finally {
    await admin.end();
  }
}

function buildAddress(database: string): string {
  const url = new URL(readVariable('TEST_DATABASE_URL'));
  url.pathname = `/${database}`;
  return url.href;
}

function readVariable(name: string): string {
  const value = process.env[name];
  if (value) return value;
  throw new Error(
    `${name} is not set: run the tests through "npm test" (for some files: npm test -- test/store/users/passwords.test.ts), ` +
      'or keep their servers running with "npm run test:services" and export what it prints.',
  );
}
