/**
 * `npm run backup -- <folder>`: a dump of the database and, where pictures are files, a copy of them, in a folder of its own that has its name only
 * once it is whole. Needs `pg_dump` of the server's version or later, on PATH or in POSTGRES_PROGRAMS. Keys are not in it: see docs/restoring.md.
 */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ConfigError, readEnvironment } from '../config/environment.ts';
import { readSharedConfig } from '../config/shared.ts';
import { withDemo } from './start/demo/with-demo.ts';
import { shorten } from './start/temporal/obtain.ts';

const run = promisify(execFile);

const [folder, ...more] = process.argv.slice(2);
if (folder === undefined || more.length > 0) {
  console.error('Usage: npm run backup -- <folder>');
  process.exit(2);
}
try {
  console.log(await backUp(folder));
} catch (error) {
  console.error(error instanceof ConfigError ? error.message : `There is no backup: ${shorten(error)}`);
  process.exitCode = 1;
}

async function backUp(target: string): Promise<string> {
  const env = readEnvironment(withDemo(process.env));
  const { databaseDirectUrl, home, imagesS3 } = readSharedConfig(env);
  env.finish();
  const whole = join(target, new Date().toISOString().replaceAll(':', '-'));
  const begun = `${whole}.begun`;
  await mkdir(begun, { recursive: true, mode: 0o700 });
  const dump = join(begun, 'database.dump');
  await runProgram('pg_dump', ['--format=custom', '--no-owner', '--no-acl', '--file', dump], databaseDirectUrl);
  // After the database: every picture that it knows of is there, but for those that were deleted meanwhile.
  const images = join(home, 'images');
  if (imagesS3 === null && existsSync(images)) {
    await cp(images, join(begun, 'images'), { recursive: true, preserveTimestamps: true });
  }
  // Reads what was written: a dump that cannot be listed is none.
  await runProgram('pg_restore', ['--list', dump], databaseDirectUrl);
  await rename(begun, whole);
  const { size } = await stat(join(whole, 'database.dump'));
  const pictures = imagesS3 ? 'pictures are in the bucket, and not in it' : 'with the pictures';
  return `${whole}: the database (${Math.ceil(size / 1024)} KiB), ${pictures}. The keys are not in it: keep them elsewhere.`;
}

/** The address goes by the environment: every user of this machine may read the arguments of a program. */
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
