/** Brings a database to the schema of an earlier release. */
import { readdir } from 'node:fs/promises';
import { CamelCasePlugin, Kysely, PostgresDialect } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import pg from 'pg';

const folder = new URL('../../store/db/migrations/', import.meta.url);

/** `target` is the last migration that is run, as `0003-readership`. */
export async function migrateTo(url: string, target: string): Promise<void> {
  const names = (await readdir(folder)).filter((file) => file.endsWith('.ts'));
  const load = async (file: string) =>
    [file.slice(0, -3), (await import(new URL(file, folder).href)) as Migration] as const;
  const migrations = Object.fromEntries(await Promise.all(names.map(load)));
  const pool = new pg.Pool({ connectionString: url });
  pool.on('error', () => undefined);
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }), plugins: [new CamelCasePlugin()] });
  const { error } = await new Migrator({ db, provider: { getMigrations: async () => migrations } }).migrateTo(target);
  await db.destroy();
  if (error) throw error;
}
