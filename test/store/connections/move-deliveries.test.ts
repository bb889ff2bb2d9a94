/** What becomes of deliveries whose account changes, and what their author reads of it. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, test } from 'node:test';
import { nextStep } from '../../../delivery/next-step.ts';
import { TIMEOUTS } from '../../../delivery/timeouts.ts';
import type { DestinationAnswer } from '../../../delivery/types.ts';
import { findDestination } from '../../../destinations/registry.ts';
import { connectDestination } from '../../../store/connections/connect.ts';
import { listCopies } from '../../../store/deliveries/copies.ts';
import { recordAnswer } from '../../../store/deliveries/end-attempt.ts';
import { tellOfUnanswered } from '../../../store/deliveries/left-behind.ts';
import { isRemotePostTaken } from '../../../store/deliveries/post-owner.ts';
import { recordUnchangeable } from '../../../store/deliveries/record-outcome.ts';
import { loadDelivery } from '../../../store/deliveries/situation.ts';
import { createSealer } from '../../../store/secrets/sealing.ts';
import { openTestLedger, type TestLedger } from '../../support/ledger.ts';

let ledger: TestLedger;
before(async () => {
  ledger = await openTestLedger();
});
after(() => ledger.close());

const sealer = createSealer(randomBytes(32));
const destination = 'blogsite_a';
const URL_AT_A = 'https://a.example/105';
const LIVE = {
  remoteId: '105',
  remoteUrl: URL_AT_A,
  deliveredHash: 'sent',
  deliveredRevision: 1,
  state: 'delivered',
} as const;
const MADE: DestinationAnswer = { kind: 'done', remote: { remoteId: '105', url: URL_AT_A, changedAt: null } };

type Article = Parameters<TestLedger['addArticle']>[1];
type Delivery = Parameters<TestLedger['addDelivery']>[1];

/** A delivery at the account A, which is connected; `open`: with a create whose outcome is open. */
async function deliverAtA(delivery: Delivery, article: Article = {}, open?: object) {
  const authorId = await ledger.addAuthor();
  const connect = (name: string, account: object = { identity: name, name }) =>
    connectDestination(ledger.db, sealer, {
      userId: authorId,
      destination,
      platform: 'forem',
      baseUrl: `https://${name}.example/api`,
      credentials: {},
      account: { identity: name, name, ...account },
      now: new Date(),
    });
  await connect('A');
  const articleId = await ledger.addArticle(authorId, { dispatch: 1, ...article });
  const id = await ledger.addDelivery(articleId, { handledDispatch: 1, ...delivery }, open);
  return {
    connect,
    authorId,
    articleId,
    id,
    row: () => ledger.delivery(id),
    woken: async () => (await ledger.outbox(articleId)).length > 0,
    reasons: async () => {
      const events = await ledger.db
        .selectFrom('notifications')
        .select(['type', 'payload'])
        .where('userId', '=', authorId)
        .execute();
      assert.ok(events.every(({ type }) => type === 'CROSS_POST_FAILED'));
      return events.map(({ payload }) => payload.reason);
    },
    copies: async () =>
      (await listCopies(ledger.db, { authorId, articleId })).map(
        ({ url, account, isUncertain }) => `${account} ${isUncertain ? 'perhaps' : url}`,
      ),
  };
}

const STAYS = `The copy at ${URL_AT_A} stays live: it is at the account “A”, and another account is connected now.`;
const AGAIN = 'Publish again to send the article to the new account.';
const REMOVE = 'Remove it there, or connect that account again.';

for (const state of ['delivered', 'stale', 'failed', 'held'] as const) {
  test(`a ${state} delivery with a copy is left to the next publish, and one event names the copy (F27)`, async () => {
    const { connect, row, reasons, copies } = await deliverAtA({ ...LIVE, state });
    await connect('B');
    const { remoteId, lastErrorCode, state: now, lastError } = await row();
    assert.deepEqual(
      [remoteId, now, lastErrorCode, lastError],
      [null, 'failed', 'account_changed', `${STAYS} ${AGAIN}`],
    );
    assert.deepEqual(await reasons(), [`${STAYS} ${AGAIN}`]);
    assert.deepEqual(await copies(), [`A ${URL_AT_A}`]);
  });
}

