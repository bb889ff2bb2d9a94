import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { DestinationAnswer } from '../../../delivery/types.ts';
import { listCopies } from '../../../store/deliveries/copies.ts';
import { endAttempt } from '../../../store/deliveries/end-attempt.ts';
import { markAttempt } from '../../../store/deliveries/mark-attempt.ts';
import { recordFailed, recordRetry } from '../../../store/deliveries/record-failure.ts';
import { loadDelivery } from '../../../store/deliveries/situation.ts';
import { openTestLedger, type TestLedger } from '../../support/ledger.ts';

let ledger: TestLedger;
before(async () => {
  ledger = await openTestLedger();
});
after(() => ledger.close());

const STANDING = { isLive: true, isUncertain: false };
const UNCERTAIN = { isLive: false, isUncertain: true };
const URL = 'https://there.example/r';

test('copies that are live, or that their author withdrew, are listed with their connection', async () => {
  const authorId = await ledger.addAuthor();
  await ledger.addConnection(authorId, 'blogsite_a', { status: 'unauthorised' });
  const articleId = await ledger.addArticle(authorId, { revision: 2 });
  const live = { remoteId: 'r', remoteUrl: 'https://there.example/r' };
  const add = (destination: 'blogsite_a' | 'blogsite_b' | 'blogsite_c' | 'cms_site', more: object) =>
    ledger.addDelivery(articleId, { destination, ...more });
  await add('blogsite_a', { ...live, deliveredRevision: 2 });
  await add('blogsite_b', { ...live, remoteUrl: null, deliveredRevision: 1 });
  await add('blogsite_c', { ...live, withdrawnAt: new Date(), withdrawRequested: true });
  await add('cms_site', { ...live, withdrawnAt: new Date() });
  const none = {
    connection: null,
    account: null,
    isFormer: false,
    isOriginal: false,
    isOutdated: true,
    isWithdrawn: false,
    ...STANDING,
  };
  assert.deepEqual(await listCopies(ledger.db, { authorId, articleId }), [
    {
      ...none,
      destination: 'blogsite_a',
      url: live.remoteUrl,
      connection: { platform: 'forem', status: 'unauthorised' },
      isOriginal: false,
      isOutdated: false,
    },
    { ...none, destination: 'blogsite_b', url: null },
    { ...none, destination: 'blogsite_c', url: live.remoteUrl, isLive: false, isWithdrawn: true },
  ]);
});

test('an author does not see the copies of another author’s article (A18)', async () => {
  const articleId = await ledger.addArticle(await ledger.addAuthor());
  await ledger.addDelivery(articleId, { remoteId: 'r' });
  assert.deepEqual(await listCopies(ledger.db, { authorId: await ledger.addAuthor(), articleId }), []);
});

const ANSWERS = [
  ['that nobody has answered', null, UNCERTAIN],
  ['of unknown outcome', { kind: 'unknown', reason: 'cut' }, UNCERTAIN],
  [
    'that was refused, and may have been saved',
    { kind: 'rejected', code: 'no', reason: 'No.', maybeSaved: true },
    UNCERTAIN,
  ],
  [
    'that made a post, which is not recorded yet',
    { kind: 'done', remote: { remoteId: 'r', url: URL, changedAt: null } },
    STANDING,
  ],
  ['that was refused', { kind: 'rejected', code: 'no', reason: 'No.' }, null],
  ['that never reached its destination', { kind: 'unavailable', reason: 'away' }, null],
] as const;

for (const [what, answer, found] of ANSWERS) {
  test(`a create ${what} is listed as ${found ? (found.isLive ? 'a live copy' : 'a copy that may be there') : 'none'} (F27)`, async () => {
    const authorId = await ledger.addAuthor();
    await ledger.addConnection(authorId, 'blogsite_c', { platform: 'medium' });
    const articleId = await ledger.addArticle(authorId);
    const open = answer && { answer: JSON.stringify(answer), answeredAt: new Date() };
    await ledger.addDelivery(articleId, { destination: 'blogsite_c', state: 'unknown' }, open ?? {});
    const copies = await listCopies(ledger.db, { authorId, articleId });
    assert.deepEqual(
      copies.map(({ isLive, isUncertain, url, connection }) => ({
        isLive,
        isUncertain,
        url,
        on: connection?.platform,
      })),
      found ? [{ ...found, url: found.isLive ? URL : null, on: 'medium' }] : [],
    );
  });
}

