/** Commands that only some platforms know: one that tells when a post was changed there, and one that can do nothing but create. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { DestinationKey } from '../../article/types.ts';
import { wordpressRow } from '../destinations/rows/wordpress.ts';
import { markdown, type TestAuthor } from '../support/api.ts';
import { type DeliveryWorld, startDeliveryWorld } from '../support/delivery.ts';
import { eventually } from '../support/eventually.ts';
import { type Command, sendCommand } from '../support/graphql.ts';

let world: DeliveryWorld;
/** Times over there are whole seconds: what happens at different times happens minutes apart. */
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
  const content = markdown({ title, cross_post: { [destination]: true } }, body);
  const answer = await world.api.publish({ content }, { token: author.token });
  assert.ok(answer.body.data, JSON.stringify(answer.body));
  return answer.body.data.id;
}
const actions = async (title: string) => (await world.log(title)).map(({ action }) => action);
const events = async (author: TestAuthor) => (await world.notifications(author)).map(({ type }) => type);
const command = (author: TestAuthor, articleId: string, destination: DestinationKey) => (name: Command, url?: string) =>
  sendCommand(world.api, author.id, name, { articleId, destination, ...(url ? { url } : {}) });

async function settled(articleId: string, destination: DestinationKey): Promise<void> {
  await eventually('the outbox to be empty', async () => {
    const left = await world.api.db.selectFrom('outbox').select('id').where('articleId', '=', articleId).execute();
    return left.length === 0;
  });
  await world.client.workflow.getHandle(`delivery/${articleId}/${destination}`).result();
}

test('changed by hand, a post is left alone with one event; overwrite sends ours, once', async () => {
  const author = await newAuthor('cms_site');
  const title = 'Changed over there';
  const id = await publish(author, 'cms_site', title);
  const order = command(author, id, 'cms_site');
  const { remoteId } = await world.reaches(id, 'cms_site', 'delivered');
  minutes += 1;
  await wordpressRow.editByHand?.(world.sandboxUrl, remoteId ?? '', 'By hand');
  minutes += 1;
  await publish(author, 'cms_site', title, 'Newer words.\n');
  assert.equal((await world.reaches(id, 'cms_site', 'failed')).lastErrorCode, 'drifted');
  await settled(id, 'cms_site');
  assert.deepEqual(
    [await actions(title), await events(author)],
    [['create'], ['CROSS_POST_SUCCESS', 'CROSS_POST_FAILED']],
  );
  const ordered = await Promise.all([order('overwrite'), order('overwrite')]);
  assert.ok(
    ordered.every(({ data }) => data?.overwriteDelivery),
    ordered[0]?.text,
  );
  await world.reaches(id, 'cms_site', 'delivered');
  await settled(id, 'cms_site');
  assert.deepEqual(await actions(title), ['create', 'update']);
  assert.deepEqual(await events(author), ['CROSS_POST_SUCCESS', 'CROSS_POST_FAILED', 'CROSS_POST_SUCCESS']);
});

test('retry of what drifted looks again, and leaves the change alone', async () => {
  const author = await newAuthor('cms_site');
  const title = 'Changed, and retried';
  const id = await publish(author, 'cms_site', title);
  const { remoteId } = await world.reaches(id, 'cms_site', 'delivered');
  minutes += 1;
  await wordpressRow.editByHand?.(world.sandboxUrl, remoteId ?? '', 'By hand');
  minutes += 1;
  await publish(author, 'cms_site', title, 'Newer words.\n');
  await world.reaches(id, 'cms_site', 'failed');
  await settled(id, 'cms_site');
  await command(author, id, 'cms_site')('retry');
  await settled(id, 'cms_site');
  assert.equal((await world.reaches(id, 'cms_site', 'failed')).lastErrorCode, 'drifted');
  assert.deepEqual(await actions(title), ['create']);
});

/** A post may be there, and the platform cannot be asked. */
async function unknownPost(title: string) {
  const author = await newAuthor('blogsite_c');
  await world.faults([{ platform: 'blogsite_c', action: 'create', times: 1, drop: 'after' }]);
  const id = await publish(author, 'blogsite_c', title);
  const row = await world.reaches(id, 'blogsite_c', 'unknown');
  assert.equal(row.lastErrorCode, 'outcome_unknown');
  await settled(id, 'blogsite_c');
  const [post] = await world.log(title);
  const url = `https://medium.com/@demo/a-title-${post?.remoteId}`;
  return { author, id, url, post, order: command(author, id, 'blogsite_c') };
}

test('settled as there: the post is adopted as it is, and nothing more is sent', async () => {
  const title = 'Settled as there';
  const { author, id, url, post, order } = await unknownPost(title);
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
  await settled(id, 'blogsite_c');
  await publish(author, 'blogsite_c', title);
  await settled(id, 'blogsite_c');
  assert.deepEqual([await actions(title), await events(author)], [['create'], ['CROSS_POST_FAILED']]);
});

test('settled as not there: it is sent once more, however often it is settled', async () => {
  const title = 'Settled as not there';
  const { author, id, order } = await unknownPost(title);
  await order('retry');
  await settled(id, 'blogsite_c');
  // Nothing new was learnt, so nothing new is said.
  assert.deepEqual([await actions(title), await events(author)], [['create'], ['CROSS_POST_FAILED']]);
  await Promise.all([order('settle'), order('settle')]);
  await world.reaches(id, 'blogsite_c', 'delivered');
  await settled(id, 'blogsite_c');
  assert.deepEqual(
    [await actions(title), await events(author)],
    [
      ['create', 'create'],
      ['CROSS_POST_FAILED', 'CROSS_POST_SUCCESS'],
    ],
  );
});

test('settled as another article’s post, or by anybody else, it stays unknown', async () => {
  const taken = await unknownPost('Whose post this is');
  await taken.order('settle', taken.url);
  const content = markdown({ title: 'Not its post', cross_post: { blogsite_c: true } });
  await world.faults([{ platform: 'blogsite_c', action: 'create', times: 1, drop: 'after' }]);
  const answer = await world.api.publish({ content }, { token: taken.author.token });
  const id = answer.body.data?.id ?? '';
  await world.reaches(id, 'blogsite_c', 'unknown');
  assert.equal((await command(taken.author, id, 'blogsite_c')('settle', taken.url)).code, 'POST_TAKEN');
  const stranger = await newAuthor('blogsite_c');
  assert.equal((await command(stranger, id, 'blogsite_c')('settle', taken.url)).code, 'NOT_FOUND');
  await world.reaches(id, 'blogsite_c', 'unknown');
});

test('a platform that takes nothing back: the author is notified once, however often it is ordered', async () => {
  const author = await newAuthor('blogsite_c');
  await world.faults([]);
  const id = await publish(author, 'blogsite_c', 'Cannot be taken back');
  await world.reaches(id, 'blogsite_c', 'delivered');
  const order = command(author, id, 'blogsite_c');
  for (let ordered = 0; ordered < 3; ordered++) {
    await order('withdraw');
    await settled(id, 'blogsite_c');
  }
  const row = await world.reaches(id, 'blogsite_c', 'failed');
  assert.equal(row.lastErrorCode, 'cannot_withdraw');
  assert.deepEqual(await events(author), ['CROSS_POST_SUCCESS', 'CROSS_POST_FAILED']);
});