test('a copy returns with its account as it was, and nothing is sent (F27)', async () => {
  const { connect, row, reasons, woken } = await deliverAtA(LIVE);
  await connect('B');
  await connect('A');
  const { remoteId, state, lastError } = await row();
  assert.deepEqual([remoteId, state, lastError], ['105', 'delivered', null]);
  assert.equal((await reasons()).length, 1);
  assert.equal(await woken(), false);
});

for (const [change, article] of [
  ['edited', { revision: 2, dispatch: 2 }],
  ['taken back', { status: 'DRAFT', revision: 2, dispatch: 2 }],
] as const) {
  test(`a copy whose article was ${change} while its account was away gets that when the account returns (F27)`, async () => {
    const { connect, row, woken, articleId } = await deliverAtA(LIVE);
    await connect('B');
    await ledger.db.updateTable('articles').set(article).where('id', '=', articleId).execute();
    await connect('A');
    const { remoteId, state, handledDispatch } = await row();
    assert.deepEqual([remoteId, state], ['105', 'stale']);
    assert.ok(handledDispatch < 2);
    assert.equal(await woken(), true);
  });
}

test('a draft’s copy that stays is named with what its author can do (F27)', async () => {
  const { connect, reasons } = await deliverAtA({ ...LIVE, state: 'held' }, { status: 'DRAFT' });
  await connect('B');
  assert.deepEqual(await reasons(), [`${STAYS} ${REMOVE}`]);
});

test('a delivery that made nothing goes to the new account by itself', async () => {
  const { connect, row, reasons, woken } = await deliverAtA({ state: 'pending', handledDispatch: 0, attempts: 2 });
  await connect('B');
  assert.equal((await row()).state, 'pending');
  assert.deepEqual(await reasons(), []);
  assert.equal(await woken(), true);
});

const CREATING = { state: 'delivering', handledDispatch: 0 } as const;

test('a create whose answer comes after the change of account: one event names the post, which is kept with its account (F27)', async () => {
  const { connect, id, row, reasons, copies } = await deliverAtA(CREATING, {}, {});
  await connect('B');
  assert.deepEqual(await reasons(), [], 'it is still under way');
  await recordAnswer(ledger.db, { deliveryId: id, number: 1, answer: MADE });
  assert.deepEqual(await reasons(), [`${STAYS} ${AGAIN}`]);
  assert.deepEqual(await copies(), [`A ${URL_AT_A}`]);
  await connect('A');
  assert.equal((await row()).remoteId, '105');
});

test('a create that was answered and not recorded yet is named at once (F27)', async () => {
  const { connect, reasons } = await deliverAtA(CREATING, {}, { answer: JSON.stringify(MADE), answeredAt: new Date() });
  await connect('B');
  assert.deepEqual(await reasons(), [`${STAYS} ${AGAIN}`]);
});

test('a create that was refused after the change of account left nothing: the article goes to the new one (F27)', async () => {
  const { connect, id, row, reasons } = await deliverAtA(CREATING, {}, {});
  await connect('B');
  await recordAnswer(ledger.db, { deliveryId: id, number: 1, answer: { kind: 'rejected', code: 'no', reason: 'No.' } });
  assert.deepEqual([(await row()).state, await reasons()], ['pending', []]);
});

test('a create that nobody answered is told of once; should the answer come yet, the event names the post (F27)', async () => {
  const { connect, id, reasons, copies } = await deliverAtA(CREATING, {}, {});
  await connect('B');
  assert.deepEqual(await copies(), ['A perhaps']);
  await tellOfUnanswered(ledger.db, id);
  await tellOfUnanswered(ledger.db, id);
  const [vague, ...more] = await reasons();
  assert.match(vague ?? '', /A post was being made at the account “A” .+ Look there whether it exists\./);
  assert.deepEqual(more, []);
  await recordAnswer(ledger.db, { deliveryId: id, number: 1, answer: MADE });
  assert.deepEqual(await reasons(), [`${STAYS} ${AGAIN}`]);
  assert.deepEqual(await copies(), [`A ${URL_AT_A}`]);
});

