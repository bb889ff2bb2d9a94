import assert from 'node:assert/strict';
import { after, before, type TestContext, test } from 'node:test';
import { DEMO_FOREM_KEY } from '../../../sandbox/app.ts';
import { startServer } from '../../destinations/stand-ins.ts';
import { markdown, startTestApi, type TestApi } from '../../support/api.ts';
import { ask } from '../../support/graphql.ts';
import { addDelivery, findState } from '../deliveries/support/rows.ts';
import { connectForem, findRow, listConnections, RECONNECT, startForem, toFields } from './connection-requests.ts';

let open: TestApi;
before(async () => {
  open = await startTestApi({ env: { ALLOW_PRIVATE_DESTINATIONS: 'true' } });
});
after(() => open.close());

let authors = 0;
const newAuthor = async () => (await open.createAuthor(`connector-${++authors}`)).id;

test('reconnect tries the stored credential again, or new ones, and says what is wrong', async (context) => {
  const { forem: baseUrl, setFaults } = await startForem(context);
  const userId = await newAuthor();
  assert.equal((await ask(open, userId, RECONNECT, { destination: 'blogsite_a' })).code, 'NOT_CONNECTED');
  await connectForem(open, userId, baseUrl);
  await open.db
    .updateTable('connections')
    .set({ status: 'unauthorised', statusReason: 'no' })
    .where('userId', '=', userId)
    .execute();
  await setFaults([{ platform: 'blogsite_a', action: 'probe', times: 1, status: 401 }]);
  assert.equal((await ask(open, userId, RECONNECT, { destination: 'blogsite_a' })).code, 'CREDENTIALS_REFUSED');
  assert.equal((await findRow(open, userId))?.status, 'unauthorised');
  const again = await ask(open, userId, RECONNECT, { destination: 'blogsite_a' });
  assert.deepEqual(
    [again.data?.reconnectDestination.status, again.data?.reconnectDestination.statusReason],
    ['active', null],
  );
  const credentials = toFields({ apiKey: 'another-wrong-key' });
  assert.equal(
    (await ask(open, userId, RECONNECT, { destination: 'blogsite_a', credentials })).code,
    'CREDENTIALS_REFUSED',
  );
  assert.equal((await findRow(open, userId))?.status, 'active');
});

test('a stored credential that cannot be read can be replaced', async (context) => {
  const { forem: baseUrl } = await startForem(context);
  const userId = await newAuthor();
  await connectForem(open, userId, baseUrl);
  await open.db
    .updateTable('connections')
    .set({ credentialsSealed: Buffer.alloc(64, 1) })
    .where('userId', '=', userId)
    .execute();
  const kept = await ask(open, userId, RECONNECT, { destination: 'blogsite_a' });
  assert.deepEqual([kept.code, kept.field], ['BAD_CREDENTIALS', 'credentials']);
  assert.doesNotMatch(kept.text, /COURANT_CREDENTIALS_KEY/);
  const anew = await ask(open, userId, RECONNECT, {
    destination: 'blogsite_a',
    credentials: toFields({ apiKey: DEMO_FOREM_KEY }),
  });
  assert.equal(anew.data?.reconnectDestination.account, '@demo');
});

test('a destination that is disconnected while it is tried again stays disconnected', async (context) => {
  const { baseUrl, hold } = await startSlowForem(context);
  const userId = await newAuthor();
  await connectForem(open, userId, baseUrl);
  const { asked, answerNow } = hold();
  const reconnecting = ask(open, userId, RECONNECT, { destination: 'blogsite_a' });
  await asked;
  const gone = await ask(open, userId, 'mutation { disconnectDestination(destination: blogsite_a) }');
  assert.equal(gone.data.disconnectDestination, true);
  answerNow();
  assert.equal((await reconnecting).code, 'NOT_CONNECTED');
  assert.deepEqual(await listConnections(open, userId), []);
  const twice = await ask(open, userId, 'mutation { disconnectDestination(destination: blogsite_a) }');
  assert.equal(twice.data.disconnectDestination, false);
});

