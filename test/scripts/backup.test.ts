/** `npm run backup` with programs that record their arguments and environment. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';

const DATABASE_URL = 'postgres://a%40b:p%2Fw@db.example/my%20base?sslmode=require';

/** Writes 1,500 bytes to the file of `--file`. */
const DUMP = 'for last; do :; done; head -c 1500 /dev/zero > "$last"';
const RECORD = `{ echo "$(basename "$0") $*"; echo "$PGHOST|$PGPORT|$PGUSER|$PGPASSWORD|$PGDATABASE|$PGSSLMODE"; } >> "$CALLS"`;

function prepare(t: TestContext, programs: { pg_dump?: string; pg_restore?: string } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'courant-backup-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const [home, target, bin] = ['home', 'target', 'bin'].map((name) => join(folder, name)) as [string, string, string];
  for (const path of [home, bin]) mkdirSync(path);
  for (const name of ['pg_dump', 'pg_restore'] as const) {
    const script = programs[name] ?? (name === 'pg_dump' ? DUMP : 'exit 0');
    writeFileSync(join(bin, name), `#!/bin/sh\n${RECORD}\n${script}\n`);
    chmodSync(join(bin, name), 0o755);
  }
  const calls = join(folder, 'calls');
  const run = (args: string[], changes: NodeJS.ProcessEnv = {}) => {
    const { PATH } = process.env;
    const env = { PATH, CALLS: calls, DATABASE_URL, COURANT_HOME: home, POSTGRES_PROGRAMS: bin, ...changes };
    const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/backup.ts', ...args], {
      env,
      encoding: 'utf8',
    });
    return { status, stdout: stdout.replaceAll(target, '<target>'), stderr: stderr.replaceAll(target, '<target>') };
  };
  const readCalls = () =>
    readFileSync(calls, 'utf8')
      .trim()
      .split('\n')
      .map((line) => line.replaceAll(target, '<target>'));
  return { home, target, bin, run, readCalls };
}

test('the database and the pictures are copied into a new folder, which only its owner may read', (t) => {
  const { home, target, run, readCalls } = prepare(t);
  mkdirSync(join(home, 'images', 'a'), { recursive: true });
  writeFileSync(join(home, 'images', 'a', 'picture.png'), 'picture');
  const { status, stdout, stderr } = run([target]);
  assert.deepEqual([status, stderr], [0, '']);
  const [name = '', ...others] = readdirSync(target);
  assert.match(name, /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d{3}Z$/);
  assert.deepEqual(others, []);
  assert.equal(
    stdout,
    `<target>/${name}: the database (2 KiB), with pictures. It does not contain the keys: store them separately.\n`,
  );
  assert.equal(statSync(join(target, name)).mode & 0o777, 0o700);
  assert.equal(readFileSync(join(target, name, 'images', 'a', 'picture.png'), 'utf8'), 'picture');
  const dump = `<target>/${name}.begun/database.dump`;
  const access = 'db.example|5432|a@b|p/w|my base|require';
  assert.deepEqual(readCalls(), [
    `pg_dump --format=custom --no-owner --no-acl --file ${dump}`,
    access,
    `pg_restore --list ${dump}`,
    access,
  ]);
});

test('pictures in a bucket are not copied, and programs are found on the PATH', (t) => {
  const { home, target, bin, run, readCalls } = prepare(t);
  mkdirSync(join(home, 'images'));
  const { status, stdout } = run([target], {
    ...{ POSTGRES_PROGRAMS: '', PATH: `${bin}:${process.env.PATH}`, DATABASE_URL: 'postgres://ann@db.example:5555/x' },
    IMAGES_S3_URL: 'https://s3.example/bucket',
    ...{ IMAGES_S3_REGION: 'x', IMAGES_S3_ACCESS_KEY_ID: 'x', IMAGES_S3_SECRET_ACCESS_KEY: 'x' },
  });
  assert.equal(status, 0);
  const [name = ''] = readdirSync(target);
  assert.match(stdout, /the database \(2 KiB\), without pictures, which are in the bucket\. It does not/);
  assert.deepEqual(readdirSync(join(target, name)), ['database.dump']);
  assert.equal(readCalls()[1], 'db.example|5555|ann||x|');
});

test('a dump that fails or cannot be listed is no backup', (t) => {
  for (const programs of [
    { pg_dump: 'echo "no access" >&2; exit 1' },
    { pg_restore: 'echo "no archive" >&2; exit 1' },
  ]) {
    const { target, run } = prepare(t, programs);
    const { status, stdout, stderr } = run([target]);
    assert.deepEqual([status, stdout], [1, '']);
    assert.match(stderr, /^The backup failed: no (access|archive)\n$/);
    assert.match(readdirSync(target).join(), /^[^,]+Z\.begun$/);
  }
});

test('wrong usage and missing settings are named', (t) => {
  const { target, run } = prepare(t);
  for (const args of [[], [target, 'more']]) {
    assert.deepEqual(run(args), { status: 2, stdout: '', stderr: 'Usage: npm run backup -- <folder>\n' });
  }
  const { status, stderr } = run([target], { DATABASE_URL: '' });
  assert.equal(status, 1);
  assert.match(stderr, /^The configuration has a problem:\n {2}- DATABASE_URL is missing: expected .+\n$/);
});