for (const [what, later, copies] of [
  ['that nothing has followed: no live copy is left there', null, []],
  ['that an update has followed: the copy is live and stays named', 'update', [`A ${URL_AT_A}`]],
  ['that was sent once more: no live copy is left there', 'withdraw', []],
] as const) {
  test(`a withdrawal whose answer comes after the change of account, ${what} (F27)`, async () => {
    const open = { action: 'withdraw', ...(later && { endedAt: new Date(), outcome: 'void' as const }) };
    const sent = await deliverAtA({ ...LIVE, state: 'stale', attempts: 1 }, {}, open);
    const { id, connect } = sent;
    if (later) {
      const { accountId } = await sent.row();
      const attempt = { deliveryId: id, accountId: accountId ?? '', number: 2, action: later, lookUp: '{}' };
      const ended = { endedAt: new Date(), outcome: later === 'update' ? 'delivered' : 'retried' } as const;
      await ledger.db
        .insertInto('deliveryAttempts')
        .values({ ...attempt, ...ended, dispatch: 2, revision: 2, contentHash: 'sent' })
        .execute();
    }
    await connect('B');
    await recordAnswer(ledger.db, { deliveryId: id, number: 1, answer: { kind: 'done', remote: null } });
    assert.deepEqual(await sent.copies(), copies);
  });
}

for (const [when, isLate] of [
  ['after', true],
  ['before', false],
] as const)
  for (const [what, deleted, due] of [
    ['deleted is made anew', true, 'create'],
    ['only hidden is brought back', false, 'update'],
  ] as const) {
    test(`a post whose withdrawal was answered ${when} the change of account: what was ${what} when its account returns and its article is public again (F27)`, async () => {
      const answer = { kind: 'done', remote: null, deleted } as const;
      const answered = isLate ? {} : { answer: JSON.stringify(answer), answeredAt: new Date() };
      const open = { action: 'withdraw', ...answered } as const;
      const { connect, row, id, articleId } = await deliverAtA(
        { ...LIVE, state: 'delivering' },
        { status: 'DRAFT' },
        open,
      );
      await connect('B');
      if (isLate) await recordAnswer(ledger.db, { deliveryId: id, number: 1, answer });
      await connect('A');
      const { state, remoteId, remoteUrl, withdrawnAt, formerRemoteIds } = await row();
      const gone = [null, null, ['105']];
      assert.deepEqual([remoteId, remoteUrl, formerRemoteIds], deleted ? gone : ['105', URL_AT_A, []]);
      assert.deepEqual([state, withdrawnAt !== null], ['stale', true], 'the desk says that it is withdrawn');
      const published = { status: 'PUBLISHED', revision: 2, dispatch: 2 } as const;
      await ledger.db.updateTable('articles').set(published).where('id', '=', articleId).execute();
      const loaded = await loadDelivery(ledger.db, { articleId, destination }, 'https://here.example');
      const platform = findDestination(deleted ? 'linkedin' : 'forem');
      assert.equal(loaded && nextStep(loaded.situation, platform, TIMEOUTS).kind, due);
    });
  }

