/** Tests that one account with several spellings of its address has one post of an article. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import {
  connectAccount,
  disconnect,
  findAccount,
  listPostsAt,
  startWorldOfAccounts,
} from '../../support/api/accounts.ts';
import type { DeliveryWorld } from '../../support/delivery/delivery.ts';
import { publishArticle, waitForDeliveryEnd } from '../../support/delivery/publishing.ts';

let world: DeliveryWorld;
before(async () => {
  world = await startWorldOfAccounts();
});
after(() => world.close());

const RETURNS = [
  { platform: 'ghost', account: 'ghost-site', other: 'ghost-site-b', spell: (url: string) => `${url}/ghost/` },
  { platform: 'wordpress', account: 'wordpress/demo', other: 'wordpress-b/demo', spell: dropRoot },
  { platform: 'forem', account: 'demo', other: 'second', spell: (url: string) => `${url}//` },
];

for (const { platform, account, other, spell } of RETURNS) {
  test(`${platform}: an account reconnected with another spelling, or after another account, has one post (F27)`, async () => {
    const title = `Stays at ${account}`;
    const author = await world.api.createAuthor(`stays-${platform}`);
    const a = findAccount(world, platform, account);
    const { destination } = a;
    const publish = (text: string) =>
      publishArticle(world, author, { title, cross_post: { [destination]: true } }, text);
    await connectAccount(world, author, a);
    const { id } = await publish('One.\n');
    const { remoteId } = await world.reaches(id, destination, 'delivered');

    await disconnect(world, author, destination);
    await connectAccount(world, author, { ...a, baseUrl: spell(a.baseUrl) });
    assert.equal((await world.reaches(id, destination, 'delivered')).remoteId, remoteId);

    await connectAccount(world, author, findAccount(world, platform, other));
    await connectAccount(world, author, a);
    assert.equal((await world.reaches(id, destination, 'delivered')).remoteId, remoteId);
    await publish('Two.\n');
    await world.reaches(id, destination, 'delivered');
    await waitForDeliveryEnd(world, id, destination);
    assert.equal((await listPostsAt(world, a, title)).length, 1);
    assert.equal((await world.log(title)).filter(({ action }) => action === 'create').length, 1);
  });
}

/** The site's address, from which the client discovers the API. */
function dropRoot(url: string): string {
  return url.replace(/\/wp-json$/, '/');
}
