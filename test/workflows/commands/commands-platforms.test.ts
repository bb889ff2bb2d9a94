/** Tests commands at a platform that reports edit times, and at one that can only create. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { DestinationKey } from '../../../article/types.ts';
import { wordpressRow } from '../../destinations/rows/wordpress.ts';
import type { TestAuthor } from '../../support/api/api.ts';
import { type Command, sendCommand } from '../../support/api/graphql.ts';
import { type DeliveryWorld, startDeliveryWorld } from '../../support/delivery/delivery.ts';
import {
  buildFault,
  listActions,
  listEvents,
  publishArticle,
  waitForDeliveryEnd,
} from '../../support/delivery/publishing.ts';

let world: DeliveryWorld;
/** WordPress times have a resolution of one second, so changes are made minutes apart. */
let minutes = 0;
before(async () => {
  world = await startDeliveryWorld({ sandbox: { now: () => new Date(Date.now() + minutes * 60_000) } });
});
after(() => world.close());

let authors = 0;
async function newAuthor(destination: DestinationKey): Promise<TestAuthor> {
  const author = await world.api.createAuthor(`platform-command-${++authors}`);
  await world.connect(author, destination, undefined, destination === 'cms_site' ? 'wordpress' : undefined);
  return author;
}
async function publish(
  author: TestAuthor,
  destination: DestinationKey,
  title: string,
  body = 'Words.\n',
): Promise<string> {
  return (await publishArticle(world, author, { title, cross_post: { [destination]: true } }, body)).id;
}
const command = (author: TestAuthor, articleId: string, destination: DestinationKey) => (name: Command, url?: string) =>
  sendCommand(world.api, author.id, name, { articleId, destination, ...(url ? { url } : {}) });

test('a post edited at the destination is not updated, with one event, and overwrite updates it once', async () => {
  const author = await newAuthor('cms_site');
  const title = 'Changed over there';
  const id = await publish(author, 'cms_site', title);
  const order = command(author, id, 'cms_site');
  const { remoteId } = await world.reaches(id, 'cms_site', 'delivered');
  minutes += 1;
  await wordpressRow.editByHand?.(world.sandboxUrl, remoteId ?? '', 'By hand');
  minutes += 1;
  await publish(author, 'cms_site', title, 'Newer words.\n');
  assert.equal((await world.reaches(id, 'cms_site', 'failed')).errorCode, 'drifted');
  await waitForDeliveryEnd(world, id, 'cms_site');
  assert.deepEqual(
    [await listActions(world, title), await listEvents(world, author)],
    [['create'], ['CROSS_POST_SUCCESS', 'CROSS_POST_FAILED']],
  );
  const ordered = await Promise.all([order('overwrite'), order('overwrite')]);
  assert.ok(
    ordered.every(({ data }) => data?.overwriteDelivery),
    ordered[0]?.text,
  );
  await world.reaches(id, 'cms_site', 'delivered');
  await waitForDeliveryEnd(world, id, 'cms_site');
  assert.deepEqual(await listActions(world, title), ['create', 'update']);
  assert.deepEqual(await listEvents(world, author), ['CROSS_POST_SUCCESS', 'CROSS_POST_FAILED', 'CROSS_POST_SUCCESS']);
});

test('retry after an edit at the destination checks again and does not overwrite it', async () => {
  const author = await newAuthor('cms_site');
  const title = 'Changed, and retried';
  const id = await publish(author, 'cms_site', title);
  const { remoteId } = await world.reaches(id, 'cms_site', 'delivered');
  minutes += 1;
  await wordpressRow.editByHand?.(world.sandboxUrl, remoteId ?? '', 'By hand');
  minutes += 1;
  await publish(author, 'cms_site', title, 'Newer words.\n');
  await world.reaches(id, 'cms_site', 'failed');
  await waitForDeliveryEnd(world, id, 'cms_site');
  await command(author, id, 'cms_site')('retry');
  await waitForDeliveryEnd(world, id, 'cms_site');
  assert.equal((await world.reaches(id, 'cms_site', 'failed')).errorCode, 'drifted');
  assert.deepEqual(await listActions(world, title), ['create']);
});