for (const [what, published] of [
  ['is taken back', {}],
  ['is public again, and was found not to be changeable', { status: 'PUBLISHED', revision: 2, dispatch: 2 }],
] as const)
  test(`a withdrawal that deleted the post, and is answered when its account has returned already: the article ${what} (F27)`, async () => {
    const open = { action: 'withdraw' } as const;
    const { connect, row, id, articleId, woken } = await deliverAtA(
      { ...LIVE, state: 'delivering', deliveredHash: null },
      { status: 'DRAFT' },
      open,
    );
    await connect('B');
    await connect('A');
    await ledger.db
      .updateTable('articles')
      .set({ ...published, dispatchedAt: new Date() })
      .where('id', '=', articleId)
      .execute();
    const plan = async () => {
      const loaded = await loadDelivery(ledger.db, { articleId, destination }, 'https://here.example');
      return loaded && nextStep(loaded.situation, findDestination('linkedin'), TIMEOUTS);
    };
    if ('dispatch' in published) {
      const { dispatch } = published;
      await recordUnchangeable(ledger.db, id, { dispatch, reason: 'It stays as it is.', now: new Date() });
    }
    await ledger.db.deleteFrom('outbox').where('articleId', '=', articleId).execute();
    for (let again = 0; again < 2; again++)
      await recordAnswer(ledger.db, {
        deliveryId: id,
        number: 1,
        answer: { kind: 'done', remote: null, deleted: true },
      });
    const { state, remoteId, remoteUrl, lastErrorCode, withdrawnAt, formerRemoteIds } = await row();
    assert.deepEqual([state, remoteId, remoteUrl, lastErrorCode], ['stale', null, null, null]);
    assert.deepEqual([withdrawnAt !== null, formerRemoteIds], [true, ['105']]);
    assert.equal(await woken(), true);
    assert.equal((await plan())?.kind, 'dispatch' in published ? 'create' : 'rest');
  });

test('an attempt that stayed open is looked up when its account returns (F27)', async () => {
  const { connect, row, woken } = await deliverAtA({ state: 'unknown' }, {}, {});
  await connect('B');
  await connect('A');
  assert.equal((await row()).state, 'delivering');
  assert.equal(await woken(), true);
});

test('the same account with another key: its pause is kept, and held deliveries are sent', async () => {
  const { connect, authorId, row } = await deliverAtA({ ...LIVE, state: 'held' });
  const blockedUntil = new Date(Date.now() + 600_000);
  await ledger.db.updateTable('connections').set({ blockedUntil }).where('userId', '=', authorId).execute();
  await connect('A', { name: 'A, renamed' });
  const connection = await ledger.db
    .selectFrom('connections')
    .select('blockedUntil')
    .where('userId', '=', authorId)
    .executeTakeFirst();
  assert.deepEqual(connection?.blockedUntil, blockedUntil);
  assert.deepEqual([(await row()).state, (await row()).remoteId], ['pending', '105']);
});

test('an account that was connected without a probe is the one that is probed at its address, however that is spelled (F27)', async () => {
  const userId = await ledger.addAuthor();
  const place = { userId, destination, platform: 'ghost', credentials: {}, now: new Date() } as const;
  const account = { identity: 'uuid', name: 'Site', formerIdentities: ['site.example'] };
  const normalizeBaseUrl = (url: string) => url.replace(/\/ghost$/, '');
  const probed = { ...place, baseUrl: 'https://site.example', account, normalizeBaseUrl };
  const unprobed = { ...place, baseUrl: 'https://site.example/ghost' };
  await connectDestination(ledger.db, sealer, probed);
  await connectDestination(ledger.db, sealer, unprobed);
  const articleId = await ledger.addArticle(userId);
  const id = await ledger.addDelivery(articleId, LIVE);
  await connectDestination(ledger.db, sealer, probed);
  assert.equal((await ledger.delivery(id)).remoteId, '105');
  const accounts = await ledger.db.selectFrom('accounts').select('identity').where('userId', '=', userId).execute();
  assert.deepEqual(accounts, [{ identity: 'uuid' }]);
});

test('posts of two sites may have one id; a post of one account is one article’s, whoever is connected to it', async () => {
  const [one, two] = [await deliverAtA(LIVE), await deliverAtA({ state: 'pending' })];
  const { accountId } = await two.row();
  assert.ok(accountId);
  assert.equal(await isRemotePostTaken(ledger.db, { accountId, remoteId: '105', exceptDeliveryId: two.id }), true);
  await two.connect('B');
  const { accountId: atB } = await two.row();
  assert.ok(atB);
  assert.equal(
    await isRemotePostTaken(ledger.db, { accountId: atB, remoteId: '105', exceptDeliveryId: two.id }),
    false,
  );
  await one.connect('B');
  assert.equal(
    await isRemotePostTaken(ledger.db, { accountId, remoteId: '105', exceptDeliveryId: two.id }),
    true,
    'kept for its return',
  );
});
