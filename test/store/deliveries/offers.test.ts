/** Tests that offers are exactly the articles that can be sent to the account. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { listOffers } from '../../../store/deliveries/offers.ts';
import { openTestLedger, type TestLedger } from '../../support/database/ledger.ts';
import { begin } from './support/begun.ts';

let ledger: TestLedger;
before(async () => {
  ledger = await openTestLedger();
});
after(() => ledger.close());

const listIds = async (target: Parameters<typeof listOffers>[1]) =>
  (await listOffers(ledger.db, target)).map(({ articleId }) => articleId);

test('an article that was never sent to the account is offered', async () => {
  const { articleId, target, step } = await begin(ledger, {});
  assert.deepEqual(await listIds(target), [articleId]);
  assert.equal(await step(), 'create');
});

for (const body of ['', ' \n\t\n']) {
  test(`an article with the body ${JSON.stringify(body)} is neither sent nor offered`, async () => {
    const { target, step } = await begin(ledger, {}, { body });
    assert.equal(await step(), 'nothing');
    assert.deepEqual(await listIds(target), []);
  });
}
