/** Tests the article addresses that a look-up considers after a restore. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { findOrCreateAccount } from '../../../store/connections/accounts.ts';
import { listRestoredAddresses } from '../../../store/copies/post-owner.ts';
import { openTestLedger, type TestLedger } from '../../support/database/ledger.ts';

let ledger: TestLedger;
before(async () => {
  ledger = await openTestLedger();
});
after(() => ledger.close());

const SITE = 'https://courant.example';

async function addAuthorAt(origin: string) {
  const userId = await ledger.addAuthor();
  const place = { destination: 'blogsite_a', platform: 'forem', baseUrl: `${origin}/api` } as const;
  const accountId = await findOrCreateAccount(ledger.db, { userId, ...place, account: { identity: '7', name: '7' } });
  return { userId, accountId };
}

test('after a restore, a look-up considers the slugs of the article and of all authors at its account', async () => {
  const [ann, ben, stranger] = await Promise.all(
    ['https://shared.example', 'https://shared.example', 'https://other.example'].map(addAuthorAt),
  );
  assert.ok(ann && ben && stranger);
  const articleId = await ledger.addArticle(ann.userId, { slug: 'now' });
  const other = await ledger.addArticle(ann.userId, { slug: 'other' });
  await ledger.addArticle(ben.userId, { slug: 'größe' });
  await ledger.addArticle(stranger.userId, { slug: 'strange' });
  const redirects = [
    { slug: 'once', articleId },
    { slug: 'other-once', articleId: other },
  ];
  await ledger.db.insertInto('slugRedirects').values(redirects).execute();

  const list = () => listRestoredAddresses(ledger.db, { accountId: ann.accountId, articleId }, SITE);
  assert.equal(await list(), null);
  await sql`insert into restores default values`.execute(ledger.db);
  const found = await list();
  assert.equal(found?.siteUrl, SITE);
  assert.deepEqual([...(found?.formerUrls ?? [])].sort(), [`${SITE}/now`, `${SITE}/once`]);
  const others = [`${SITE}/gr%C3%B6%C3%9Fe`, `${SITE}/other`, `${SITE}/other-once`];
  assert.deepEqual([...(found?.otherUrls ?? [])].sort(), others);
});
