/**
 * Tests a change of account and back: undelivered articles are offered at the returning account
 * (F41).
 */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, test } from 'node:test';
import { connectDestination } from '../../../store/connections/connect.ts';
import { listOffers } from '../../../store/deliveries/offers.ts';
import { createSealer } from '../../../store/secrets/sealing.ts';
import { type AddedDelivery, openTestLedger, type TestLedger } from '../../support/database/ledger.ts';
import { begin } from '../deliveries/support/begun.ts';

let ledger: TestLedger;
before(async () => {
  ledger = await openTestLedger();
});
after(() => ledger.close());

const sealer = createSealer(randomBytes(32));
const destination = 'blogsite_a';

function connect(userId: string, name: string) {
  // The ledger identifies its account by the author.
  const account = { identity: name, name, ...(name === 'A' && { formerIdentity: userId }) };
  return connectDestination(ledger.db, sealer, {
    ...{ userId, destination, platform: 'forem', credentials: {} },
    ...{ baseUrl: 'https://forem.example/api', account },
  });
}

async function isOffered({ authorId, articleId }: { authorId: string; articleId: string }): Promise<boolean> {
  const offers = await listOffers(ledger.db, { authorId, destination });
  return offers.some((one) => one.articleId === articleId);
}

const DUE = { dueAt: new Date() };
const NO_COPY = { remoteId: null, presence: 'absent' } as const;
const TRIED: [what: string, delivery: AddedDelivery][] = [
  ['not attempted', DUE],
  ['in a pause after a 503', { ...DUE, copy: NO_COPY, attempts: [{ outcome: 'retried', code: 'unavailable' }] }],
  ['held for a refused key', { ...DUE, copy: NO_COPY, attempts: [{ outcome: 'retried', code: 'unauthorised' }] }],
  ['looked up and not found', { ...DUE, copy: NO_COPY, attempts: [{ outcome: 'absent', code: 'made_nothing' }] }],
];
for (const [what, delivery] of TRIED) {
  test(`a delivery that is ${what} is offered when its account returns`, async () => {
    const begun = await begin(ledger, delivery);
    for (const name of ['A', 'B', 'A']) await connect(begun.authorId, name);
    assert.equal(await isOffered(begun), true);
    assert.equal((await begun.row()).errorCode, 'other_account');
  });
}

test('a create rejected after a change of account is offered when its account returns', async () => {
  const begun = await begin(ledger);
  await connect(begun.authorId, 'A');
  const sent = await begun.mark();
  await connect(begun.authorId, 'B');
  await begun.answer(sent, { kind: 'unavailable', reason: 'Away.' });
  await connect(begun.authorId, 'A');
  assert.equal(await isOffered(begun), true);
});
