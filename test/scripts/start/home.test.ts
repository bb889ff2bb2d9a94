/** COURANT_HOME: the lock of one supervisor, and the record that identifies its orphans. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { lockHome } from '../../../scripts/start/home.ts';
import { identify, isAlive } from '../../../scripts/start/processes/identity.ts';
import { stopProcess } from '../../../scripts/start/processes/launch.ts';

describe('COURANT_HOME', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'courant-home-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('can be entered by others, but only its owner can read the logs', () => {
    lockHome(folder).release();
    assert.equal(statSync(folder).mode & 0o777, 0o711);
    assert.equal(statSync(join(folder, 'logs')).mode & 0o777, 0o700);
  });

  it('is locked by one running process at a time', () => {
    const held = lockHome(folder);
    assert.equal(statSync(join(folder, 'supervisor.json')).mode & 0o777, 0o600);
    assert.throws(() => lockHome(folder), /already runs with .* \(pid \d+\)/);
    held.release();
    lockHome(folder).release();
  });

  it('is unlocked when its holder has died, even if another process has its pid', () => {
    writeFileSync(join(folder, 'supervisor.json'), JSON.stringify({ pid: process.pid, started: 'another time' }));
    lockHome(folder).release();
    assert.deepEqual(readdirSync(folder), ['logs']);
  });

  it('is unlocked if a crash truncated its lock file', () => {
    writeFileSync(join(folder, 'supervisor.json'), '{"pid":');
    lockHome(folder).release();
  });

  it('lists as orphans only recorded processes that are still running', async () => {
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { detached: true, stdio: 'ignore' });
    await once(child, 'spawn');
    const identity = identify(child.pid ?? 0);
    assert.ok(identity);
    writeFileSync(
      join(folder, 'processes.json'),
      JSON.stringify({
        api: identity,
        worker: { pid: process.pid, started: 'another time' },
        sandbox: { pid: 2 ** 22 + 1, started: '1' },
        temporal: 'nonsense',
      }),
    );
    const home = lockHome(folder);
    assert.deepEqual([...home.orphans], [['api', identity]]);
    await stopProcess(identity, { signal: 'SIGTERM', patienceMs: 2_000 });
    assert.equal(isAlive(identity), false);
    home.release();
  });

  it('kills a process that does not end on request', async () => {
    const stubborn = `process.on('SIGTERM', () => {}); process.stdout.write('up'); setInterval(() => {}, 1000)`;
    const child = spawn(process.execPath, ['-e', stubborn], { detached: true, stdio: ['ignore', 'pipe', 'ignore'] });
    await once(child.stdout, 'data');
    const identity = identify(child.pid ?? 0);
    assert.ok(identity);
    await stopProcess(identity, { signal: 'SIGTERM', patienceMs: 200 });
    assert.equal(isAlive(identity), false);
  });
});
