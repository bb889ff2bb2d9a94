/**
 * Tests a change of account on every platform: posts of other accounts are untouched, all copies
 * listed.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import {
  DEMO_HASHNODE_PUBLICATION,
  DEMO_LINKEDIN_PERSON,
  DEMO_MEDIUM_USER,
  OTHER_HASHNODE_PUBLICATION,
  SECOND_HASHNODE_PUBLICATION,
  SECOND_LINKEDIN_PERSON,
  SECOND_MEDIUM_USER,
} from '../../../sandbox/accounts.ts';
import {
  connectAccount,
  disconnect,
  findAccount,
  listPostsAt,
  listSandboxPosts,
  startWorldOfAccounts,
  withdrawal,
} from '../../support/api/accounts.ts';
import type { DeliveryWorld } from '../../support/delivery/delivery.ts';
import {
  listEvents,
  publishArticle,
  waitForDeliveryEnd,
  waitForWithdrawal,
} from '../../support/delivery/publishing.ts';
import { readDelivery } from '../../support/delivery/seen-deliveries.ts';
import { eventually } from '../../support/eventually.ts';

let world: DeliveryWorld;
before(async () => {
  world = await startWorldOfAccounts();
});
after(() => world.close());

/** `canCopy`: false at Forem, which rejects a canonical URL that another of its accounts uses. */
const WITHDRAWS = { canWithdraw: true, canUpdate: true, canCopy: true };
const PAIRS = [
  { platform: 'wordpress', first: 'wordpress/demo', second: 'wordpress-b/demo', ...WITHDRAWS },
  { platform: 'wordpress', first: 'wordpress-b/demo', second: 'wordpress-b/guest', ...WITHDRAWS },
  { platform: 'ghost', first: 'ghost-site', second: 'ghost-site-b', ...WITHDRAWS },
  { platform: 'forem', first: 'demo', second: 'second', ...WITHDRAWS, canCopy: false },
  { platform: 'hashnode', first: DEMO_HASHNODE_PUBLICATION, second: SECOND_HASHNODE_PUBLICATION, ...WITHDRAWS },
  { platform: 'hashnode', first: DEMO_HASHNODE_PUBLICATION, second: OTHER_HASHNODE_PUBLICATION, ...WITHDRAWS },
  {
    platform: 'medium',
    first: DEMO_MEDIUM_USER,
    second: SECOND_MEDIUM_USER,
    canWithdraw: false,
    canUpdate: false,
    canCopy: true,
  },
  {
    platform: 'linkedin',
    first: `urn:li:person:${DEMO_LINKEDIN_PERSON}`,
    second: `urn:li:person:${SECOND_LINKEDIN_PERSON}`,
    ...WITHDRAWS,
    canUpdate: false,
  },
];

