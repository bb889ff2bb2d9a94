/**
 * `npm start` from end to end: a first start, the end of a part, a crash, a recovery and a stop.
 */
import assert from 'node:assert/strict';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { identify, isAlive, type ProcessIdentity } from '../../../scripts/start/processes/identity.ts';
import { type Database, openDatabase } from '../../../store/db/database.ts';
import { type CourantProcess, eventually, makeSurroundings, readDemoFile, startCourant } from './courant-process.ts';

/** At the sandbox after a first start. */
const POSTS = 11;
const PARTS = ['api', 'worker', 'temporal', 'postgres', 'sandbox'] as const;

describe('npm start', () => {
  let surroundings: Awaited<ReturnType<typeof makeSurroundings>>;
  let courant: CourantProcess;
  /** All processes, to check at the end that none is left. */
  const seen: ProcessIdentity[] = [];

  before(async () => {
    surroundings = await makeSurroundings();
    courant = startCourant(surroundings.env);
  });

  after(async () => {
    if (courant.child.exitCode === null && courant.child.signalCode === null) courant.child.kill('SIGTERM');
    await courant.ended;
    surroundings.remove();
  });

  const remember = () => {
    const { pids } = readDemoFile(surroundings.home);
    for (const name of PARTS) {
      const identity = identify(pids[name] ?? 0);
      assert.ok(identity, `${name} runs under the pid that demo.json names`);
      seen.push(identity);
    }
  };

  it('starts all parts on an empty home, publishes the example and shows both deliveries', async () => {
    await courant.waitForLine(/blogsite_a delivered: http/, 240_000);
    await courant.waitForLine(/blogsite_b delivered: http/, 120_000);
    assert.match(courant.output(), /first-post\.md published \(created\): http/);
    await courant.waitForLine(/Ctrl-C stops everything/, 60_000);
    for (const expected of [
      /Desk +http\S+\/desk/,
      /Temporal UI +http/,
      /Failed +http\S+\/namespaces\/default\/workflows\?query=\S+CourantOutcome%20%3D%20%22failed%22/,
      /Of \S+ +http\S+CourantAuthor/,
      /Demo login +demo@/,
      /courant publish examples/,
    ]) {
      assert.match(courant.output(), expected);
    }
  });

  it('writes demo.json, readable only by its owner, with working addresses, login and token', async () => {
    const demo = readDemoFile(surroundings.home);
    assert.equal(statSync(join(surroundings.home, 'demo.json')).mode & 0o777, 0o600);
    assert.equal(demo.baseUrl, `http://localhost:${surroundings.env.PORT}`);
    assert.match(demo.token, /^courant_[0-9a-f]{48}$/);
    remember();

    for (const person of [demo, demo.second, demo.third])
      assert.ok((await signIn(demo.graphqlUrl, person)).length > 20);

    const platforms = demo.sandboxAccounts.map(({ platform }) => platform);
    for (const platform of ['forem', 'hashnode', 'medium', 'wordpress', 'ghost', 'linkedin']) {
      assert.ok(platforms.filter((one) => one === platform).length >= 2, `${platform} has a second account`);
    }

    const log = (await (await fetch(`${demo.sandboxUrl}/log`)).json()) as { platform: string; action: string }[];
    const creates = Map.groupBy(log, ({ platform, action }) => `${platform} ${action}`);
    assert.deepEqual([...creates].map(([name, { length }]) => `${name}: ${length}`).sort(), [
      'blogsite_a create: 4',
      'blogsite_b create: 4',
      'blogsite_c create: 2',
      'social_feed create: 1',
    ]);
  });

  it('has a second person whose comment appears in the first one’s notifications', async () => {
    const demo = readDemoFile(surroundings.home);
    assert.notEqual(demo.second.username, demo.username);
    const [author, reader] = [await signIn(demo.graphqlUrl, demo), await signIn(demo.graphqlUrl, demo.second)];
    await postGraphql(
      demo.graphqlUrl,
      reader,
      'mutation { addComment(slug: "one-file-every-place-you-write", body: "Welcome!") { id } }',
    );
    const listed = await postGraphql(
      demo.graphqlUrl,
      author,
      '{ notifications { edges { node { type actorName } } } }',
    );
    assert.match(JSON.stringify(listed), /"NEW_COMMENT","actorName":"Second Person"/);
  });

  it('has articles of three authors, a draft, a schedule, a series, a roundup, comments and views', async () => {
    const demo = readDemoFile(surroundings.home);
    const feed = (await (await fetch(`${demo.baseUrl}/feed.json`)).json()) as {
      items: { authors: { name: string }[]; image?: string }[];
    };
    assert.equal(feed.items.length, 12);
    const covers = new Set(feed.items.flatMap(({ image }) => image ?? []));
    assert.equal(covers.size, 11, 'all have a cover of their own but one');
    for (const cover of covers) {
      const answer = await fetch(cover, { method: 'HEAD' });
      assert.deepEqual([answer.status, answer.headers.get('content-type')], [200, 'image/png'], cover);
    }
    assert.equal(new Set(feed.items.map(({ authors }) => authors[0]?.name)).size, 3);
    await usingDatabase(demo.databaseUrl, async (db) => {
      const count = async (
        table: 'comments' | 'reactions' | 'newsletterSubscribers' | 'roundupEntries' | 'articleDays',
      ) =>
        Number(
          (
            await db
              .selectFrom(table)
              .select(({ fn }) => fn.countAll().as('count'))
              .executeTakeFirstOrThrow()
          ).count,
        );
      assert.ok((await count('comments')) >= 11);
      assert.ok((await count('reactions')) > 10);
      assert.equal(await count('newsletterSubscribers'), 9);
      assert.ok((await count('roundupEntries')) > 0);
      assert.ok((await count('articleDays')) > 100);
      const parts = await db.selectFrom('articles').select('id').where('partOf', 'is not', null).execute();
      assert.equal(parts.length, 3);
      const states = await db.selectFrom('articles').select('status').where('status', '<>', 'PUBLISHED').execute();
      assert.deepEqual(states.map(({ status }) => status).sort(), ['DRAFT', 'SCHEDULED']);
    });
  });

  it('has a third author with a broken destination and its reason', async () => {
    const demo = readDemoFile(surroundings.home);
    const third = await signIn(demo.graphqlUrl, demo.third);
    const listed = await postGraphql(
      demo.graphqlUrl,
      third,
      '{ notifications(first: 50) { edges { node { type reason } } } }',
    );
    assert.match(JSON.stringify(listed), /"CROSS_POST_FAILED","reason":"Hashnode opens its API only/);
  });

  it('rejects a second start with the same home while the first is running', async () => {
    const second = startCourant(surroundings.env);
    assert.equal(await second.ended, 1);
    assert.match(second.output(), /Courant already runs with .* \(pid \d+\)/);
  });

  it('restarts a part that died, and writes its new pid into demo.json', async () => {
    const old = readDemoFile(surroundings.home).pids.sandbox ?? 0;
    process.kill(old, 'SIGKILL');
    await courant.waitForLine(/sandbox ended \(SIGKILL\); restarting/, 60_000);
    await eventually('a new pid in demo.json', 60_000, () => readDemoFile(surroundings.home).pids.sandbox !== old);
    remember();
  });

  it('recovers after its supervisor was killed: ends the orphans, keeps the state, and becomes ready', async () => {
    const before = readDemoFile(surroundings.home);
    courant.child.kill('SIGKILL');
    assert.equal(await courant.ended, 'SIGKILL');
    assert.ok(seen.some(isAlive), 'the parts have outlived their supervisor');

    courant = startCourant(surroundings.env);
    await courant.waitForLine(/ending .*postgres/, 60_000);
    const ready = await courant.waitForLine(/Ready after/, 240_000);
    // Measured from the start of the script, including the end of the orphans. The limit allows for
    // a busy machine.
    assert.ok(Number(/Ready after ([\d.]+) s/.exec(ready)?.[1]) < 60, ready);
    await courant.waitForLine(/Ctrl-C stops everything/, 120_000);
    assert.match(courant.output(), /first-post\.md was published by an earlier start: http/);
    assert.match(courant.output(), /blogsite_a delivered: http/);

    const now = readDemoFile(surroundings.home);
    assert.equal(now.token, before.token);
    assert.equal(now.password, before.password);
    const log = (await (await fetch(`${now.sandboxUrl}/log`)).json()) as unknown[];
    assert.equal(log.length, POSTS, 'what the destinations carry already was not sent again');
    assert.doesNotMatch(courant.output(), /more articles/, 'the demo is filled once');
    remember();
  });

  it('ends on SIGINT within ten seconds with exit code 0 and leaves no process behind', async () => {
    const began = Date.now();
    courant.child.kill('SIGINT');
    assert.equal(await courant.ended, 0);
    assert.ok(Date.now() - began < 10_000, `${Date.now() - began} ms`);
    assert.doesNotMatch(courant.output(), /was killed/);
    assert.deepEqual(seen.filter(isAlive), []);
    assert.equal(existsSync(join(surroundings.home, 'supervisor.json')), false);
    assert.equal(existsSync(join(surroundings.home, 'demo.json')), true);
  });
});

async function usingDatabase(url: string, use: (db: Database) => Promise<void>): Promise<void> {
  const db = openDatabase(url, { maxConnections: 1, onError: () => undefined });
  await use(db).finally(() => db.destroy());
}

async function signIn(graphqlUrl: string, { email, password }: { email: string; password: string }): Promise<string> {
  const query = `mutation { login(email: ${JSON.stringify(email)}, password: ${JSON.stringify(password)}) { accessToken } }`;
  return (await postGraphql<{ login: { accessToken: string } }>(graphqlUrl, null, query)).login.accessToken;
}

async function postGraphql<Data>(graphqlUrl: string, session: string | null, query: string): Promise<Data> {
  const headers = { 'content-type': 'application/json', ...(session ? { authorization: `Bearer ${session}` } : {}) };
  const answer = await fetch(graphqlUrl, { method: 'POST', headers, body: JSON.stringify({ query }) });
  const { data, errors } = (await answer.json()) as { data: Data; errors?: unknown };
  assert.equal(errors, undefined, JSON.stringify(errors));
  return data;
}
