/** Lists the migrations of this release and of a database. Loads no query builder. */
import { readdir } from 'node:fs/promises';
import pg from 'pg';
import { ConfigError } from '../../runtime/config/environment.ts';

export const MIGRATIONS = new URL('./migrations/', import.meta.url);

/** Names such as `0001-first-release`, in execution order. */
export async function listMigrations(): Promise<string[]> {
  const files = await readdir(MIGRATIONS);
  return files
    .filter((name) => name.endsWith('.ts'))
    .map((name) => name.slice(0, -3))
    .sort();
}

/** The migrations that ran in a database, in order. Throws if it cannot be reached. */
export async function readMigrations(url: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000, query_timeout: 5_000 });
  // Without a listener the error would end the process. The running query fails too.
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ name: string }>('select name from kysely_migration order by name');
    return rows.map(({ name }) => name);
  } catch (error) {
    if ((error as { code?: string }).code === UNDEFINED_TABLE) return [];
    throw error;
  } finally {
    await client.end().catch(() => undefined);
  }
}

const UNDEFINED_TABLE = '42P01';

/** Whether a version before 1.0.0 migrated the database. Its migrations were replaced by one. */
export function isEarlierSchema(migrations: readonly string[]): boolean {
  return migrations.length > 0 && !migrations.includes('0001-first-release');
}

/** `place`: a folder or a database. */
export function describeEarlierSchema(place: string): string {
  return `${place} contains the data of a version before 1.0.0, which this version can neither read nor convert. Nothing in it was changed.`;
}

/** Throws a `ConfigError` if a version before 1.0.0 migrated the database. */
export async function refuseEarlierSchema(url: string): Promise<void> {
  const { hostname, port, pathname } = new URL(url);
  const place = `The database ${hostname || 'localhost'}:${port || 5432}${pathname}`;
  if (isEarlierSchema(await readMigrations(url))) throw new ConfigError([describeEarlierSchema(place)]);
}
