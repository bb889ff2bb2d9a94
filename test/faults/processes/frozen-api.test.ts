/**
 * An API that freezes in a transaction or loses PostgreSQL silently, while its client continues at
 * another instance.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Client } from 'pg';
import { type ApiProcess, prepareApi } from '../../api/support/api-process.ts';
import { startTcpProxy, type TcpProxy } from '../../api/support/tcp-proxy.ts';
import { markdown, type PublishAnswer, postArticle, type TestAuthor } from '../../support/api/api.ts';
import { type DeliveryWorld, startDeliveryWorld } from '../../support/delivery/delivery.ts';
import { createConnectedAuthor, waitForOutbox } from '../../support/delivery/publishing.ts';
import { readTemporalAddress } from '../../support/environment.ts';
import { eventually } from '../../support/eventually.ts';

let world: DeliveryWorld;
let proxy: TcpProxy;
let doomed: ApiProcess;
let other: ApiProcess;
let gate: Client;
before(async () => {
  world = await startDeliveryWorld();
  // Only the processes of this test are APIs. The database and worker of the world stay.
  await world.api.app.close();
  const like = world.api;
  const temporal = readTemporalAddress();
  proxy = await startTcpProxy({ port: Number(new URL(like.databaseUrl).port) });
  const throughProxy = new URL(like.databaseUrl);
  throughProxy.port = String(proxy.port);
  doomed = await prepareApi({ like, temporal, databaseUrl: throughProxy.href });
  other = await prepareApi({ like, temporal });
  await Promise.all([doomed.start(), other.start()]);
  gate = new Client({ connectionString: like.databaseUrl });
  await gate.connect();
});
after(async () => {
  await gate?.end();
  await Promise.all([doomed?.kill(), other?.kill()]);
  await proxy?.close();
  await world?.close();
});

interface Stop {
  what: string;
  stop(): void;
  goOn(): void;
}

const STOPS: Stop[] = [
  { what: 'an API is frozen', stop: () => doomed.freeze(), goOn: () => doomed.thaw() },
  {
    what: 'the connections of an API to PostgreSQL are half-open',
    stop: () => void proxy.freezeOpenConnections(),
    goOn: () => undefined,
  },
];

for (const [number, { what, stop, goOn }] of STOPS.entries()) {
  test(`${what} during a publish: its author's next publishes are stored by another instance, none is replaced later, and it recovers (F35)`, async () => {
    const author = await createConnectedAuthor(world, 'blogsite_a');
    const title = `The last version ${number}`;
    // A publish that holds the row of its author, as from its first statement, and has not
    // committed.
    await gate.query('begin');
    await gate.query('select 1 from users where id = $1 for no key update', [author.id]);
    const abandoned = publish(doomed, author, 'The first version', 'first').catch((error: Error) => error);
    await eventually('the publish to wait for the row', isWaiting, { withinMs: 120_000 });
    stop();
    await gate.query('rollback');

    const first = await insist(other, author, 'The first version', 'first');
    assert.equal(first.status, 201);
    const second = await insist(other, author, title, 'second');
    assert.deepEqual([second.status, second.body.data?.id], [200, first.body.data?.id]);
    goOn();
    await abandoned;
    // The frozen instance serves again without a restart.
    const again = await insist(doomed, author, `${title} again`, 'third');
    assert.equal(again.status, 200);
    await waitForOutbox(world);
    const stored = world.api.db.selectFrom('articles').select('title').where('authorId', '=', author.id);
    assert.deepEqual(await stored.execute(), [{ title: `${title} again` }]);
  });
}

function publish(api: ApiProcess, author: TestAuthor, title: string, key: string): Promise<PublishAnswer> {
  const body = { content: markdown({ id: 'the-article', title }) };
  return postArticle(api.url, author.token, body, { 'idempotency-key': `${key}-${author.username}` });
}

/** Repeats a request like a client until it is accepted. */
function insist(api: ApiProcess, author: TestAuthor, title: string, key: string): Promise<PublishAnswer> {
  return eventually(
    `an answer to ${title}`,
    async () => {
      const answer = await publish(api, author, title, key);
      return answer.status === 409 || answer.status === 503 ? null : answer;
    },
    { withinMs: 120_000, everyMs: 500 },
  );
}

/** Does not check the text: for pipelined statements PostgreSQL shows the first one. */
async function isWaiting(): Promise<boolean> {
  const waiting = await gate.query(
    `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  );
  return waiting.rowCount === 1;
}