test('an update or a withdrawal that nobody has answered makes no second copy', async () => {
  const authorId = await ledger.addAuthor();
  await ledger.addConnection(authorId);
  for (const action of ['update', 'withdraw'] as const) {
    const articleId = await ledger.addArticle(authorId);
    await ledger.addDelivery(articleId, { remoteId: 'r', remoteUrl: URL }, { action });
    const urls = (await listCopies(ledger.db, { authorId, articleId })).map(({ url }) => url);
    assert.deepEqual(urls, [URL]);
  }
});

/** A withdrawn post whose article is published again: its update is under way. */
async function bringBack(answer: DestinationAnswer | null) {
  const { db } = ledger;
  const authorId = await ledger.addAuthor();
  await ledger.addConnection(authorId);
  const articleId = await ledger.addArticle(authorId);
  const post = { remoteId: 'r', remoteUrl: URL, withdrawnAt: new Date(), state: 'delivering' as const };
  const open = answer && { answer: JSON.stringify(answer), answeredAt: new Date() };
  const deliveryId = await ledger.addDelivery(articleId, post, { action: 'update', ...open });
  const attempt = { deliveryId, attempt: 1, now: new Date() };
  return {
    attempt,
    mark: async () => {
      const loaded = await loadDelivery(db, { articleId, destination: 'blogsite_a' }, 'https://here.example');
      const connection = loaded?.situation.connection;
      assert.ok(connection);
      assert.equal(await markAttempt(db, { ...loaded, connection, action: 'update', payload: null }), 2);
    },
    list: async () =>
      (await listCopies(db, { authorId, articleId })).map(({ isLive, isUncertain }) => ({ isLive, isUncertain })),
  };
}

const UNKNOWN = { kind: 'unknown', reason: 'cut' } as const;
const NO = { kind: 'rejected', code: 'no', reason: 'No.' } as const;
const AWAY = { kind: 'unavailable', reason: 'away' } as const;
const LATER = { nextAttemptAt: new Date(), stillInFlight: false, reason: 'cut' };

const ENDS: [what: string, answer: DestinationAnswer | null, end: (sent: Sent) => Promise<unknown>, found: object[]][] =
  [
    [
      'was cut, and is tried again later',
      UNKNOWN,
      ({ attempt }) => recordRetry(ledger.db, { ...attempt, ...LATER, code: 'outcome_unknown' }),
      [STANDING],
    ],
    [
      'was cut, and was given up',
      UNKNOWN,
      ({ attempt }) => recordFailed(ledger.db, { ...attempt, ...FAILED, code: 'gave_up' }),
      [STANDING],
    ],
    [
      'nobody answered, and a command made void',
      null,
      ({ attempt }) => endAttempt(ledger.db, attempt, { outcome: 'void', now: new Date() }),
      [STANDING],
    ],
    ['nobody answered, and another one followed', null, ({ mark }) => mark(), [STANDING]],
    ['was refused', NO, ({ attempt }) => recordFailed(ledger.db, { ...attempt, ...FAILED, code: 'no' }), []],
    [
      'never reached its destination',
      AWAY,
      ({ attempt }) => recordRetry(ledger.db, { ...attempt, ...LATER, code: 'unavailable' }),
      [],
    ],
  ];
type Sent = Awaited<ReturnType<typeof bringBack>>;
const FAILED = { state: 'failed', dispatch: 1, reason: 'No.', outcomeKey: 'failed' } as const;

for (const [what, answer, end, found] of ENDS) {
  test(`a withdrawn post is ${found.length ? 'a copy' : 'none'} once its update ${what} (F27)`, async () => {
    const sent = await bringBack(answer);
    await end(sent);
    assert.deepEqual(await sent.list(), found);
  });
}
