/** Runs the migrations with the same program as operators (`npm run migrate`). */
import { spawn } from 'node:child_process';
import pg from 'pg';
import { listMigrations } from '../../store/db/migration-names.ts';
import { StartError } from './start-error.ts';

/**
 * Whether the database has exactly the migrations of this release, so that most starts need no
 * process. Returns false in doubt; the program then reports the problem.
 */
export async function isMigrated(databaseUrl: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: 5_000 });
  // Without a listener the error would end the process. The running query fails too.
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ name: string }>('select name from kysely_migration order by name');
    return rows.map(({ name }) => name).join() === (await listMigrations()).join();
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
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
