/** One command at a time changes the stored credentials, whatever became of the others. */
import assert from 'node:assert/strict';
import { lutimes, mkdtemp, readdir, readFile, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { withLock } from '../../cli/credentials/lock.ts';

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

test('changes come one after the other, and nothing is left behind', async () => {
  let running = 0;
  const most: number[] = [];
  const change = async () => {
    running += 1;
    most.push(running);
    await new Promise((resolve) => setTimeout(resolve, 5));
    running -= 1;
  };
  await Promise.all(Array.from({ length: 5 }, () => lock(change)));
  assert.deepEqual(most, [1, 1, 1, 1, 1]);
  assert.deepEqual(await readdir(configFolder), []);
});

test('a lock that is released at the very moment another command finds it is taken next', async () => {
  await Promise.all(Array.from({ length: 200 }, () => lock(async () => null)));
  assert.deepEqual(await readdir(configFolder), []);
});

test('a link to nothing in the place of the lock is removed like what a killed command left behind', async () => {
  await symlink(join(configFolder, 'absent'), path);
  await lutimes(path, 0, 0);
  assert.equal(await lock(async () => 'changed', AbortSignal.timeout(5_000)), 'changed');
});

test('what a killed command left behind is taken away once it has shown no sign of life for a while', async () => {
  await writeFile(path, '');
  const waiting = lock(async () => 'changed', AbortSignal.timeout(200));
  await assert.rejects(waiting, { name: 'TimeoutError' });
  await age(20);
  assert.equal(await lock(async () => 'changed'), 'changed');
});

test('a command that waits for its server for long shows that it lives', async () => {
  await lock(async () => {
    await age(10);
    const before = (await stat(path)).mtimeMs;
    while ((await stat(path)).mtimeMs === before) await new Promise((resolve) => setTimeout(resolve, 50));
  });
});

test('a command that comes late removes no lock but its own', async () => {
  await lock(async () => {
    await rm(path);
    await writeFile(path, 'of another');
  });
  assert.equal(await readFile(path, 'utf8'), 'of another');
});
