/** Lists the migrations of this release. Imports no driver. */
import { readdir } from 'node:fs/promises';

export const MIGRATIONS = new URL('./migrations/', import.meta.url);

/** Names such as `0001-first`, in execution order. */
export async function listMigrations(): Promise<string[]> {
  const files = await readdir(MIGRATIONS);
  return files
    .filter((name) => name.endsWith('.ts'))
    .map((name) => name.slice(0, -3))
    .sort();
}
