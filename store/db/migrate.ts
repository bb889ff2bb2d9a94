/** Migrates a database to the newest schema. Safe to run from several processes at once. */
import { CamelCasePlugin, Kysely, PostgresDialect } from 'kysely';
import { type Migration, type MigrationProvider, Migrator } from 'kysely/migration';
import pg from 'pg';
import { listMigrations, MIGRATIONS, refuseEarlierSchema } from './migration-names.ts';

/** Returns the names. A failed migration is rolled back. `ConfigError`: see `refuseEarlierSchema`. */
export async function migrateToLatest(url: string): Promise<string[]> {
  await refuseEarlierSchema(url);
  const pool = new pg.Pool({ connectionString: url, max: 2, connectionTimeoutMillis: 5_000 });
  // A connection that breaks in use fails its query. An idle connection has no query to fail.
  pool.on('error', () => undefined);
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }), plugins: [new CamelCasePlugin()] });
  try {
    const { error, results } = await new Migrator({ db, provider: folderProvider }).migrateToLatest();
    if (error) throw error;
    return (results ?? []).filter((result) => result.status === 'Success').map((result) => result.migrationName);
  } finally {
    await db.destroy();
  }
}

const folderProvider: MigrationProvider = {
  async getMigrations() {
    const entries = (await listMigrations()).map(async (name): Promise<[string, Migration]> => {
      const migration = (await import(new URL(`${name}.ts`, MIGRATIONS).href)) as Migration;
      return [name, migration];
    });
    return Object.fromEntries(await Promise.all(entries));
  },
};
