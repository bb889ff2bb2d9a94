/** An account is who it is, not what it is called: nothing of another account is touched, and every copy is named. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { DestinationKey } from '../../article/types.ts';
import {
  DEMO_HASHNODE_PUBLICATION,
  DEMO_LINKEDIN_PERSON,
  DEMO_MEDIUM_USER,
  OTHER_HASHNODE_PUBLICATION,
  SECOND_HASHNODE_PUBLICATION,
  SECOND_LINKEDIN_PERSON,
  SECOND_MEDIUM_USER,
} from '../../sandbox/accounts.ts';
import {
  connectAccount,
  disconnect,
  findAccount,
  listPostsAt,
  listStanding,
  startWorldOfAccounts,
  takeBack,
} from '../support/accounts.ts';
import type { TestAuthor } from '../support/api.ts';
import type { DeliveryWorld } from '../support/delivery.ts';
import { eventually } from '../support/eventually.ts';
import { publishArticle, waitForDeliveryEnd, waitForWithdrawal } from '../support/publishing.ts';

let world: DeliveryWorld;
before(async () => {
  world = await startWorldOfAccounts();
});
after(() => world.close());

/** `canCopy`: another account of the same Forem is refused an article whose canonical URL is taken there. */
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
  test(`${platform}, ${second} in place of ${first}: nothing of either is touched for the other, and each copy is named (F27)`, async () => {
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
    assert.deepEqual(await listReasons(author), [
      `The copy at ${urlAtA} stays live: it is at the account “${nameOfA}”, and another account is connected now. Publish again to send the article to the new account.`,
    ]);
    const left = await world.reaches(id, destination, 'failed');
    assert.equal(left.errorCode, 'account_changed');

    await publish('Two.\n');
    if (canCopy) await world.reaches(id, destination, 'delivered');
    else assert.equal((await findEnd(id, destination)).errorCode, 'canonical_taken');
    if (canCopy && canUpdate) {
      await publish('Three.\n');
      await eventually('the edit', async () => {
        return (await world.reaches(id, destination, 'delivered')).deliveredRevision === 3;
      });
    }
    await waitForDeliveryEnd(world, id, destination);
    assert.equal((await at(b)).length, canCopy ? 1 : 0);
    assert.deepEqual(await at(a), [ofA]);

    const copies = await takeBack(world, author, 'deleteArticle', id);
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
    assert.deepEqual(await at(a), [ofA]);

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

/** How the publish after the change of account ended. */
function findEnd(articleId: string, destination: DestinationKey) {
  return eventually('the delivery to end', async () => {
    const row = await world.reaches(articleId, destination, 'failed');
    return row.errorCode !== 'account_changed' && row;
  });
}

async function listByHand() {
  return (await listStanding(world)).filter((post) => post.byHand);
}

async function listReasons(author: TestAuthor) {
  const events = await world.notifications(author);
  return events.filter(({ type }) => type === 'CROSS_POST_FAILED').map(({ payload }) => payload.reason);
}
