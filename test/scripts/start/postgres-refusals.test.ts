/** What `npm start` reports if the embedded PostgreSQL cannot be prepared. */
import assert from 'node:assert/strict';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { findPostgresAccount, findPrefix } from '../../../scripts/start/postgres/account.ts';
import { prepareCluster } from '../../../scripts/start/postgres/cluster.ts';

const skip = process.getuid?.() === 0 ? false : 'only root runs PostgreSQL as another user';

/** A home with a data folder that has a version but no settings and no data. */
function makeIncompleteHome(t: TestContext, version: string): string {
  const home = mkdtempSync(join(tmpdir(), 'courant-incomplete-'));
  t.after(() => rmSync(home, { recursive: true, force: true }));
  mkdirSync(join(home, 'postgres'));
  writeFileSync(join(home, 'postgres', 'PG_VERSION'), `${version}\n`);
  return home;
}

/** Programs are not found until the test ends. */
function hidePrograms(t: TestContext): void {
  const { PATH } = process.env;
  process.env.PATH = join(tmpdir(), 'courant-no-programs');
  t.after(() => {
    process.env.PATH = PATH;
  });
}

test('the data of another PostgreSQL version are not used', async (t) => {
  const home = makeIncompleteHome(t, '17');
  await assert.rejects(
    prepareCluster(home, () => undefined),
    {
      name: 'StartError',
      message: `${join(home, 'postgres')} was created by PostgreSQL 17; the embedded version is 18. Dump it with the old version, or move the folder away to start with an empty database.`,
    },
  );
});

test('a program that ends without reading its input is reported with its exit code', {
  skip: process.platform === 'linux' ? false : 'reads the states of processes from /proc',
}, async (t) => {
  const home = makeIncompleteHome(t, '18');
  const ended = 'tracing:child_process.spawn:end';
  subscribe(ended, waitForChildren);
  t.after(() => unsubscribe(ended, waitForChildren));
  await assert.rejects(
    prepareCluster(home, () => undefined),
    { name: 'StartError', message: /postgres failed \(exit code [1-9]\d*\):\n.*postgresql\.conf/ },
  );
  assert.equal(existsSync(join(home, 'postgres-password')), false, 'the password was not set');
});

/** Blocks until every child process has ended, so that what is written to it then fails. */
function waitForChildren(): void {
  const isRunning = (pid: string) => !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  const pids = readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8').trim().split(' ');
  const pause = new Int32Array(new SharedArrayBuffer(4));
  while (pids.some((pid) => pid !== '' && isRunning(pid))) Atomics.wait(pause, 0, 0, 5);
}

test('root starts no PostgreSQL if its user is missing and cannot be created', { skip }, async (t) => {
  hidePrograms(t);
  await assert.rejects(findPostgresAccount(), {
    name: 'StartError',
    message:
      'PostgreSQL does not run as root, and the user "postgres" to run it as could not be created (adduser is not installed). ' +
      'Create that user, start as an ordinary user, or set DATABASE_URL to a PostgreSQL of your own.',
  });
});

test('root starts no PostgreSQL if its user can neither enter its folders nor be given access', { skip }, async (t) => {
  hidePrograms(t);
  await assert.rejects(findPrefix(['/closed/home', '/closed/programs'], { uid: 65_534, gid: 65_534 }), {
    name: 'StartError',
    message:
      'When started as root, PostgreSQL runs as the user "postgres", who has no access to /closed/home and /closed/programs. ' +
      'Allow it to enter each folder above (chmod o+x), move the checkout or COURANT_HOME elsewhere, ' +
      'start as an ordinary user, or set DATABASE_URL to a PostgreSQL of your own.',
  });
});
