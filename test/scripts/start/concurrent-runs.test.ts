/** Two runs of `npm test` by one user on one machine at the same time. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import pg from 'pg';
import { startTestServices, sweepAbandonedHomes } from '../../../scripts/check/services.ts';

const { TMPDIR: former } = process.env;

describe('two runs of npm test at once', () => {
  let folder: string;
  const children: ChildProcess[] = [];
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'courant-runs-'));
    // PostgreSQL may run as another user.
    chmodSync(folder, 0o755);
    process.env.TMPDIR = folder;
  });
  after(() => {
    for (const child of children) child.kill('SIGKILL');
    if (former === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = former;
    rmSync(folder, { recursive: true, force: true });
  });

  /** Starts another run, which waits after this code until it is ended. */
  async function startRun(code: string): Promise<ChildProcess> {
    const child = spawn(
      process.execPath,
      ['--input-type=module', '-e', `${code}; process.stdout.write('up'); setInterval(() => {}, 1000)`],
      {
        cwd: new URL('../../..', import.meta.url),
        env: { ...process.env, TMPDIR: folder },
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    );
    children.push(child);
    await once(child.stdout ?? child, 'data');
    return child;
  }

  const listHomes = () => readdirSync(folder).filter((name) => name.startsWith('courant-servers-'));

  async function end(child: ChildProcess): Promise<void> {
    child.kill('SIGKILL');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  }

  it('the folders of tests and the shared workflow bundle remain while another run starts', async () => {
    const shared = join(folder, 'courant-test-bundles');
    const home = mkdtempSync(join(folder, 'courant-test-'));
    mkdirSync(shared);
    for (const name of [shared, home]) writeFileSync(join(name, 'in-use'), '');
    await sweepAbandonedHomes();
    assert.ok(existsSync(join(shared, 'in-use')), 'the bundles are gone');
    assert.ok(existsSync(join(home, 'in-use')), 'the home of a test is gone');
  });

  it('a folder that another run has just created remains', async () => {
    const created = mkdtempSync(join(folder, 'courant-servers-'));
    await sweepAbandonedHomes();
    assert.ok(existsSync(created));
    rmSync(created, { recursive: true });
  });

  it('the folder of a run remains while it lives, and is removed by one of several others after it was killed', async () => {
    const lock = `
      import { mkdtempSync } from 'node:fs';
      import { lockHome } from './scripts/start/home.ts';
      lockHome(mkdtempSync('${folder}/courant-servers-'))`;
    const runs = await Promise.all([startRun(lock), startRun(lock), startRun(lock)]);
    await sweepAbandonedHomes();
    assert.equal(listHomes().length, 3);
    await Promise.all(runs.map(end));
    const sweep = "import { sweepAbandonedHomes } from './scripts/check/services.ts'; await sweepAbandonedHomes()";
    const sweepers = await Promise.all([startRun(sweep), startRun(sweep), startRun(sweep)]);
    assert.deepEqual(listHomes(), []);
    await Promise.all(sweepers.map(end));
  });

  it('both runs have separate servers, and the end of one does not affect the other', async () => {
    const [one, two] = await Promise.all([startTestServices(() => undefined), startTestServices(() => undefined)]);
    try {
      assert.notEqual(one.databaseUrl, two.databaseUrl);
      assert.notEqual(one.temporalAddress, two.temporalAddress);
      await one.stop();
      const client = new pg.Client({ connectionString: two.databaseUrl });
      await client.connect();
      await client.end();
    } finally {
      await Promise.all([one.stop(), two.stop()]);
    }
    assert.deepEqual(listHomes(), []);
  });
});
