/** One command at a time changes the stored credentials, even after killed commands. */
import assert from 'node:assert/strict';
import { lutimes, mkdtemp, readdir, readFile, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { withLock } from '../../../cli/credentials/lock.ts';

let configFolder: string;
let path: string;
before(async () => {
  configFolder = await mkdtemp(join(tmpdir(), 'courant-lock-'));
  path = join(configFolder, 'credentials.lock');
});
after(() => rm(configFolder, { recursive: true }));

const lock = <T>(change: () => Promise<T>, signal = new AbortController().signal) =>
  withLock({ configFolder, ownsConfigFolder: false }, signal, change);
const age = (seconds: number) => utimes(path, new Date(), new Date(Date.now() - seconds * 1_000));

test('changes run in sequence, and leave no files', async () => {
  let running = 0;
  const runningCounts: number[] = [];
  const change = async () => {
    running += 1;
    runningCounts.push(running);
    await new Promise((resolve) => setTimeout(resolve, 5));
    running -= 1;
  };
  await Promise.all(Array.from({ length: 5 }, () => lock(change)));
  assert.deepEqual(runningCounts, [1, 1, 1, 1, 1]);
  assert.deepEqual(await readdir(configFolder), []);
});

test('a lock that is released while another command inspects it can be acquired', async () => {
  await Promise.all(Array.from({ length: 200 }, () => lock(async () => null)));
  assert.deepEqual(await readdir(configFolder), []);
});

test('a dangling link as the lock is removed like a stale lock', async () => {
  await symlink(join(configFolder, 'absent'), path);
  await lutimes(path, 0, 0);
  assert.equal(await lock(async () => 'changed', AbortSignal.timeout(5_000)), 'changed');
});

test('the lock of a killed command is removed once it is stale', async () => {
  await writeFile(path, '');
  const waiting = lock(async () => 'changed', AbortSignal.timeout(200));
  await assert.rejects(waiting, { name: 'TimeoutError' });
  await age(20);
  assert.equal(await lock(async () => 'changed'), 'changed');
});

test('a command that holds the lock for long refreshes it', async () => {
  await lock(async () => {
    await age(10);
    const before = (await stat(path)).mtimeMs;
    while ((await stat(path)).mtimeMs === before) await new Promise((resolve) => setTimeout(resolve, 50));
  });
});

test('a command removes only its own lock', async () => {
  await lock(async () => {
    await rm(path);
    await writeFile(path, 'of another');
  });
  assert.equal(await readFile(path, 'utf8'), 'of another');
});
