/** Migrates a database to the schema of an earlier release. */
import { CamelCasePlugin, Kysely, PostgresDialect } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import pg from 'pg';
import { listMigrations, MIGRATIONS } from '../../../store/db/migration-names.ts';

/** `target` is the last migration to run, such as `0003-readership`. */
export async function migrateTo(url: string, target: string): Promise<void> {
  const load = async (name: string) =>
    [name, (await import(new URL(`${name}.ts`, MIGRATIONS).href)) as Migration] as const;
  const migrations = Object.fromEntries(await Promise.all((await listMigrations()).map(load)));
  const pool = new pg.Pool({ connectionString: url });
  pool.on('error', () => undefined);
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }), plugins: [new CamelCasePlugin()] });
  const { error } = await new Migrator({ db, provider: { getMigrations: async () => migrations } }).migrateTo(target);
  await db.destroy();
  if (error) throw error;
}
