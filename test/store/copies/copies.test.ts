/** Tests the list of an article's copies: live, uncertain, and withdrawn by request. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { DestinationAnswer, RecordedOutcome } from '../../../delivery/types.ts';
import { countUndeletedCopies, listCopiesOfArticles, listUndeletedCopies } from '../../../store/copies/copies.ts';
import { openTestLedger, type TestLedger } from '../../support/database/ledger.ts';
import { begin, CUT, FAILED, MADE, RETRY, type StartedDelivery } from '../deliveries/support/begun.ts';

let ledger: TestLedger;
before(async () => {
  ledger = await openTestLedger();
});
after(() => ledger.close());

const URL = 'https://there.example/r';
const summarize = async ({ copies }: Pick<StartedDelivery, 'copies'>) =>
  (await copies()).map(({ isLive, isUncertain }) => (isLive ? 'live' : isUncertain ? 'uncertain' : 'none'));

test('live copies and copies withdrawn by request are listed with their connection and account', async () => {
  const authorId = await ledger.addAuthor();
  const articleId = await ledger.addArticle(authorId, { revision: 2 });
  const add = async (destination: 'blogsite_a' | 'blogsite_b' | 'blogsite_c' | 'cms_site', copy: object, more = {}) => {
    const status = destination === 'blogsite_a' ? ({ status: 'unauthorised' } as const) : {};
    await ledger.addConnection(authorId, destination, { baseUrl: `https://${destination}.example`, ...status });
    await ledger.addDelivery(articleId, { destination, copy: { remoteUrl: URL, ...copy }, ...more });
  };
  await add('blogsite_a', { revision: 2 });
  await add('blogsite_b', { remoteUrl: null, revision: 1 });
  await add('blogsite_c', { presence: 'hidden', withdrawnAt: new Date() }, { withdrawRequested: true });
  await add('cms_site', { presence: 'hidden', withdrawnAt: new Date() });
  const copies = await listCopiesOfArticles(ledger.db, { authorId, articleIds: [articleId] });
  const none = {
    articleId,
    account: null,
    isFormer: false,
    isSelected: true,
    isOriginal: false,
    isOutdated: true,
    isWithdrawn: false,
  };
  const live = { ...none, isLive: true, isUncertain: false };
  const active = { platform: 'forem', status: 'active' };
  assert.deepEqual(copies, [
    {
      ...live,
      destination: 'blogsite_a',
      url: URL,
      connection: { ...active, status: 'unauthorised' },
      isOutdated: false,
    },
    { ...live, destination: 'blogsite_b', url: null, connection: active },
    { ...live, destination: 'blogsite_c', url: URL, connection: active, isLive: false, isWithdrawn: true },
  ]);
});

test('live and uncertain copies, also at former accounts, remain when their author leaves; hidden ones do not', async () => {
  const authorId = await ledger.addAuthor();
  await ledger.addConnection(authorId);
  for (const isFormer of [false, true]) {
    for (const presence of ['live', 'uncertain', 'hidden', 'deleted', 'absent'] as const) {
      const articleId = await ledger.addArticle(authorId);
      const former = isFormer ? { accountId: await ledger.addAccount(authorId) } : {};
      const copy = {
        presence,
        remoteId: articleId,
        remoteUrl: `${URL}/${presence}/${isFormer ? 'former' : 'current'}`,
      };
      await ledger.addDelivery(articleId, { ...former, copy });
    }
  }
  const remaining = await listUndeletedCopies(ledger.db, authorId, { limit: 10, after: null });
  assert.deepEqual(remaining.map(({ url, isUncertain }) => [url?.slice(URL.length), isUncertain]).toSorted(), [
    ['/live/current', false],
    ['/live/former', false],
    ['/uncertain/current', true],
    ['/uncertain/former', true],
  ]);
  assert.equal(await countUndeletedCopies(ledger.db, authorId), 4);
});

test('an author does not see the copies of another author’s article (A18)', async () => {
  const { articleId } = await begin(ledger, { copy: {} });
  assert.deepEqual(
    await listCopiesOfArticles(ledger.db, { authorId: await ledger.addAuthor(), articleIds: [articleId] }),
    [],
  );
});

const NO = { kind: 'rejected', code: 'refused', reason: 'No.' } as const;
const AWAY = { kind: 'unavailable', reason: 'away' } as const;
const AFTER_CREATE: [
  what: string,
  answer: DestinationAnswer | null,
  outcome: RecordedOutcome | null,
  copies: string[],
][] = [
  ['without an answer', null, null, ['uncertain']],
  ['of unknown outcome', CUT, null, ['uncertain']],
  ['of unknown outcome that was reported to the author', CUT, { ...FAILED, state: 'unknown' }, ['uncertain']],
  ['that was rejected but may have been saved', { ...NO, mayBeSaved: true }, null, ['uncertain']],
  ['with a post that is not recorded yet', MADE, null, ['live']],
  ['that was rejected', NO, FAILED, []],
  ['that never reached its destination', AWAY, RETRY, []],
  ['that made no post, as a look-up proved', CUT, { kind: 'absent' }, []],
];
for (const [what, answer, ending, copies] of AFTER_CREATE) {
  test(`a create ${what} is listed as ${copies[0] ?? 'none'} (F27)`, async () => {
    const begun = await begin(ledger);
    const sent = await begun.mark();
    if (answer) await begun.answer(sent, answer);
    if (ending) await begun.end(sent, ending);
    assert.deepEqual(await summarize(begun), copies);
  });
}

const UPDATED = { presence: 'hidden', remoteUrl: URL, contentHash: 'old', withdrawnAt: new Date() } as const;
const AFTER_UPDATE: typeof AFTER_CREATE = [
  ['had an unknown outcome and is retried', CUT, { ...RETRY, code: 'outcome_unknown' }, ['live']],
  ['had an unknown outcome and was given up', CUT, { ...FAILED, code: 'gave_up' }, ['live']],
  ['got no answer', null, null, ['uncertain']],
  ['was rejected', NO, FAILED, []],
  ['never reached its destination', AWAY, RETRY, []],
];
for (const [what, answer, ending, copies] of AFTER_UPDATE) {
  test(`a hidden copy is listed as ${copies[0] ?? 'none'} after its update ${what} (F27)`, async () => {
    const begun = await begin(ledger, { dueAt: new Date(), copy: UPDATED });
    const sent = await begun.mark();
    if (answer) await begun.answer(sent, answer);
    if (ending) await begun.end(sent, ending);
    assert.deepEqual(await summarize(begun), copies);
  });
}

test('an unanswered update or withdrawal does not add a second copy', async () => {
  for (const status of ['PUBLISHED', 'DRAFT'] as const) {
    const begun = await begin(ledger, { dueAt: new Date(), copy: { remoteUrl: URL, contentHash: 'old' } }, { status });
    await begun.mark();
    assert.deepEqual(await summarize(begun), ['live']);
  }
});

test('a copy that an unanswered update may have restored is listed until it is withdrawn again (F27)', async () => {
  const begun = await begin(ledger, { dueAt: new Date(), copy: { remoteUrl: URL, contentHash: 'old' } });
  await begun.mark();
  const draft = { status: 'DRAFT', dispatch: 2 } as const;
  await ledger.db.updateTable('articles').set(draft).where('id', '=', begun.articleId).execute();
  const withdrawal = await begun.mark();
  await begun.answer(withdrawal, { kind: 'done', remote: null });
  await begun.end(withdrawal, { kind: 'withdrawn', deleted: false, mayReturn: true });
  assert.deepEqual([await summarize(begun), await begun.step()], [['uncertain'], 'wait']);
});
