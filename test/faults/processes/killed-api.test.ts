/** An API process that is killed in the middle of a publish. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startApiProcess } from '../../api/support/api-process.ts';
import { startTcpProxy } from '../../api/support/tcp-proxy.ts';
import { markdown, postArticle, type TestAuthor } from '../../support/api/api.ts';
import { holdWrites } from '../../support/database/held-writes.ts';
import { type DeliveryWorld, startDeliveryWorld } from '../../support/delivery/delivery.ts';
import { assertOnePostOneEvent, createConnectedAuthor } from '../../support/delivery/publishing.ts';
import { readTemporalAddress } from '../../support/environment.ts';
import { eventually } from '../../support/eventually.ts';

let world: DeliveryWorld;
before(async () => {
  world = await startDeliveryWorld();
  // The child processes of these tests are the only APIs; the outbox and the worker remain.
  await world.api.app.close();
});
after(() => world.close());

test('after a kill between commit and workflow start, the next API delivers: one copy and one event (F4)', async (t) => {
  const author = await createConnectedAuthor(world, 'blogsite_a');
  const title = 'Killed before the signal';
  // Holds updates of the outbox, so that no instance can lease a row and signal before the kill.
  const leases = await holdWrites(world.api.databaseUrl, 'outbox', 'update');
  t.after(() => leases.close());
  const doomed = await startApiProcess({ like: world.api, temporal: readTemporalAddress() });
  t.after(() => doomed.kill());
  const answer = await postArticle(doomed.url, author.token, { content: markdown({ title }) });
  assert.equal(answer.status, 201);
  await doomed.kill();
  const outboxRows = await world.api.db.selectFrom('outbox').select('articleId').execute();
  assert.deepEqual(outboxRows, [{ articleId: answer.body.data?.id }], 'the outbox has it');
  assert.deepEqual(await world.log(title), [], 'nobody was signalled');

  await leases.endWaiting();
  await leases.release();
  const next = await startApiProcess({ like: world.api, temporal: readTemporalAddress() });
  t.after(() => next.kill());
  await world.reaches(answer.body.data?.id ?? '', 'blogsite_a', 'delivered');
  await assertOnePostOneEvent(world, { author, title });
});

for (const key of [undefined, 'f5-key']) {
  const answered = key ? 'the same 201 by its Idempotency-Key' : '"updated"';
  test(`after a kill between commit and response, the client’s retry gets ${answered}: one article (F5)`, async (t) => {
    const author = await createConnectedAuthor(world, 'blogsite_a');
    const title = `Killed before the answer ${key ?? 'without a key'}`;
    const headers: Record<string, string> = key ? { 'idempotency-key': key } : {};
    const proxy = await startCommitProxy();
    t.after(() => proxy.close());
    const database = new URL(world.api.databaseUrl);
    database.port = String(proxy.port);
    const temporal = readTemporalAddress();
    const doomed = await startApiProcess({ like: world.api, temporal, databaseUrl: database.href });
    t.after(() => doomed.kill());
    const body = { content: markdown({ title }) };
    const lost = postArticle(doomed.url, author.token, body, headers).then(
      () => 'answered',
      () => 'no answer',
    );
    await eventually('the commit', async () => (await listArticles(author)).length === 1);
    await doomed.kill();
    assert.equal(await lost, 'no answer');

    const next = await startApiProcess({ like: world.api, temporal });
    t.after(() => next.kill());
    const retried = await postArticle(next.url, author.token, body, headers);
    assert.equal(retried.body.action, key ? 'created' : 'updated');
    assert.equal(retried.status, key ? 201 : 200);
    assert.deepEqual(await listArticles(author), [{ id: retried.body.data?.id }]);
    // The killed API may hold the outbox row: its lease ends after 30 seconds.
    await world.reaches(retried.body.data?.id ?? '', 'blogsite_a', 'delivered');
    await assertOnePostOneEvent(world, { author, title });
  });
}

function listArticles(author: TestAuthor) {
  return world.api.db.selectFrom('articles').select('id').where('authorId', '=', author.id).execute();
}

/** Proxies the database. A connection that stores an article receives nothing after its commit. */
function startCommitProxy() {
  const storing = new WeakSet<object>();
  return startTcpProxy({
    port: Number(new URL(world.api.databaseUrl).port),
    stopAnswersAfter(sent, client) {
      if (sent.includes('insert into "articles"')) storing.add(client);
      return storing.has(client) && /commit\0/i.test(sent.toString('latin1'));
    },
  });
}