test('another account that is connected while the former one is tried again stays connected (F27)', async (context) => {
  const { baseUrl, hold } = await startSlowForem(context);
  const { forem: other } = await startForem(context);
  const userId = await newAuthor();
  await connectForem(open, userId, baseUrl);
  const { asked, answerNow } = hold();
  const reconnecting = ask(open, userId, RECONNECT, { destination: 'blogsite_a' });
  await asked;
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
    const { asked, answerNow } = slow.hold();
    const connecting = connectForem(open, userId, slow.baseUrl);
    await asked;
    const listAddresses = async () => {
      const connections: { baseUrl: string }[] = await listConnections(open, userId);
      return connections.map(({ baseUrl }) => baseUrl);
    };
    return { userId, slowUrl: `${slow.baseUrl}/api`, connecting, answerNow, listAddresses };
  };

  test(`of two accounts that are connected at once, ${where}, the later command holds, however slow the first is (F27)`, async (context) => {
    const { forem: other } = await startForem(context);
    const { userId, connecting, answerNow, listAddresses } = await setUp(context);
    assert.equal((await connectForem(open, userId, other)).code, undefined);
    answerNow();
    assert.equal((await connecting).code, 'CONNECTION_CHANGED');
    assert.deepEqual(await listAddresses(), [other]);
  });

  test(`of two accounts that are connected at once, ${where}, the later command holds when both are slow (F27)`, async (context) => {
    const { userId, slowUrl, connecting, answerNow, listAddresses } = await setUp(context);
    const { baseUrl: other, hold } = await startSlowForem(context);
    const later = hold();
    const connectingOther = connectForem(open, userId, other);
    await later.asked;
    answerNow();
    assert.equal((await connecting).code, undefined);
    assert.deepEqual(await listAddresses(), [slowUrl]);
    later.answerNow();
    assert.equal((await connectingOther).code, undefined);
    assert.deepEqual(await listAddresses(), [`${other}/api`]);
  });

  test(`a destination that is disconnected while an account is tried, ${where}, stays disconnected (F27)`, async (context) => {
    const { userId, connecting, answerNow, listAddresses } = await setUp(context);
    const gone = await ask(open, userId, 'mutation { disconnectDestination(destination: blogsite_a) }');
    assert.equal(gone.data.disconnectDestination, isConnected);
    answerNow();
    assert.equal((await connecting).code, 'CONNECTION_CHANGED');
    assert.deepEqual(await listAddresses(), []);
  });

  test(`a later command that is refused, ${where}, does not keep an earlier one from connecting`, async (context) => {
    const { forem: other } = await startForem(context);
    const { userId, slowUrl, connecting, answerNow, listAddresses } = await setUp(context);
    const refused = await connectForem(open, userId, other, { apiKey: 'a-wrong-key' });
    assert.equal(refused.code, 'CREDENTIALS_REFUSED');
    answerNow();
    assert.equal((await connecting).code, undefined);
    assert.deepEqual(await listAddresses(), [slowUrl]);
  });
}

test('the same account that is connected or reconnected twice at once is connected, and both commands say so', async (context) => {
  const { forem } = await startForem(context);
  const userId = await newAuthor();
  const connected = await Promise.all([1, 2, 3].map(() => connectForem(open, userId, forem)));
  const reconnected = await Promise.all(
    [1, 2, 3].map(() => ask(open, userId, RECONNECT, { destination: 'blogsite_a' })),
  );
  assert.deepEqual(
    [...connected, ...reconnected].map(({ code }) => code),
    Array.from({ length: 6 }, () => undefined),
  );
  assert.equal((await listConnections(open, userId)).length, 1);
});

test('an account that was reconnected while another one is tried, by an earlier command, stays connected (F27)', async (context) => {
  const { forem: present } = await startForem(context);
  const { baseUrl: slow, hold } = await startSlowForem(context);
  const userId = await newAuthor();
  await connectForem(open, userId, present);
  const { asked, answerNow } = hold();
  const connecting = connectForem(open, userId, slow);
  await asked;
  assert.equal((await ask(open, userId, RECONNECT, { destination: 'blogsite_a' })).code, undefined);
  answerNow();
  assert.equal((await connecting).code, 'CONNECTION_CHANGED');
  assert.equal((await findRow(open, userId))?.baseUrl, present);
});

/** A Forem that answers at once until it is told to hold its next answer. */
async function startSlowForem(context: TestContext) {
  let answer = (send: () => void) => send();
  const baseUrl = await startServer(context, (_request, response) =>
    answer(() => response.writeHead(200, { 'content-type': 'application/json' }).end('{"id":1,"username":"demo"}')),
  );
  return {
    baseUrl,
    hold() {
      const [asked, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      answer = (send) => {
        asked.resolve();
        released.promise.then(send);
      };
      return { asked: asked.promise, answerNow: released.resolve };
    },
  };
}

test('an author cannot see or disconnect another author’s connections (A18)', async (context) => {
  const { forem: baseUrl } = await startForem(context);
  const owner = await newAuthor();
  await connectForem(open, owner, baseUrl);
  const other = await newAuthor();
  assert.deepEqual(await listConnections(open, other), []);
  await ask(open, other, 'mutation { disconnectDestination(destination: blogsite_a) }');
  assert.equal((await ask(open, other, RECONNECT, { destination: 'blogsite_a' })).code, 'NOT_CONNECTED');
  assert.equal((await listConnections(open, owner)).length, 1);
});

test('posts are those of one account when its address is spelled otherwise, and stay at it when another is connected', async (context) => {
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
