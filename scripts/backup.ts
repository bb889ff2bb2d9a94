/**
 * `npm run backup -- <folder>`: dumps the database and copies pictures that are files into a new
 * folder, which is renamed when complete. Keys are not included (docs/self-hosting/backup.md).
 * Needs `pg_dump` of the server's version or later, on PATH or in POSTGRES_PROGRAMS.
 */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ConfigError } from '../runtime/config/environment.ts';
import { readAdminConfig } from './admin/config.ts';
import { formatErrorLine } from './start/temporal/program.ts';

const run = promisify(execFile);

const [folder, ...more] = process.argv.slice(2);
if (folder === undefined || more.length > 0) {
  console.error('Usage: npm run backup -- <folder>');
  process.exit(2);
}
try {
  console.log(await backUp(folder));
} catch (error) {
  console.error(error instanceof ConfigError ? error.message : `The backup failed: ${formatErrorLine(error)}`);
  process.exitCode = 1;
}

async function backUp(target: string): Promise<string> {
  const { databaseDirectUrl, home, imagesS3 } = readAdminConfig();
  const complete = join(target, new Date().toISOString().replaceAll(':', '-'));
  const incomplete = `${complete}.begun`;
  await mkdir(incomplete, { recursive: true, mode: 0o700 });
  const dump = join(incomplete, 'database.dump');
  await runProgram('pg_dump', ['--format=custom', '--no-owner', '--no-acl', '--file', dump], databaseDirectUrl);
  // After the database, so that every picture in the dump is copied, except for those deleted
  // meanwhile.
  const images = join(home, 'images');
  if (imagesS3 === null && existsSync(images)) {
    await cp(images, join(incomplete, 'images'), { recursive: true, preserveTimestamps: true });
  }
  // Lists the dump to check it: an unreadable dump is no backup.
  await runProgram('pg_restore', ['--list', dump], databaseDirectUrl);
  await rename(incomplete, complete);
  const { size } = await stat(join(complete, 'database.dump'));
  const pictures = imagesS3 ? 'without pictures, which are in the bucket' : 'with pictures';
  return `${complete}: the database (${Math.ceil(size / 1024)} KiB), ${pictures}. It does not contain the keys: store them separately.`;
}

/**
 * Passes the address in the environment, because all users of the machine can read the arguments of
 * a process.
 */
async function runProgram(name: string, args: readonly string[], url: string): Promise<void> {
  const { hostname, port, username, password, pathname, searchParams } = new URL(url);
  const { POSTGRES_PROGRAMS } = process.env;
  const sslMode = searchParams.get('sslmode');
  await run(POSTGRES_PROGRAMS ? join(POSTGRES_PROGRAMS, name) : name, [...args], {
    env: {
      ...process.env,
      PGHOST: hostname,
      PGPORT: port || '5432',
      PGUSER: decodeURIComponent(username),
      PGPASSWORD: decodeURIComponent(password),
      PGDATABASE: decodeURIComponent(pathname.slice(1)),
      ...(sslMode && { PGSSLMODE: sslMode }),
    },
    maxBuffer: 64 << 20,
  });
}
