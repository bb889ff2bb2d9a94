/** Reconnecting and disconnecting, also concurrently with other commands. */
import assert from 'node:assert/strict';
import { after, before, type TestContext, test } from 'node:test';
import { DEMO_FOREM_KEY } from '../../../sandbox/app.ts';
import { startServer } from '../../destinations/destination-harness.ts';
import { markdown, startTestApi, type TestApi } from '../../support/api/api.ts';
import { runGraphql } from '../../support/api/graphql.ts';
import { addDelivery, findState } from '../deliveries/support/rows.ts';
import { connectForem, findRow, listConnections, RECONNECT, startForem, toFields } from './connection-requests.ts';

let open: TestApi;
before(async () => {
  open = await startTestApi({ env: { ALLOW_PRIVATE_DESTINATIONS: 'true' } });
});
after(() => open.close());

let authors = 0;
const newAuthor = async () => (await open.createAuthor(`connector-${++authors}`)).id;

test('a reconnection probes the stored or new credentials and reports a failure', async (context) => {
  const { forem: baseUrl, setFaults } = await startForem(context);
  const userId = await newAuthor();
  assert.equal((await runGraphql(open, userId, RECONNECT, { destination: 'blogsite_a' })).code, 'NOT_CONNECTED');
  await connectForem(open, userId, baseUrl);
  await open.db
    .updateTable('connections')
    .set({ status: 'unauthorised', statusReason: 'no' })
    .where('userId', '=', userId)
    .execute();
  await setFaults([{ platform: 'blogsite_a', action: 'probe', times: 1, status: 401 }]);
  assert.equal((await runGraphql(open, userId, RECONNECT, { destination: 'blogsite_a' })).code, 'CREDENTIALS_REFUSED');
  assert.equal((await findRow(open, userId))?.status, 'unauthorised');
  const again = await runGraphql(open, userId, RECONNECT, { destination: 'blogsite_a' });
  assert.deepEqual(
    [again.data?.reconnectDestination.status, again.data?.reconnectDestination.statusReason],
    ['ACTIVE', null],
  );
  const credentials = toFields({ apiKey: 'another-wrong-key' });
  assert.equal(
    (await runGraphql(open, userId, RECONNECT, { destination: 'blogsite_a', credentials })).code,
    'CREDENTIALS_REFUSED',
  );
  assert.equal((await findRow(open, userId))?.status, 'active');
});

test('an unreadable stored credential can be replaced', async (context) => {
  const { forem: baseUrl } = await startForem(context);
  const userId = await newAuthor();
  await connectForem(open, userId, baseUrl);
  await open.db
    .updateTable('connections')
    .set({ credentialsSealed: Buffer.alloc(64, 1) })
    .where('userId', '=', userId)
    .execute();
  const stored = await runGraphql(open, userId, RECONNECT, { destination: 'blogsite_a' });
  assert.deepEqual([stored.code, stored.field], ['BAD_CREDENTIALS', 'credentials']);
  assert.doesNotMatch(stored.text, /COURANT_CREDENTIALS_KEY/);
  const replaced = await runGraphql(open, userId, RECONNECT, {
    destination: 'blogsite_a',
    credentials: toFields({ apiKey: DEMO_FOREM_KEY }),
  });
  assert.equal(replaced.data?.reconnectDestination.account, '@demo');
});

test('a destination that is disconnected during its reconnection stays disconnected', async (context) => {
  const { baseUrl, hold } = await startSlowForem(context);
  const userId = await newAuthor();
  await connectForem(open, userId, baseUrl);
  const { requested, answerNow } = hold();
  const reconnecting = runGraphql(open, userId, RECONNECT, { destination: 'blogsite_a' });
  await requested;
  const disconnected = await runGraphql(open, userId, 'mutation { disconnectDestination(destination: blogsite_a) }');
  assert.equal(disconnected.data.disconnectDestination, true);
  answerNow();
  assert.equal((await reconnecting).code, 'NOT_CONNECTED');
  assert.deepEqual(await listConnections(open, userId), []);
  const twice = await runGraphql(open, userId, 'mutation { disconnectDestination(destination: blogsite_a) }');
  assert.equal(twice.data.disconnectDestination, false);
});

test('an account that is connected during the reconnection of another one stays connected (F27)', async (context) => {
  const { baseUrl, hold } = await startSlowForem(context);
  const { forem: other } = await startForem(context);
  const userId = await newAuthor();
  await connectForem(open, userId, baseUrl);
  const { requested, answerNow } = hold();
  const reconnecting = runGraphql(open, userId, RECONNECT, { destination: 'blogsite_a' });
  await requested;
  await connectForem(open, userId, other);
  answerNow();
  assert.equal((await reconnecting).code, 'CONNECTION_CHANGED');
  const connections = await listConnections(open, userId);
  assert.deepEqual(
    connections.map((connection: { baseUrl: string }) => connection.baseUrl),
    [other],
  );
});

