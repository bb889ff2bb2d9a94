/** Tests that an article has one post per destination and account during changes by its author. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { listArticleNotices } from '../../../store/articles/article-notices.ts';
import { type DeliveryWorld, startDeliveryWorld } from '../../support/delivery/delivery.ts';
import {
  buildFault,
  countCreates,
  createConnectedAuthor,
  listActions,
  listEvents,
  publishArticle,
} from '../../support/delivery/publishing.ts';
import { eventually } from '../../support/eventually.ts';

let world: DeliveryWorld;
before(async () => {
  world = await startDeliveryWorld();
});
after(() => world.close());

test('new content during a create ends with the newest content in one post', async () => {
  const author = await createConnectedAuthor(world, 'blogsite_a');
  await world.faults([buildFault('create', { delayMs: 1_000 })]);
  const { id } = await publishArticle(world, author, { title: 'In flight' }, 'Old.\n');
  await new Promise((resolve) => setTimeout(resolve, 400));
  for (const text of ['Newer.\n', 'Newest.\n']) await publishArticle(world, author, { title: 'In flight' }, text);
  await eventually('revision 3 to be delivered', async () => {
    const row = await world.reaches(id, 'blogsite_a', 'delivered');
    return row.deliveredRevision === 3;
  });
  assert.equal(await countCreates(world, 'In flight'), 1);
  assert.ok((await world.log('In flight')).length <= 3);
});

test('a canonical URL changed during an unknown outcome does not prevent finding the post', async () => {
  const author = await createConnectedAuthor(world, 'blogsite_a');
  await world.faults([buildFault('create', { drop: 'after' }), buildFault('find', { status: 503 })]);
  const frontmatter = { title: 'Moved canonical', id: 'moved-canonical' };
  const { id } = await publishArticle(world, author, { ...frontmatter, canonical_url: 'https://old.example/post' });
  await eventually('the post to be made', async () => (await world.log('Moved canonical')).length === 1);
  await publishArticle(world, author, { ...frontmatter, canonical_url: 'https://new.example/post' });
  await eventually('revision 2 to be delivered', async () => {
    const row = await world.reaches(id, 'blogsite_a', 'delivered');
    return row.deliveredRevision === 2;
  });
  assert.deepEqual(await listActions(world, 'Moved canonical'), ['create', 'update']);
});

test('two articles with one canonical URL never share a remote post', async () => {
  const author = await createConnectedAuthor(world, 'blogsite_a');
  await world.faults([]);
  const canonical_url = 'https://shared.example/post';
  const first = await publishArticle(world, author, { title: 'Shares one', id: 'shares-1', canonical_url });
  const one = await world.reaches(first.id, 'blogsite_a', 'delivered');
  const second = await publishArticle(world, author, { title: 'Shares two', id: 'shares-2', canonical_url });
  const two = await world.reaches(second.id, 'blogsite_a', 'failed');
  assert.equal(two.errorCode, 'canonical_taken');
  assert.equal(two.remoteId, null);
  assert.ok(one.remoteId);
});

for (const [destination, platform] of [
  ['blogsite_b', 'hashnode'],
  ['cms_site', 'ghost'],
] as const) {
  test(`two articles with one canonical URL at ${platform}: each look-up finds its own article's post`, async () => {
    const author = await world.api.createAuthor(`shares-at-${platform}`);
    await world.connect(author, destination, undefined, platform);
    await world.faults([]);
    const canonical_url = `https://shared.example/${platform}`;
    const publish = (title: string) =>
      publishArticle(world, author, { title, id: title, canonical_url, cross_post: { [destination]: true } });
    const first = await world.reaches((await publish(`One at ${platform}`)).id, destination, 'delivered');
    // The answer is lost: the look-up by canonical URL must not return the first article's post.
    await world.faults([buildFault('create', { platform: destination, drop: 'after' })]);
    const second = await world.reaches((await publish(`Two at ${platform}`)).id, destination, 'delivered');
    assert.notEqual(first.remoteId, second.remoteId);
    assert.equal(await countCreates(world, `One at ${platform}`), 1);
    assert.equal(await countCreates(world, `Two at ${platform}`), 1);
  });
}

test('content that a destination left out is one notice of the article', async () => {
  const author = await createConnectedAuthor(world, 'cms_site');
  await world.faults([]);
  const cover_image = `${world.sandboxUrl}/nothing-there.png`;
  const { id } = await publishArticle(world, author, {
    title: 'No cover',
    cover_image,
    cross_post: { cms_site: true },
  });
  await world.reaches(id, 'cms_site', 'delivered');
  const notices = await listArticleNotices(world.api.db, [id]);
  assert.deepEqual(
    notices.map(({ code }) => code),
    ['cover_left_out'],
  );
});

test('a publish after an unknown outcome looks up before it creates, and each outcome is one event', async () => {
  const author = await createConnectedAuthor(world, 'blogsite_a');
  const lookUpRefused = buildFault('find', { status: 403, body: { error: 'forbidden', status: 403 } });
  await world.faults([buildFault('create', { drop: 'after' }), lookUpRefused]);
  const title = 'Stays unknown';
  const { id } = await publishArticle(world, author, { title });
  await world.reaches(id, 'blogsite_a', 'unknown');
  await publishArticle(world, author, { title });
  await world.reaches(id, 'blogsite_a', 'delivered');
  assert.equal(await countCreates(world, title), 1);
  assert.deepEqual(await listEvents(world, author), ['CROSS_POST_FAILED', 'CROSS_POST_SUCCESS']);
});

test('an update with a lost answer is followed by another one, even if the author restores the former text', async () => {
  const author = await createConnectedAuthor(world, 'blogsite_a');
  await world.faults([]);
  const publish = (text: string) => publishArticle(world, author, { title: 'Went back' }, text);
  const { id } = await publish('First.\n');
  await world.reaches(id, 'blogsite_a', 'delivered');
  await world.faults([buildFault('update', { drop: 'after' })]);
  await publish('Second.\n');
  await eventually('the update to arrive', async () => (await world.log('Went back')).length === 2);
  await publish('First.\n');
  await eventually('the former text to be sent again', async () => (await world.log('Went back')).length >= 3);
  await world.reaches(id, 'blogsite_a', 'delivered');
});

test('a post deleted at the destination is created again by the next publish, not before', async () => {
  const author = await createConnectedAuthor(world, 'blogsite_a');
  await world.faults([]);
  const publish = (text: string) => publishArticle(world, author, { title: 'Deleted there' }, text);
  const { id } = await publish('One.\n');
  const first = await world.reaches(id, 'blogsite_a', 'delivered');
  await world.faults([buildFault('update', { status: 404, body: { error: 'not found', status: 404 } })]);
  await publish('Two.\n');
  const failed = await world.reaches(id, 'blogsite_a', 'failed');
  assert.equal(failed.errorCode, 'remote_gone');
  await world.api.db
    .updateTable('articles')
    .set({ givenCanonicalUrl: 'https://elsewhere.example/deleted' })
    .where('id', '=', id)
    .execute();
  await publish('Three.\n');
  const again = await world.reaches(id, 'blogsite_a', 'delivered');
  assert.ok(again.remoteId);
  assert.ok(first.remoteId);
});
