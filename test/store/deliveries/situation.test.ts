/** The input of a plan: the rows of a delivery, its article and its connection in one snapshot. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { loadDelivery } from '../../../store/deliveries/situation.ts';
import { openTestLedger, type TestLedger } from '../../support/database/ledger.ts';

let ledger: TestLedger;
before(async () => {
  ledger = await openTestLedger();
});
after(() => ledger.close());

const SITE = 'https://here.example';
const load = (articleId: string) => loadDelivery(ledger.db, { articleId, destination: 'blogsite_a' }, SITE);
async function loadFound(articleId: string) {
  return (await load(articleId)) ?? assert.fail('there is no delivery');
}
/** A number of milliseconds ago, as a whole number of hours. */
const inHours = (ms: number | null | undefined) => ms && Math.round(ms / 3_600_000);
const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000);

test('a delivery that was never attempted', async () => {
  const authorId = await ledger.addAuthor();
  const connectionId = await ledger.addConnection(authorId);
  const more = { slug: 'never-sent', title: 'Never sent', subtitle: 'Sub', tags: ['a'], dispatch: 3, revision: 2 };
  const articleId = await ledger.addArticle(authorId, {
    ...{ ...more, derived: JSON.stringify({ excerpt: 'About it.' }), coverImage: '/c.png', createdAt: hoursAgo(2) },
  });
  const deliveryId = await ledger.addDelivery(articleId, { dueAt: new Date() });
  const { accountId } = await ledger.delivery(deliveryId);
  const { situation, budget, ...loaded } = await loadFound(articleId);
  const { hash, ageMs, ...article } = situation.article;
  assert.deepEqual(article, {
    ...{ status: 'PUBLISHED', dispatch: 3, isSelected: true, isImported: false, isEligible: true, isSuspended: false },
  });
  assert.match(hash, /^[0-9a-f]{64}$/);
  assert.equal(inHours(ageMs), 2);
  const connection = { id: connectionId, accountId, platform: 'forem', status: 'active', version: 1 };
  assert.deepEqual(situation.connection, connection);
  assert.deepEqual(situation.delivery, {
    ...{ id: deliveryId, version: situation.delivery.version, presence: 'absent', hasLiveCopy: false },
    ...{ remoteId: null, remoteUrl: null, contentHash: null, handledDispatch: 0, skippedDispatch: 0 },
    ...{ withdrawRequested: false, failedWith: null, overwrite: false, inFlight: null, unanswered: [] },
    ...{ wasAttempted: false, wasRestored: false },
  });
  const canonicalUrl = `${SITE}/never-sent`;
  assert.deepEqual(loaded, {
    article: {
      ...{ id: articleId, slug: 'never-sent', title: 'Never sent', subtitle: 'Sub', tags: ['a'], canonicalUrl },
      ...{ coverImage: '/c.png', generateToc: loaded.article.generateToc, body: 'Words.', excerpt: 'About it.' },
      commentsEnabled: loaded.article.commentsEnabled,
    },
    ...{ authorId, revision: 2, lookUp: { canonicalUrl, slug: 'never-sent', title: 'Never sent' } },
    ...{ unchangedSince: null, withdrawnAt: null },
  });
  assert.ok(budget);
});

test('the hash of the content is of everything that a destination shows, and nothing else', async () => {
  const articleId = await ledger.addArticle(await ledger.addAuthor());
  const change = (set: Record<string, unknown>) =>
    ledger.db.updateTable('articles').set(set).where('id', '=', articleId).execute();
  const read = async () => (await loadFound(articleId)).situation.article.hash;
  const hashes = [await read()];
  for (const set of [
    ...[
      { slug: 'changed' },
      { title: 'Changed' },
      { subtitle: 'Changed' },
      { tags: ['changed'] },
      { body: 'Changed.' },
    ],
    ...[{ givenCanonicalUrl: 'https://there.example' }, { coverImage: '/changed.png' }, { commentsEnabled: false }],
    ...[{ generateToc: true }, { derived: JSON.stringify({ excerpt: 'Changed.' }) }],
  ]) {
    await change(set);
    hashes.push(await read());
  }
  assert.equal(new Set(hashes).size, hashes.length);
  await change({ status: 'DRAFT', dispatch: 9, revision: 9, updatedAt: hoursAgo(1), language: 'de' });
  assert.equal(await read(), hashes.at(-1));
});

test('an article that is hidden, empty, imported or of a suspended author is loaded as such', async () => {
  const authorId = await ledger.addAuthor();
  const articleId = await ledger.addArticle(authorId, {
    ...{ status: 'DRAFT', imported: true, body: ' \n', givenCanonicalUrl: 'https://there.example/original' },
  });
  await ledger.db.updateTable('users').set({ suspendedAt: new Date() }).where('id', '=', authorId).execute();
  const { situation, lookUp } = await loadFound(articleId);
  const { status, isSelected, isImported, isEligible, isSuspended } = situation.article;
  assert.deepEqual([status, isSelected, isImported, isEligible, isSuspended], ['DRAFT', false, true, false, true]);
  assert.equal(lookUp.canonicalUrl, 'https://there.example/original');
  assert.equal(situation.connection, null);
});

test('the row of a destination is created as handled, because nothing is due without a publish', async () => {
  const authorId = await ledger.addAuthor();
  const articleId = await ledger.addArticle(authorId, { dispatch: 4 });
  await ledger.db.deleteFrom('deliveries').where('articleId', '=', articleId).execute();
  const { situation } = await loadFound(articleId);
  assert.equal(situation.delivery.handledDispatch, 4);
  const rows = ledger.db.selectFrom('deliveries').select(['id', 'dueAt']).where('articleId', '=', articleId);
  assert.deepEqual(await rows.execute(), [{ id: situation.delivery.id, dueAt: null }]);
  assert.equal(await load(crypto.randomUUID()), null);
});

