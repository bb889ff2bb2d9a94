/** `npm run migrate`: migrates the database of DATABASE_DIRECT_URL, else of DATABASE_URL. */
import { readDirectUrl } from '../../runtime/config/database.ts';
import { ConfigError, readEnvironment } from '../../runtime/config/environment.ts';
import { migrateToLatest } from './migrate.ts';

try {
  const env = readEnvironment(process.env);
  const url = readDirectUrl(env);
  env.assertValid();
  const done = await migrateToLatest(url);
  console.log(done.length === 0 ? 'the database is up to date' : `migrated: ${done.join(', ')}`);
} catch (error) {
  console.error(error instanceof ConfigError ? error.message : describe(error));
  process.exitCode = 1;
}

/** Prints host and port only: the full address contains a password. */
function describe(error: unknown): string {
  const { message, code } = error as { message?: string; code?: string };
  const url = process.env.DATABASE_DIRECT_URL || process.env.DATABASE_URL || '';
  const address = URL.canParse(url) ? `${new URL(url).hostname}:${new URL(url).port || 5432}` : 'DATABASE_URL';
  return `cannot migrate the database at ${address}: ${message || code || 'unknown reason'}`;
}