/** Publishes at a platform without look-up, and loses the answer. */
async function publishUnknown(title: string) {
  const author = await newAuthor('blogsite_c');
  await world.faults([buildFault('create', { platform: 'blogsite_c', drop: 'after' })]);
  const id = await publish(author, 'blogsite_c', title);
  const row = await world.reaches(id, 'blogsite_c', 'unknown');
  assert.equal(row.errorCode, 'outcome_unknown');
  await waitForDeliveryEnd(world, id, 'blogsite_c');
  const [post] = await world.log(title);
  const url = `https://medium.com/@demo/a-title-${post?.remoteId}`;
  return { author, id, url, post, order: command(author, id, 'blogsite_c') };
}

test('settling with a post adopts it without a further request', async () => {
  const title = 'Settled as present';
  const { author, id, url, post, order } = await publishUnknown(title);
  for (const bad of [
    'https://medium.com/@demo',
    'javascript:alert(1)//-1a2b3c4d5e6f',
    'x',
    `https://x/${'1'.repeat(3_000)}`,
  ]) {
    assert.equal((await order('settle', bad)).code, 'BAD_POST_URL', bad);
  }
  const ordered = await Promise.all([order('settle', url), order('settle', url)]);
  assert.deepEqual(ordered.map(({ code }) => code).sort(), ['NOTHING_TO_SETTLE', undefined]);
  const row = await world.reaches(id, 'blogsite_c', 'delivered');
  assert.deepEqual([row.remoteId, row.remoteUrl], [post?.remoteId, url]);
  await waitForDeliveryEnd(world, id, 'blogsite_c');
  await publish(author, 'blogsite_c', title);
  await waitForDeliveryEnd(world, id, 'blogsite_c');
  assert.deepEqual(
    [await listActions(world, title), await listEvents(world, author)],
    [['create'], ['CROSS_POST_FAILED']],
  );
});

test('settling without a post sends the article again once, even if it is settled twice', async () => {
  const title = 'Settled as absent';
  const { author, id, order } = await publishUnknown(title);
  await order('retry');
  await waitForDeliveryEnd(world, id, 'blogsite_c');
  // The repeated check has no new result, so there is no second event.
  assert.deepEqual(
    [await listActions(world, title), await listEvents(world, author)],
    [['create'], ['CROSS_POST_FAILED']],
  );
  await Promise.all([order('settle'), order('settle')]);
  await world.reaches(id, 'blogsite_c', 'delivered');
  await waitForDeliveryEnd(world, id, 'blogsite_c');
  assert.deepEqual(
    [await listActions(world, title), await listEvents(world, author)],
    [
      ['create', 'create'],
      ['CROSS_POST_FAILED', 'CROSS_POST_SUCCESS'],
    ],
  );
});

test('settling with another article’s post, or by another user, is refused', async () => {
  const settled = await publishUnknown('Whose post this is');
  await settled.order('settle', settled.url);
  await world.faults([buildFault('create', { platform: 'blogsite_c', drop: 'after' })]);
  const id = await publish(settled.author, 'blogsite_c', 'Not its post');
  await world.reaches(id, 'blogsite_c', 'unknown');
  assert.equal((await command(settled.author, id, 'blogsite_c')('settle', settled.url)).code, 'POST_TAKEN');
  const stranger = await newAuthor('blogsite_c');
  assert.equal((await command(stranger, id, 'blogsite_c')('settle', settled.url)).code, 'NOT_FOUND');
  await world.reaches(id, 'blogsite_c', 'unknown');
});

test('repeated withdraw commands at a platform that cannot withdraw notify the author once', async () => {
  const author = await newAuthor('blogsite_c');
  await world.faults([]);
  const id = await publish(author, 'blogsite_c', 'Cannot be taken back');
  await world.reaches(id, 'blogsite_c', 'delivered');
  const order = command(author, id, 'blogsite_c');
  for (let ordered = 0; ordered < 3; ordered++) {
    await order('withdraw');
    await waitForDeliveryEnd(world, id, 'blogsite_c');
  }
  const row = await world.reaches(id, 'blogsite_c', 'failed');
  assert.equal(row.errorCode, 'cannot_withdraw');
  assert.deepEqual(await listEvents(world, author), ['CROSS_POST_SUCCESS', 'CROSS_POST_FAILED']);
});