test('a copy with an open update of unknown outcome', async () => {
  const authorId = await ledger.addAuthor();
  await ledger.addConnection(authorId, 'blogsite_a', { status: 'unauthorised', statusReason: 'No.', version: 5 });
  const articleId = await ledger.addArticle(authorId);
  const attemptId = crypto.randomUUID();
  const answer = { kind: 'unknown', reason: 'cut' };
  const lookUp = { canonicalUrl: 'https://former.example', slug: 'former', title: 'Former' };
  const copy = {
    ...{ remoteId: 'r', remoteUrl: 'https://there.example/r', contentHash: 'h', revision: 1, remoteChangedAt: 't' },
  };
  const open = {
    action: 'update' as const,
    ...{ id: attemptId, dispatch: 1, contentHash: 'sent', startedAt: hoursAgo(3) },
    ...{ repeatedAt: null, answer: JSON.stringify(answer), answeredAt: hoursAgo(2), unknownDispatch: 1 },
    ...{ lookUp: JSON.stringify(lookUp), payload: JSON.stringify({}) },
  };
  const failed = { action: 'create', outcome: 'failed', code: 'invalid', startedAt: hoursAgo(5) } as const;
  await ledger.addDelivery(articleId, {
    ...{ handledDispatch: 1, skippedDispatch: 1, withdrawRequested: true, copy, attempts: [failed, open] },
  });
  const { situation, unchangedSince, lookUp: loadedLookUp } = await loadFound(articleId);
  assert.deepEqual([situation.connection?.status, situation.connection?.version], ['unauthorised', 5]);
  const { inFlight, unanswered, ...delivery } = situation.delivery;
  assert.deepEqual(
    { ...inFlight, sentMsAgo: inHours(inFlight?.sentMsAgo), answeredMsAgo: inHours(inFlight?.answeredMsAgo) },
    {
      ...{ id: attemptId, action: 'update', dispatch: 1, sentMsAgo: 3, answeredMsAgo: 2, answer },
      ...{ unknownDispatch: 1, canRepeat: true },
    },
  );
  assert.deepEqual(unanswered, [], 'a request of three hours ago cannot arrive any more');
  const { presence, hasLiveCopy, remoteId, remoteUrl, contentHash, ...more } = delivery;
  assert.deepEqual([presence, hasLiveCopy, remoteId, remoteUrl, contentHash], ['live', true, 'r', copy.remoteUrl, 'h']);
  assert.deepEqual([more.handledDispatch, more.skippedDispatch, more.withdrawRequested], [1, 1, true]);
  assert.equal(more.wasAttempted, true);
  assert.deepEqual([unchangedSince, loadedLookUp], [null, lookUp], 'the update may have changed the time');
});

test('requests that may still arrive are listed newest first, and the time of the copy counts without them', async () => {
  const authorId = await ledger.addAuthor();
  await ledger.addConnection(authorId);
  const articleId = await ledger.addArticle(authorId);
  const ended = { outcome: 'retried', code: 'outcome_unknown' } as const;
  const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000);
  const deliveryId = await ledger.addDelivery(articleId, {
    copy: { remoteId: 'r', contentHash: 'h', revision: 1, remoteChangedAt: 't' },
    attempts: [
      { ...ended, action: 'create', contentHash: 'created', startedAt: minutesAgo(40) },
      { ...ended, action: 'withdraw', contentHash: 'old', startedAt: minutesAgo(30) },
      { ...ended, action: 'update', contentHash: 'new', startedAt: minutesAgo(20) },
      { ...ended, action: 'update', outcome: 'failed', contentHash: '', wasSent: false, startedAt: minutesAgo(10) },
    ],
  });
  const { situation, unchangedSince } = await loadFound(articleId);
  const listed = situation.delivery.unanswered.map(({ sentMsAgo, ...sent }) => [
    ...[sent.action, sent.hash, Math.round(sentMsAgo / 60_000)],
  ]);
  assert.deepEqual(listed, [
    ['update', 'new', 20],
    ['withdraw', 'old', 30],
  ]);
  assert.deepEqual([unchangedSince, situation.delivery.failedWith], ['t', 'outcome_unknown']);
  await ledger.db.updateTable('deliveries').set({ overwrite: true }).where('id', '=', deliveryId).execute();
  const overwriting = await loadFound(articleId);
  assert.deepEqual([overwriting.unchangedSince, overwriting.situation.delivery.overwrite], [null, true]);
});

test('a deleted copy has no id for an update, and a restored ledger is loaded as such', async () => {
  const authorId = await ledger.addAuthor();
  await ledger.addConnection(authorId);
  const articleId = await ledger.addArticle(authorId);
  const withdrawnAt = hoursAgo(1);
  const copy = { remoteId: 'r', presence: 'deleted', withdrawnAt } as const;
  await ledger.addDelivery(articleId, { copy, attempts: [{ action: 'withdraw', outcome: 'withdrawn' }] });
  const { situation, withdrawnAt: loadedAt } = await loadFound(articleId);
  const { remoteId, presence, wasRestored, wasAttempted, failedWith } = situation.delivery;
  assert.deepEqual([remoteId, presence, loadedAt], [null, 'deleted', withdrawnAt]);
  assert.deepEqual([wasRestored, wasAttempted, failedWith], [false, false, null]);
  await ledger.db.insertInto('restores').defaultValues().execute();
  assert.equal((await loadFound(articleId)).situation.delivery.wasRestored, true);
});
