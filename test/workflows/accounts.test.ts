/** An account is who it is, not what it is called: nothing of another account is touched, and every copy is named. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import {
  connectAccount,
  disconnect,
  findAccount,
  listPostsAt,
  listStanding,
  startWorldOfAccounts,
  takeBack,
} from '../support/accounts.ts';
import type { DeliveryWorld } from '../support/delivery.ts';
import { eventually } from '../support/eventually.ts';
import { publishArticle, waitForDeliveryEnd } from '../support/publishing.ts';

let world: DeliveryWorld;
before(async () => {
  world = await startWorldOfAccounts();
});
after(() => world.close());

const PAIRS = [
  { platform: 'wordpress', first: 'wordpress/demo', second: 'wordpress-b/demo', canWithdraw: true, canUpdate: true },
  { platform: 'wordpress', first: 'wordpress-b/demo', second: 'wordpress-b/guest', canWithdraw: true, canUpdate: true },
  { platform: 'ghost', first: 'ghost-site', second: 'ghost-site-b', canWithdraw: true, canUpdate: true },
  { platform: 'forem', first: 'demo', second: 'second', canWithdraw: true, canUpdate: true },
  {
    platform: 'hashnode',
    first: '665f1f77bcf86cd799439011',
    second: '665f1f77bcf86cd799439013',
    canWithdraw: true,
    canUpdate: true,
  },
  {
    platform: 'hashnode',
    first: '665f1f77bcf86cd799439011',
    second: '665f1f77bcf86cd799439014',
    canWithdraw: true,
    canUpdate: true,
  },
  {
    platform: 'medium',
    first: '5303d74c64f66366f00cb9b2a94f3251bf5',
    second: '5303d74c64f66366f00cb9b2a94f3251bf6',
    canWithdraw: false,
    canUpdate: false,
  },
  {
    platform: 'linkedin',
    first: 'urn:li:person:demo-Person_1',
    second: 'urn:li:person:second-Person_2',
    canWithdraw: true,
    canUpdate: false,
  },
] as const;

for (const { platform, first, second, canWithdraw, canUpdate } of PAIRS) {
  test(`${platform}, ${second} in place of ${first}: nothing of either is touched for the other, and each copy is named (F27)`, async () => {
    const title = `Moves from ${first} to ${second}`;
    const author = await world.api.createAuthor(`mover-${PAIRS.findIndex((pair) => pair.second === second)}`);
    const [a, b] = [findAccount(world, platform, first), findAccount(world, platform, second)];
    const { destination } = a;
    const byHand = await listByHand();
    const publish = (text: string) => publishArticle(world, author, { title }, text);
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
    assert.equal(left.lastErrorCode, 'account_changed');

    await publish('Two.\n');
    await world.reaches(id, destination, 'delivered');
    if (canUpdate) {
      await publish('Three.\n');
      await eventually(
        'the edit',
        async () => (await world.reaches(id, destination, 'delivered')).deliveredRevision === 3,
      );
    }
    await waitForDeliveryEnd(world, id, destination);
    assert.equal((await at(b)).length, 1);
    assert.deepEqual(await at(a), [ofA]);

    const copies = await takeBack(world, author, 'deleteArticle', id);
    await waitForDeliveryEnd(world, id, destination);
    const [atB, atA] = copies;
    assert.equal(copies.length, 2);
    assert.equal(atB?.isWithdrawn, canWithdraw);
    assert.deepEqual([atA?.url, atA?.account, atA?.isWithdrawn], [urlAtA, nameOfA, false]);
    assert.match(
      atA?.message ?? '',
      /stays live: the account “.+” is not connected\. Remove it there, or connect it again\./,
    );
    assert.equal(
      (await at(b)).some(({ status }) => status === 'published'),
      !canWithdraw,
    );
    assert.deepEqual(await at(a), [ofA]);

    await connectAccount(world, author, a);
    if (canWithdraw) {
      await eventually('the withdrawal of the copy that returned', async () =>
        (await at(a)).every(({ status }) => status !== 'published'),
      );
    }
    assert.deepEqual(await listByHand(), byHand);
    assert.equal((await world.log(title)).filter(({ action }) => action === 'create').length, 2);
  });
}

async function listByHand() {
  return (await listStanding(world)).filter((post) => post.byHand);
}

async function listReasons(author: { id: string; username: string; tokenId: string; token: string }) {
  const events = await world.notifications(author);
  return events.filter(({ type }) => type === 'CROSS_POST_FAILED').map(({ payload }) => payload.reason);
}