for (const isConnected of [false, true]) {
  const where = isConnected ? 'over a third account' : 'where none was connected';
  const setUp = async (context: TestContext) => {
    const userId = await newAuthor();
    if (isConnected) await connectForem(open, userId, (await startForem(context)).forem);
    const slow = await startSlowForem(context);
    const { requested, answerNow } = slow.hold();
    const connecting = connectForem(open, userId, slow.baseUrl);
    await requested;
    const listAddresses = async () => {
      const connections: { baseUrl: string }[] = await listConnections(open, userId);
      return connections.map(({ baseUrl }) => baseUrl);
    };
    return { userId, slowUrl: `${slow.baseUrl}/api`, connecting, answerNow, listAddresses };
  };

  test(`of two accounts connected at the same time, ${where}, the later command wins if the first is slow (F27)`, async (context) => {
    const { forem: other } = await startForem(context);
    const { userId, connecting, answerNow, listAddresses } = await setUp(context);
    assert.equal((await connectForem(open, userId, other)).code, undefined);
    answerNow();
    assert.equal((await connecting).code, 'CONNECTION_CHANGED');
    assert.deepEqual(await listAddresses(), [other]);
  });

  test(`of two accounts connected at the same time, ${where}, the later command wins if both are slow (F27)`, async (context) => {
    const { userId, slowUrl, connecting, answerNow, listAddresses } = await setUp(context);
    const { baseUrl: other, hold } = await startSlowForem(context);
    const later = hold();
    const connectingOther = connectForem(open, userId, other);
    await later.requested;
    answerNow();
    assert.equal((await connecting).code, undefined);
    assert.deepEqual(await listAddresses(), [slowUrl]);
    later.answerNow();
    assert.equal((await connectingOther).code, undefined);
    assert.deepEqual(await listAddresses(), [`${other}/api`]);
  });

  test(`a destination that is disconnected during a probe, ${where}, stays disconnected (F27)`, async (context) => {
    const { userId, connecting, answerNow, listAddresses } = await setUp(context);
    const disconnected = await runGraphql(open, userId, 'mutation { disconnectDestination(destination: blogsite_a) }');
    assert.equal(disconnected.data.disconnectDestination, isConnected);
    answerNow();
    assert.equal((await connecting).code, 'CONNECTION_CHANGED');
    assert.deepEqual(await listAddresses(), []);
  });

  test(`a later command that fails, ${where}, does not prevent an earlier one from connecting`, async (context) => {
    const { forem: other } = await startForem(context);
    const { userId, slowUrl, connecting, answerNow, listAddresses } = await setUp(context);
    const refused = await connectForem(open, userId, other, { apiKey: 'a-wrong-key' });
    assert.equal(refused.code, 'CREDENTIALS_REFUSED');
    answerNow();
    assert.equal((await connecting).code, undefined);
    assert.deepEqual(await listAddresses(), [slowUrl]);
  });
}

test('concurrent commands that connect or reconnect the same account all succeed', async (context) => {
  const { forem } = await startForem(context);
  const userId = await newAuthor();
  const connected = await Promise.all([1, 2, 3].map(() => connectForem(open, userId, forem)));
  const reconnected = await Promise.all(
    [1, 2, 3].map(() => runGraphql(open, userId, RECONNECT, { destination: 'blogsite_a' })),
  );
  assert.deepEqual(
    [...connected, ...reconnected].map(({ code }) => code),
    Array.from({ length: 6 }, () => undefined),
  );
  assert.equal((await listConnections(open, userId)).length, 1);
});

test('an account that is reconnected during an earlier probe of another one stays connected (F27)', async (context) => {
  const { forem: present } = await startForem(context);
  const { baseUrl: slow, hold } = await startSlowForem(context);
  const userId = await newAuthor();
  await connectForem(open, userId, present);
  const { requested, answerNow } = hold();
  const connecting = connectForem(open, userId, slow);
  await requested;
  assert.equal((await runGraphql(open, userId, RECONNECT, { destination: 'blogsite_a' })).code, undefined);
  answerNow();
  assert.equal((await connecting).code, 'CONNECTION_CHANGED');
  assert.equal((await findRow(open, userId))?.baseUrl, present);
});

/** A Forem that responds at once, or after `hold()` when `answerNow` is called. */
async function startSlowForem(context: TestContext) {
  let answer = (send: () => void) => send();
  const baseUrl = await startServer(context, (_request, response) =>
    answer(() => response.writeHead(200, { 'content-type': 'application/json' }).end('{"id":1,"username":"demo"}')),
  );
  return {
    baseUrl,
    hold() {
      const [requested, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      answer = (send) => {
        requested.resolve();
        released.promise.then(send);
      };
      return { requested: requested.promise, answerNow: released.resolve };
    },
  };
}

test('an author cannot see or disconnect another author’s connections (A18)', async (context) => {
  const { forem: baseUrl } = await startForem(context);
  const owner = await newAuthor();
  await connectForem(open, owner, baseUrl);
  const other = await newAuthor();
  assert.deepEqual(await listConnections(open, other), []);
  await runGraphql(open, other, 'mutation { disconnectDestination(destination: blogsite_a) }');
  assert.equal((await runGraphql(open, other, RECONNECT, { destination: 'blogsite_a' })).code, 'NOT_CONNECTED');
  assert.equal((await listConnections(open, owner)).length, 1);
});

test('copies belong to the same account under another spelling of its address, and stay with it when another is connected', async (context) => {
  const { forem: baseUrl } = await startForem(context);
  const { id: userId, token } = await open.createAuthor('moves-on');
  await connectForem(open, userId, baseUrl);
  const { body } = await open.publish({ content: markdown({ title: 'At one account' }) }, { token });
  const id = body.data?.id ?? '';
  await addDelivery(open.db, id, 'blogsite_a', { copy: { remoteId: 'r' } });
  await connectForem(open, userId, `${baseUrl.replace('http:', 'HTTP:')}//?x=1#y`);
  assert.equal((await findRow(open, userId))?.baseUrl, baseUrl);
  assert.equal((await findState(open.db, id)).remoteId, 'r');
  const another = await startServer(context, (_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"id":2,"username":"somebody else"}');
  });
  await connectForem(open, userId, another);
  const there = await findState(open.db, id);
  assert.deepEqual([there.remoteId, there.state, there.errorCode], [null, 'stale', 'other_account']);
  assert.deepEqual([there.dueAt, there.needsAuthor], [null, false]);
});
