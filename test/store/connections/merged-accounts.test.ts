/** Tests the merge of two rows of one account. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, test } from 'node:test';
import { connectDestination } from '../../../store/connections/connect.ts';
import { mergeAccounts } from '../../../store/connections/merge-accounts.ts';
import { listCopiesOfArticles } from '../../../store/copies/copies.ts';
import { createSealer } from '../../../store/secrets/sealing.ts';
import { openTestLedger, type TestLedger } from '../../support/database/ledger.ts';
import { begin, REMOTE } from '../deliveries/support/begun.ts';

let ledger: TestLedger;
before(async () => {
  ledger = await openTestLedger();
});
after(() => ledger.close());

const sealer = createSealer(randomBytes(32));

async function connectTwo() {
  const userId = await ledger.addAuthor();
  const connect = (identity: string, formerIdentities: string[] = []) =>
    connectDestination(ledger.db, sealer, {
      ...{ userId, destination: 'blogsite_a', platform: 'forem', credentials: {} },
      ...{ baseUrl: 'https://there.example/api', account: { identity, name: 'site', formerIdentities } },
    });
  for (const identity of ['address', 'uuid']) await connect(identity);
  const addCopy = async (articleId: string, identity: string, remoteId: string) => {
    const { id } = await ledger.db
      .selectFrom('accounts')
      .select('id')
      .where('userId', '=', userId)
      .where('identity', '=', identity)
      .executeTakeFirstOrThrow();
    const remote = { remoteId, remoteUrl: `https://there.example/${remoteId}` };
    const copy = { articleId, accountId: id, ...remote, presence: 'live', contentHash: 'h', revision: 1 } as const;
    await ledger.db.insertInto('copies').values(copy).execute();
  };
  return { userId, addCopy, merge: () => connect('uuid', ['address']) };
}

test('after a merge with two posts of one article, one is current and the other is a former copy', async () => {
  const { userId, addCopy, merge } = await connectTwo();
  const articleId = await ledger.addArticle(userId, { dispatch: 1 });
  await ledger.addDelivery(articleId, { handledDispatch: 1 });
  await addCopy(articleId, 'address', '1');
  await addCopy(articleId, 'uuid', '2');
  await merge();
  const copies = await listCopiesOfArticles(ledger.db, { authorId: userId, articleIds: [articleId] });
  assert.deepEqual(
    copies.map(({ url, isFormer, connection }) => [url, isFormer, connection !== null]),
    [
      ['https://there.example/2', false, true],
      ['https://there.example/1', true, false],
    ],
  );
});

test('a post recorded for two articles does not prevent the connection of the account', async () => {
  const { userId, addCopy, merge } = await connectTwo();
  await addCopy(await ledger.addArticle(userId), 'address', '5');
  await addCopy(await ledger.addArticle(userId), 'uuid', '5');
  await merge();
  const rows = await ledger.db.selectFrom('copies').select('id').where('remoteId', '=', '5').execute();
  assert.equal(rows.length, 1);
});

test('a look-up result ends an attempt at a merged account', async () => {
  const { authorId, articleId, mark, decision, end, outcomes, row } = await begin(ledger);
  const { accountId: from } = await row();
  await mark();
  const into = await ledger.addAccount(authorId);
  const copy = {
    articleId,
    accountId: into,
    presence: 'live',
    remoteId: 'r',
    remoteUrl: REMOTE.url,
    revision: 1,
  } as const;
  await ledger.db.insertInto('copies').values(copy).execute();
  await ledger.db.transaction().execute((tx) => mergeAccounts(tx, { from: from ?? '', into }));
  await end(await decision(), { kind: 'adopted', remote: REMOTE });
  assert.deepEqual(await outcomes(), ['adopted']);
});
