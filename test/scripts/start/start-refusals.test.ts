/** Rejected starts: each reports all problems at once and leaves no process or file behind. */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { createServer } from 'node:net';
import { after, before, describe, it } from 'node:test';
import pg from 'pg';
import { findFreePort } from '../../../scripts/start/ports.ts';
import { prepareCluster } from '../../../scripts/start/postgres/cluster.ts';
import { buildClusterUrl } from '../../../scripts/start/postgres/server.ts';
import { makeSurroundings, startCourant } from './courant-process.ts';

describe('npm start rejects', () => {
  let surroundings: Awaited<ReturnType<typeof makeSurroundings>>;
  before(async () => {
    surroundings = await makeSurroundings();
  });
  after(() => surroundings.remove());

  it('ports in use, naming each with its variable and the process that uses it', async () => {
    const holders = [createServer(), createServer()];
    for (const [index, name] of ['PORT', 'POSTGRES_PORT'].entries()) {
      await new Promise<void>((resolve) => {
        holders[index]?.listen(Number(surroundings.env[name]), '127.0.0.1', resolve);
      });
    }
    try {
      const courant = startCourant(surroundings.env);
      assert.equal(await courant.ended, 1);
      for (const name of ['PORT', 'POSTGRES_PORT']) {
        assert.match(courant.output(), new RegExp(`Port ${surroundings.env[name]} \\(${name}\\) is in use`));
      }
      if (process.platform === 'linux') assert.match(courant.output(), new RegExp(`in use by pid ${process.pid} `));
      assert.doesNotMatch(courant.output(), / {4}at /, 'no stack');
      assertNothingStarted();
    } finally {
      for (const holder of holders) holder.close();
    }
  });

  it('an unreachable DATABASE_URL, naming host and port but never the password', async () => {
    const port = await findFreePort();
    const env = { ...surroundings.env, DATABASE_URL: `postgres://courant:s3cret@127.0.0.1:${port}/courant` };
    const courant = startCourant(env);
    assert.equal(await courant.ended, 1);
    assert.match(courant.output(), new RegExp(`DATABASE_URL .*127\\.0\\.0\\.1:${port}.* cannot be reached`));
    assert.doesNotMatch(courant.output(), /s3cret/);
    assertNothingStarted();
  });

  it('a home of a version before 1.0.0, naming its folder, before it starts anything else; the home stays as it is', async () => {
    const { env, home, remove } = await makeSurroundings();
    try {
      const first = startCourant(env);
      // The last part that writes to the home: its bundle appears before it is ready.
      await first.waitForLine(/worker ready/, 120_000);
      const url = buildClusterUrl(await prepareCluster(home, () => undefined), {
        port: Number(env.POSTGRES_PORT),
        role: 'courant',
        database: 'courant',
      });
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      await client.query("update kysely_migration set name = '0001-first' where name = '0001-first-release'");
      await client.end();
      first.child.kill('SIGINT');
      await first.ended;
      const files = readdirSync(home).sort();

      const second = startCourant(env);
      assert.equal(await second.ended, 1);
      assert.ok(second.output().includes(`${home} contains the data of a version before 1.0.0`));
      assert.match(second.output(), /Set COURANT_HOME or DATABASE_URL to another one/);
      assert.doesNotMatch(second.output(), /(temporal|sandbox|api|worker) ready| {4}at /);
      assert.deepEqual(readdirSync(home).sort(), files);
    } finally {
      remove();
    }
  });

  it('malformed settings, all of them at once', async () => {
    const env = {
      ...surroundings.env,
      PORT: 'http',
      SANDBOX_PORT: '70000',
      BASE_URL: 'localhost',
      TEMPORAL_ADDRESS: 'here',
    };
    const courant = startCourant(env);
    assert.equal(await courant.ended, 1);
    for (const name of ['PORT', 'SANDBOX_PORT', 'BASE_URL', 'TEMPORAL_ADDRESS']) {
      assert.match(courant.output(), new RegExp(`^ +- ${name} is malformed: expected`, 'm'));
    }
  });

  it('the same port for two parts', async () => {
    const courant = startCourant({ ...surroundings.env, SANDBOX_PORT: surroundings.env.PORT });
    assert.equal(await courant.ended, 1);
    assert.match(courant.output(), /PORT and SANDBOX_PORT are both \d+/);
  });

  function assertNothingStarted(): void {
    const remaining = readdirSync(surroundings.home).filter((name) => !['logs', 'cache'].includes(name));
    assert.deepEqual(remaining, [], 'no lock, no record of processes, no data');
  }
});
