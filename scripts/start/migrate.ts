/** Migrates the database with the same program as operators (`npm run migrate`). */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import {
  describeEarlierSchema,
  isEarlierSchema,
  listMigrations,
  readMigrations,
} from '../../store/db/migration-names.ts';
import { StartError } from './start-error.ts';

/**
 * Most starts need no process, because the database has exactly the migrations of this release.
 * Throws a `StartError` with the output of the process, or that names `place` for the schema of an
 * earlier version.
 */
export async function migrate(
  databaseUrl: string,
  options: { place: string; env: NodeJS.ProcessEnv; root: string; aborted: AbortSignal },
): Promise<void> {
  const done = await readMigrations(databaseUrl).catch(() => []);
  if (isEarlierSchema(done)) {
    const advice = 'Set COURANT_HOME or DATABASE_URL to another one, or move it away, to start with an empty database.';
    throw new StartError(`${describeEarlierSchema(options.place)} ${advice}`);
  }
  if (done.join() === (await listMigrations()).join()) return;
  const { env, root: cwd, aborted: signal } = options;
  try {
    await promisify(execFile)(process.execPath, ['store/db/migrate-main.ts'], { cwd, env, signal });
  } catch (error) {
    const { stderr, message } = error as { stderr?: string; message: string };
    throw new StartError(`The database could not be migrated:\n${(stderr || message).trim()}`);
  }
}
