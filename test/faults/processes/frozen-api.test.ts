/**
 * An API freezes during a transaction, or its connections to PostgreSQL become half-open. Its
 * client continues at another instance.
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
let interrupted: ApiProcess;
let other: ApiProcess;
let lockHolder: Client;
before(async () => {
  world = await startDeliveryWorld();
  // Stops the API of this process, because only those of the test may respond.
  await world.api.app.close();
  const like = world.api;
  const temporal = readTemporalAddress();
  proxy = await startTcpProxy({ port: Number(new URL(like.databaseUrl).port) });
  const throughProxy = new URL(like.databaseUrl);
  throughProxy.port = String(proxy.port);
  interrupted = await prepareApi({ like, temporal, databaseUrl: throughProxy.href });
  other = await prepareApi({ like, temporal });
  await Promise.all([interrupted.start(), other.start()]);
  lockHolder = new Client({ connectionString: like.databaseUrl });
  await lockHolder.connect();
});
after(async () => {
  await lockHolder?.end();
  await Promise.all([interrupted?.kill(), other?.kill()]);
  await proxy?.close();
  await world?.close();
});

interface Interruption {
  description: string;
  stop(): void;
  resume(): void;
}

const INTERRUPTIONS: Interruption[] = [
  { description: 'an API is frozen', stop: () => interrupted.freeze(), resume: () => interrupted.thaw() },
  {
    description: 'the connections of an API to PostgreSQL are half-open',
    stop: () => void proxy.freezeOpenConnections(),
    resume: () => undefined,
  },
];

for (const [number, { description, stop, resume }] of INTERRUPTIONS.entries()) {
  test(`${description} during a publish: its author's next publishes are stored by another instance, none is replaced later, and it recovers (F35)`, async () => {
    const author = await createConnectedAuthor(world, 'blogsite_a');
    const title = `The last version ${number}`;
    // The publish waits for the author's row. After the rollback, its open transaction holds it.
    await lockHolder.query('begin');
    await lockHolder.query('select 1 from users where id = $1 for no key update', [author.id]);
    const abandoned = publish(interrupted, author, 'The first version', 'first').catch((error: Error) => error);
    await eventually('the publish to wait for the row', isWaiting, { withinMs: 120_000 });
    stop();
    await lockHolder.query('rollback');

    const first = await retryUntilAccepted(other, author, 'The first version', 'first');
    assert.equal(first.status, 201);
    const second = await retryUntilAccepted(other, author, title, 'second');
    assert.deepEqual([second.status, second.body.data?.id], [200, first.body.data?.id]);
    resume();
    await abandoned;
    // The frozen instance serves again without a restart.
    const again = await retryUntilAccepted(interrupted, author, `${title} again`, 'third');
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
function retryUntilAccepted(api: ApiProcess, author: TestAuthor, title: string, key: string): Promise<PublishAnswer> {
  return eventually(
    `an answer to ${title}`,
    async () => {
      const answer = await publish(api, author, title, key);
      return answer.status === 409 || answer.status === 503 ? null : answer;
    },
    { withinMs: 120_000, everyMs: 500 },
  );
}

/** Ignores the statement's text, because PostgreSQL shows the first of pipelined statements. */
async function isWaiting(): Promise<boolean> {
  const waiting = await lockHolder.query(
    `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  );
  return waiting.rowCount === 1;
}
