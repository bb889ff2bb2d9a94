/**
 * COURANT_HOME under one supervisor at a time, and the record that tells its orphans from other people's processes.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { holdHome } from '../../scripts/start/home.ts';
import { identify, isAlive } from '../../scripts/start/processes/identity.ts';
import { endProcess } from '../../scripts/start/processes/launch.ts';

describe('COURANT_HOME', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'courant-home-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('lets others pass through and shows its logs to nobody', () => {
    holdHome(folder).release();
    assert.equal(statSync(folder).mode & 0o777, 0o711);
    assert.equal(statSync(join(folder, 'logs')).mode & 0o777, 0o700);
  });

  it('is held by one living process at a time', () => {
    const held = holdHome(folder);
    assert.throws(() => holdHome(folder), /already runs over .* \(pid \d+\)/);
    held.release();
    holdHome(folder).release();
  });

  it('is free again when its holder died, also where the pid belongs to somebody else by now', () => {
    writeFileSync(join(folder, 'supervisor.json'), JSON.stringify({ pid: process.pid, started: 'another time' }));
    holdHome(folder).release();
    assert.deepEqual(readdirSync(folder), ['logs']);
  });

  it('is free again when its lock was cut off by a crash', () => {
    writeFileSync(join(folder, 'supervisor.json'), '{"pid":');
    holdHome(folder).release();
  });

  it('names as orphans only those recorded processes that still live', async () => {
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
    const home = holdHome(folder);
    assert.deepEqual([...home.orphans], [['api', identity]]);
    await endProcess(identity, { signal: 'SIGTERM', patienceMs: 2_000 });
    assert.equal(isAlive(identity), false);
    home.release();
  });

  it('kills a process that does not end when asked', async () => {
    const stubborn = `process.on('SIGTERM', () => {}); process.stdout.write('up'); setInterval(() => {}, 1000)`;
    const child = spawn(process.execPath, ['-e', stubborn], { detached: true, stdio: ['ignore', 'pipe', 'ignore'] });
    await once(child.stdout, 'data');
    const identity = identify(child.pid ?? 0);
    assert.ok(identity);
    await endProcess(identity, { signal: 'SIGTERM', patienceMs: 200 });
    assert.equal(isAlive(identity), false);
  });
});
