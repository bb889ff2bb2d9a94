/** Backs up and restores a test database: every row of every table, like a dump. */
import { sql } from 'kysely';
import type { Database } from '../../../store/db/database.ts';

export interface Backup {
  restore(): Promise<void>;
}

let backups = 0;

export async function createBackup(db: Database): Promise<Backup> {
  const schema = `backup_${++backups}`;
  const { rows } = await sql<{ name: string }>`select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE' and table_name not like 'kysely%'`.execute(db);
  const tables = rows.map(({ name }) => name);
  await db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (tx) => {
      await sql.raw(`create schema ${schema}`).execute(tx);
      for (const table of tables) await sql.raw(`create table ${schema}.${table} as table public.${table}`).execute(tx);
    });
  return {
    async restore() {
      const list = tables.map((table) => `public.${table}`).join(', ');
      const columns = await listColumns(db);
      await db.transaction().execute(async (tx) => {
        await sql.raw(`lock table ${list} in access exclusive mode`).execute(tx);
        // Disables triggers and foreign keys, because the backup is consistent.
        await sql.raw(`set local session_replication_role = replica`).execute(tx);
        await sql.raw(`truncate ${list}`).execute(tx);
        for (const table of tables) {
          const names = columns.get(table)?.join(', ') ?? '';
          await sql
            .raw(
              `insert into public.${table} (${names}) overriding system value select ${names} from ${schema}.${table}`,
            )
            .execute(tx);
        }
      });
    },
  };
}

/** Lists the columns of each table without generated ones. */
async function listColumns(db: Database): Promise<Map<string, string[]>> {
  const { rows } = await sql<{
    table: string;
    names: string[];
  }>`select table_name as table, array_agg('"' || column_name || '"') as names
    from information_schema.columns where table_schema = 'public' and is_generated = 'NEVER' group by table_name`.execute(
    db,
  );
  return new Map(rows.map(({ table, names }) => [table, names]));
}
