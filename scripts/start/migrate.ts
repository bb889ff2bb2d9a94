/** Runs the migrations with the same program as operators (`npm run migrate`). */
import { spawn } from 'node:child_process';
import {
  describeEarlierSchema,
  isEarlierSchema,
  listMigrations,
  readMigrations,
} from '../../store/db/migration-names.ts';
import { StartError } from './start-error.ts';

/**
 * Whether the database has exactly the migrations of this release, so that most starts need no
 * process. Returns false in doubt; the program then reports the problem. Throws a `StartError` that
 * names `place` for the schema of an earlier version.
 */
export async function isMigrated(databaseUrl: string, place: string): Promise<boolean> {
  const done = await readMigrations(databaseUrl).catch(() => []);
  if (isEarlierSchema(done)) {
    const advice = 'Set COURANT_HOME or DATABASE_URL to another one, or move it away, to start with an empty database.';
    throw new StartError(`${describeEarlierSchema(place)} ${advice}`);
  }
  return done.join() === (await listMigrations()).join();
}

/**
 * Migrates the database of `env` to the current schema. Throws a `StartError` with the output of
 * the process.
 */
export function runMigrations(env: NodeJS.ProcessEnv, root: string, aborted: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['store/db/migrate-main.ts'], {
      cwd: root,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
      // Its own process group, so that Ctrl-C does not end it before we decide.
      detached: true,
      signal: aborted,
    });
    let output = '';
    const collect = (text: string) => {
      output = (output + text).slice(-4_000);
    };
    child.stdout.setEncoding('utf8').on('data', collect);
    child.stderr.setEncoding('utf8').on('data', collect);
    child.once('error', reject);
    child.once('close', (code) => {
      if (code === 0) resolve();
      else reject(new StartError(`The database could not be migrated (exit code ${code}):\n${output.trim()}`));
    });
  });
}