for (const { platform, first, second, canWithdraw, canUpdate, canCopy } of PAIRS) {
  test(`${platform}, from ${first} to ${second}: no account’s posts are changed for the other, and each copy is listed (F27)`, async () => {
    const title = `Moves from ${first} to ${second}`;
    const author = await world.api.createAuthor(
      `mover-${PAIRS.findIndex((pair) => pair.first === first && pair.second === second)}`,
    );
    const [a, b] = [findAccount(world, platform, first), findAccount(world, platform, second)];
    const { destination } = a;
    const byHand = await listByHand();
    const publish = (text: string) =>
      publishArticle(world, author, { title, cross_post: { [destination]: true } }, text);
    const at = (account: typeof a) => listPostsAt(world, account, title);

    const { account: nameOfA } = await connectAccount(world, author, a);
    const { id } = await publish('One.\n');
    const { remoteUrl: urlAtA } = await world.reaches(id, destination, 'delivered');
    await waitForDeliveryEnd(world, id, destination);
    const [ofA] = await at(a);
    assert.ok(ofA && urlAtA);

    await disconnect(world, author, destination);
    await connectAccount(world, author, b);
    const elsewhere = await readDelivery(world, { author, id, destination });
    assert.equal(elsewhere?.errorCode, 'other_account');
    assert.deepEqual(
      elsewhere.formerCopies.map(({ url, account }) => [url, account]),
      [[urlAtA, nameOfA]],
    );

    await publish('Two.\n');
    if (canCopy) await world.reaches(id, destination, 'delivered');
    else assert.equal((await world.reaches(id, destination, 'failed')).errorCode, 'canonical_taken');
    await waitForDeliveryEnd(world, id, destination);
    assert.deepEqual(await listEvents(world, author), [SUCCESS, canCopy ? SUCCESS : 'CROSS_POST_FAILED']);
    const ofB = await at(b);
    assert.equal(ofB.length, canCopy ? 1 : 0);
    assert.deepEqual(await at(a), [ofA]);

    await connectAccount(world, author, a);
    await publish('Three.\n');
    await waitForDeliveryEnd(world, id, destination);
    const again = await world.reaches(id, destination, canUpdate ? 'delivered' : 'stale');
    assert.deepEqual([again.remoteUrl, again.deliveredRevision], [urlAtA, canUpdate ? 3 : 1]);
    assert.deepEqual(await at(b), ofB);
    const updated = await at(a);
    await connectAccount(world, author, b);

    const copies = await withdrawal(world, author, 'deleteArticle', id);
    if (canCopy && canWithdraw) await waitForWithdrawal(world, id, destination);
    const atA = copies.at(-1);
    if (canCopy) assert.equal(copies[0]?.isWithdrawn, canWithdraw);
    assert.equal(copies.length, canCopy ? 2 : 1);
    assert.deepEqual([atA?.url, atA?.account, atA?.isWithdrawn], [urlAtA, nameOfA, false]);
    assert.match(
      atA?.message ?? '',
      /stays live: the account “.+” is not connected\. Remove it there, or connect it again\./,
    );
    assert.equal(
      (await at(b)).some(({ status }) => status === 'published'),
      canCopy && !canWithdraw,
    );
    assert.deepEqual(await at(a), updated);

    await connectAccount(world, author, a);
    if (canWithdraw) {
      await eventually('the withdrawal of the copy that returned', async () =>
        (await at(a)).every(({ status }) => status !== 'published'),
      );
    }
    assert.deepEqual(await listByHand(), byHand);
    assert.equal((await world.log(title)).filter(({ action }) => action === 'create').length, canCopy ? 2 : 1);
  });
}

test('a look-up after a change of account does not resolve an attempt at the former account', async () => {
  const title = 'Refused, then moved back';
  const author = await world.api.createAuthor('moves-back');
  const [a, b] = [findAccount(world, 'forem', 'demo'), findAccount(world, 'forem', 'second')];
  const { db } = world.api;
  const publish = () => publishArticle(world, author, { title, cross_post: { blogsite_a: true, blogsite_b: false } });
  await connectAccount(world, author, a);
  const { id } = await publish();
  const { remoteId } = await world.reaches(id, 'blogsite_a', 'delivered');
  await connectAccount(world, author, b);
  await publish();
  // Rejected for its canonical URL; a look-up follows to check for a post of this account.
  const answered = db.selectFrom('deliveryAttempts as t').innerJoin('deliveries as d', 'd.id', 't.deliveryId');
  const refused = answered
    .select('t.id')
    .where('d.articleId', '=', id)
    .where(sql<boolean>`t.answer ->> 'kind' = 'rejected'`);
  await eventually('the refusal', async () => (await refused.execute()).length === 1);
  await connectAccount(world, author, a);
  await waitForDeliveryEnd(world, id, 'blogsite_a');
  const copies = await db.selectFrom('copies').select('remoteId').where('articleId', '=', id).execute();
  assert.deepEqual(
    copies.map((copy) => copy.remoteId).filter((one) => one !== null),
    [remoteId],
  );
});

const SUCCESS = 'CROSS_POST_SUCCESS';

async function listByHand() {
  return (await listSandboxPosts(world)).filter((post) => post.byHand);
}
