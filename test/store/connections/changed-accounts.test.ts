/** Tests a change of account: copies and attempts remain at their account, and nothing is sent. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, test } from 'node:test';
import type { ProbedIdentity } from '../../../store/connections/accounts.ts';
import { connectDestination } from '../../../store/connections/connect.ts';
import { disconnectDestination } from '../../../store/connections/disconnect.ts';
import { listOtherPosts } from '../../../store/copies/post-owner.ts';
import { createSealer } from '../../../store/secrets/sealing.ts';
import { type AddedDelivery, openTestLedger, type TestLedger } from '../../support/database/ledger.ts';
import { begin, DELIVERED, FAILED, MADE } from '../deliveries/support/begun.ts';

let ledger: TestLedger;
before(async () => {
  ledger = await openTestLedger();
});
after(() => ledger.close());

const sealer = createSealer(randomBytes(32));
const destination = 'blogsite_a';
const HANDLED = { handledDispatch: 1 };
const COPY = { remoteUrl: MADE.remote.url, contentHash: 'sent', revision: 1 };
const DUE = { dueAt: new Date() };

async function beginAtA(delivery: AddedDelivery = DUE, article: Parameters<typeof begin>[2] = {}) {
  const begun = await begin(ledger, delivery, article);
  const { authorId, articleId } = begun;
  const connect = (name: string, more: object = {}) =>
    connectDestination(ledger.db, sealer, {
      ...{ userId: authorId, destination, platform: 'forem', credentials: {} },
      baseUrl: name === 'A' ? 'https://forem.example/api' : `https://${name}.example/api`,
      // The ledger identifies its account by the author.
      account: { identity: name, name, ...(name === 'A' && { formerIdentity: authorId }), ...more },
    });
  const change = (more: object) => ledger.db.updateTable('articles').set(more).where('id', '=', articleId).execute();
  const listed = async () =>
    (await begun.copies()).map(({ url, account, isUncertain }) => `${account} ${isUncertain ? 'perhaps' : url}`);
  await connect('A');
  await ledger.db.deleteFrom('outbox').execute();
  return { ...begun, connect, change, listed };
}

const AT_A = [`A ${MADE.remote.url}`];
const STATES: [what: string, delivery: AddedDelivery, listed: string[]][] = [
  ['delivered', { ...HANDLED, copy: COPY }, AT_A],
  ['outdated', { ...DUE, copy: { ...COPY, contentHash: 'old', revision: 0 } }, AT_A],
  ['failed', { ...HANDLED, attempts: [{ outcome: 'failed', code: 'invalid', reason: 'No.' }], copy: COPY }, AT_A],
  ['pending', DUE, []],
  ['being created', { ...DUE, attempts: [{}] }, ['A perhaps']],
  ['unknown', { ...HANDLED, attempts: [{ code: 'outcome_unknown' }] }, ['A perhaps']],
];
for (const [what, delivery, listed] of STATES) {
  test(`a delivery that is ${what} sends and notifies nothing after a change of account, and its copy remains listed (F27)`, async () => {
    const { connect, row, step, events, isWoken, listed: list, target } = await beginAtA(delivery);
    await connect('B');
    const { dueAt, errorCode, needsAuthor } = await row();
    assert.deepEqual([dueAt, errorCode, needsAuthor], [null, 'other_account', false]);
    assert.deepEqual([await step(), await events(), await isWoken()], ['nothing', [], false]);
    assert.deepEqual(await list(), listed);
    await disconnectDestination(ledger.db, target.authorId, destination);
    assert.deepEqual(await list(), listed);
  });
}

test('a copy is shown unchanged when its account returns, and nothing is sent (F27)', async () => {
  const { connect, row, isWoken, events } = await beginAtA({ ...HANDLED, copy: COPY });
  const before = await row();
  await connect('B');
  await connect('A');
  const { state, copyId } = await row();
  assert.deepEqual([state, copyId, await isWoken(), await events()], ['delivered', before.copyId, false, []]);
});

test('when an account returns, a withdrawal from its absence is sent and an edit waits for the next publish (F27)', async () => {
  for (const [article, step, isWoken] of [
    [{ status: 'DRAFT', dispatch: 2 }, 'withdraw', true],
    [{ revision: 2, dispatch: 2 }, null, false],
  ] as const) {
    const begun = await beginAtA({ ...HANDLED, copy: COPY });
    await begun.connect('B');
    await begun.change(article);
    await begun.connect('A');
    assert.equal(await begun.isWoken(), isWoken);
    if (step) assert.equal(await begun.step(), step);
    else assert.equal((await begun.row()).dueAt, null);
  }
});

test('the next publish goes to the connected account', async () => {
  const { connect, change, step, mark, end, row, listed } = await beginAtA({ ...HANDLED, copy: COPY });
  await connect('B');
  await change({ revision: 2, dispatch: 2 });
  assert.equal(await step(), 'create');
  await end(await mark(), DELIVERED, MADE);
  assert.equal((await row()).state, 'delivered');
  assert.equal((await listed()).length, 2);
});

test('a create answered after a change of account sends one event with the post, recorded at its account (F27)', async () => {
  const { connect, mark, answer, end, row, events, listed, outcomes } = await beginAtA();
  const sent = await mark();
  await connect('B');
  assert.deepEqual([await events(), await listed()], [[], ['A perhaps']], 'it is still under way');
  await answer(sent, MADE);
  await answer(sent, MADE);
  assert.equal(await end(sent, FAILED), false);
  assert.deepEqual([await events(), await listed()], [['CROSS_POST_SUCCESS'], AT_A]);
  assert.deepEqual([await outcomes(), (await row()).dueAt], [['delivered'], null]);
  await connect('A');
  assert.equal((await row()).remoteId, 'r');
});

test('a create rejected after a change of account does not notify (F27)', async () => {
  const { connect, mark, answer, events, listed, outcomes } = await beginAtA();
  const sent = await mark();
  await connect('B');
  await answer(sent, { kind: 'rejected', code: 'refused', reason: 'No.' });
  assert.deepEqual([await events(), await listed(), await outcomes()], [[], [], ['void']]);
});

test('a withdrawal answered after a change of account is recorded when its account returns (F27)', async () => {
  for (const deleted of [true, false]) {
    const { connect, mark, answer, row, listed, change, step } = await beginAtA(
      { ...DUE, copy: COPY },
      { status: 'DRAFT' },
    );
    const sent = await mark();
    await connect('B');
    await answer(sent, { kind: 'done', remote: null, deleted });
    assert.deepEqual(await listed(), []);
    await connect('A');
    assert.equal((await row()).presence, deleted ? 'deleted' : 'hidden');
    await change({ status: 'PUBLISHED', revision: 2, dispatch: 2 });
    assert.equal(await step(), deleted ? 'create' : 'update');
  }
});

test('reconnecting the same account with another key preserves its block and sends held deliveries', async () => {
  const { connect, authorId, connectionId, row, isWoken, step } = await beginAtA();
  const blockedUntil = new Date(Date.now() + 600_000);
  const refused = { status: 'unauthorised', blockedUntil } as const;
  await ledger.db.updateTable('connections').set(refused).where('id', '=', connectionId).execute();
  assert.equal((await row()).state, 'held');
  await connect('A', { name: 'A, renamed' });
  const connection = await ledger.db
    .selectFrom('connections')
    .select('blockedUntil')
    .where('userId', '=', authorId)
    .executeTakeFirst();
  assert.deepEqual(connection?.blockedUntil, blockedUntil);
  assert.deepEqual([(await row()).state, await step(), await isWoken()], ['pending', 'create', true]);
});

test('reconnecting the same account sends held deliveries, unless another account was connected in between', async () => {
  for (const between of [null, 'B']) {
    const { authorId, connect, isWoken, row } = await beginAtA();
    await disconnectDestination(ledger.db, authorId, destination);
    assert.equal((await row()).state, 'held');
    if (between) {
      await connect(between);
      await disconnectDestination(ledger.db, authorId, destination);
    }
    await connect('A');
    assert.deepEqual([await isWoken(), (await row()).dueAt !== null], [between === null, between === null]);
  }
});

test('the copies of an account stay with it when its server begins to return a stable id (F27)', async () => {
  const userId = await ledger.addAuthor();
  const place = { userId, destination, platform: 'ghost', credentials: {}, baseUrl: 'https://site.example' } as const;
  const connect = (account: ProbedIdentity) => connectDestination(ledger.db, sealer, { ...place, account });
  await connect({ identity: 'site.example', name: 'Site' });
  const id = await ledger.addDelivery(await ledger.addArticle(userId), { ...HANDLED, copy: COPY });
  await connect({ identity: 'uuid', name: 'Site', formerIdentity: 'site.example' });
  assert.equal((await ledger.delivery(id)).remoteId, 'r1');
  const accounts = await ledger.db.selectFrom('accounts').select('identity').where('userId', '=', userId).execute();
  assert.deepEqual(accounts, [{ identity: 'uuid' }]);
});

test('posts of two sites can share an id, and a post of an account shared by two authors belongs to one article', async () => {
  const [one, two] = [await beginAtA({ ...HANDLED, copy: { ...COPY, remoteId: '105' } }), await beginAtA()];
  const isTaken = async () => {
    const { accountId } = await two.row();
    assert.ok(accountId);
    return (await listOtherPosts(ledger.db, { accountId, articleId: two.articleId })).has('105');
  };
  assert.equal(await isTaken(), true);
  await two.connect('B');
  assert.equal(await isTaken(), false);
  await two.connect('A');
  await one.connect('B');
  assert.equal(await isTaken(), true, 'it is still there');
});
