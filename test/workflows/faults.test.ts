import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { markdown, type TestAuthor } from '../support/api.ts';
import { type DeliveryWorld, type Fault, startDeliveryWorld } from '../support/delivery.ts';
import { eventually } from '../support/eventually.ts';

let world: DeliveryWorld;
before(async () => {
  world = await startDeliveryWorld();
});
after(() => world.close());

let authors = 0;
async function publishWith(title: string, faults: Fault[], connect: ('blogsite_a' | 'blogsite_b')[] = ['blogsite_a']) {
  const author = await world.api.createAuthor(`faulted-${++authors}`);
  for (const destination of connect) await world.connect(author, destination);
  await world.faults(faults);
  const answer = await world.api.publish({ content: markdown({ title }) }, { token: author.token });
  return { author, id: answer.body.data?.id ?? '' };
}

/** The oracle: exactly one remote post, exactly one event, and it is the good one. What was adopted is updated, to be sure of it. */
async function assertOneOne(author: TestAuthor, title: string, platform = 'blogsite_a'): Promise<void> {
  const log = (await world.log(title)).filter((entry) => entry.platform === platform);
  assert.equal(log.filter((entry) => entry.action === 'create').length, 1);
  assert.ok(log.length <= 2);
  const events = (await world.notifications(author)).filter((n) => n.payload.platform === platform.toUpperCase());
  assert.deepEqual(
    events.map((event) => event.type),
    ['CROSS_POST_SUCCESS'],
  );
}

const on = (more: Omit<Fault, 'platform' | 'action' | 'times'> & { times?: number }): Fault => ({
  platform: 'blogsite_a',
  action: 'create',
  times: 1,
  ...more,
});

test('F9: cut off after the remote create, the post is looked up and adopted: 1/1', async () => {
  const { author, id } = await publishWith('Cut after', [on({ drop: 'after' })]);
  await world.reaches(id, 'blogsite_a', 'delivered');
  await assertOneOne(author, 'Cut after');
});

test('F1: cut off before anything was made, the post is made once: 1/1', async () => {
  const { author, id } = await publishWith('Cut before', [on({ drop: 'before' })]);
  await world.reaches(id, 'blogsite_a', 'delivered', 30_000);
  await assertOneOne(author, 'Cut before');
});

test('F9: timed out having created the post, it is adopted: 1/1', async () => {
  const { author, id } = await publishWith('Slow answer', [on({ delayMs: 4_000 })]);
  await world.reaches(id, 'blogsite_a', 'delivered', 30_000);
  await assertOneOne(author, 'Slow answer');
});

test('F10: a 422 that saved the post all the same ends as a success: 1/1', async () => {
  const { author, id } = await publishWith('Refused and saved', [on({ status: 422, saved: true })]);
  await world.reaches(id, 'blogsite_a', 'delivered', 30_000);
  await assertOneOne(author, 'Refused and saved');
});

test('F11: a 429 waits as long as Retry-After says, in seconds or as a date: 1/1', async () => {
  const seconds = await publishWith('Limited by seconds', [on({ status: 429, headers: { 'retry-after': '2' } })]);
  const started = Date.now();
  await world.reaches(seconds.id, 'blogsite_a', 'delivered');
  assert.ok(Date.now() - started >= 1_500);
  await assertOneOne(seconds.author, 'Limited by seconds');

  const date = new Date(Date.now() + 3_000).toUTCString();
  const dated = await publishWith('Limited by date', [on({ status: 429, headers: { 'retry-after': date } })]);
  await world.reaches(dated.id, 'blogsite_a', 'delivered');
  await assertOneOne(dated.author, 'Limited by date');
});

test('F12: 5xx for a while ends in 1/1, and the other destination is not held up', async () => {
  const faults = [on({ status: 503, times: 2 })];
  const { author, id } = await publishWith('Stormy', faults, ['blogsite_a', 'blogsite_b']);
  await world.reaches(id, 'blogsite_b', 'delivered', 3_000);
  await world.reaches(id, 'blogsite_a', 'delivered', 60_000);
  await assertOneOne(author, 'Stormy', 'blogsite_a');
  await assertOneOne(author, 'Stormy', 'blogsite_b');
});

test('HTML from a proxy, whatever its status, is weather and not an answer: 1/1', async () => {
  const page = { body: '<html><body>Gateway</body></html>', headers: { 'content-type': 'text/html' } };
  const { author, id } = await publishWith('Proxy weather', [on({ status: 403, ...page })]);
  await world.reaches(id, 'blogsite_a', 'delivered', 60_000);
  await assertOneOne(author, 'Proxy weather');
});

test('a permanent refusal ends as failed, with one CROSS_POST_FAILED and a reason', async () => {
  const refusal = { status: 422, body: { error: 'Validation failed: Body is too rude', status: 422 } };
  const { author, id } = await publishWith('Refused', [on(refusal)]);
  const row = await world.reaches(id, 'blogsite_a', 'failed', 30_000);
  assert.match(row.lastError ?? '', /too rude/);
  const events = await world.notifications(author);
  assert.deepEqual(
    events.map(({ type }) => type),
    ['CROSS_POST_FAILED'],
  );
  assert.equal(events[0]?.payload.platform, 'BLOGSITE_A');
  assert.match(String(events[0]?.payload.reason), /too rude/);
  assert.deepEqual(await world.log('Refused'), []);

  // Published again, it is tried again.
  await world.api.publish({ content: markdown({ title: 'Refused' }) }, { token: author.token });
  await world.reaches(id, 'blogsite_a', 'delivered');
});

test('F13: an expired key is probed again, then holds everything with one CROSS_POST_FAILED; reconnecting releases it', async () => {
  const author = await world.api.createAuthor('expired-key');
  await world.connect(author, 'blogsite_a', { apiKey: 'no such key' });
  await world.faults([]);
  const titles = ['Held one', 'Held two', 'Held three'];
  const ids: string[] = [];
  for (const title of titles) {
    const answer = await world.api.publish({ content: markdown({ title }) }, { token: author.token });
    ids.push(answer.body.data?.id ?? '');
  }
  for (const id of ids) await world.reaches(id, 'blogsite_a', 'held', 40_000);
  const events = await world.notifications(author);
  assert.deepEqual(
    events.map(({ type }) => type),
    ['CROSS_POST_FAILED'],
  );
  const connection = await world.api.db
    .selectFrom('connections')
    .select('status')
    .where('userId', '=', author.id)
    .executeTakeFirstOrThrow();
  assert.equal(connection.status, 'unauthorised');

  await world.connect(author, 'blogsite_a');
  for (const id of ids) await world.reaches(id, 'blogsite_a', 'delivered');
  for (const title of titles) assert.equal((await world.log(title)).length, 1);
});

test('F26: disconnected while a delivery waits, nothing is sent afterwards', async () => {
  const { disconnectDestination } = await import('../../store/connections/disconnect.ts');
  const { author, id } = await publishWith('Disconnected', [on({ status: 503, times: 1 })]);
  await world.reaches(id, 'blogsite_a', 'delivering');
  await disconnectDestination(world.api.db, author.id, 'blogsite_a');
  await world.reaches(id, 'blogsite_a', 'held', 30_000);
  assert.deepEqual(await world.log('Disconnected'), []);
});

test('new content while the old is in flight ends with the newest there, in one post', async () => {
  const author = await world.api.createAuthor('in-flight');
  await world.connect(author, 'blogsite_a');
  await world.faults([on({ delayMs: 1_000 })]);
  const first = await world.api.publish(
    { content: markdown({ title: 'In flight' }, 'Old.\n') },
    { token: author.token },
  );
  await new Promise((resolve) => setTimeout(resolve, 400));
  for (const text of ['Newer.\n', 'Newest.\n']) {
    await world.api.publish({ content: markdown({ title: 'In flight' }, text) }, { token: author.token });
  }
  await eventually('revision 3 to be delivered', async () => {
    const row = await world.reaches(first.body.data?.id ?? '', 'blogsite_a', 'delivered', 15_000);
    return row.deliveredRevision === 3;
  });
  const log = await world.log('In flight');
  assert.equal(log.filter((entry) => entry.action === 'create').length, 1);
  assert.ok(log.length <= 3);
});

test('a canonical URL that is changed while the outcome is unknown does not hide the post that was made', async () => {
  const author = await world.api.createAuthor('moved-canonical');
  await world.connect(author, 'blogsite_a');
  await world.faults([on({ drop: 'after' }), { platform: 'blogsite_a', action: 'find', times: 1, status: 503 }]);
  const frontmatter = { title: 'Moved canonical', id: 'moved-canonical' };
  const first = { ...frontmatter, canonical_url: 'https://old.example/post' };
  const answer = await world.api.publish({ content: markdown(first) }, { token: author.token });
  await eventually('the post to be made', async () => (await world.log('Moved canonical')).length === 1);
  const second = { ...frontmatter, canonical_url: 'https://new.example/post' };
  await world.api.publish({ content: markdown(second) }, { token: author.token });
  await eventually('revision 2 to be delivered', async () => {
    const row = await world.reaches(answer.body.data?.id ?? '', 'blogsite_a', 'delivered');
    return row.deliveredRevision === 2;
  });
  assert.deepEqual(
    (await world.log('Moved canonical')).map(({ action }) => action),
    ['create', 'update'],
  );
});

test('two articles with one canonical URL never share a remote post', async () => {
  const author = await world.api.createAuthor('shared-canonical');
  await world.connect(author, 'blogsite_a');
  await world.faults([]);
  const canonical_url = 'https://shared.example/post';
  const publish = async (title: string, id: string) => {
    const answer = await world.api.publish(
      { content: markdown({ title, id, canonical_url }) },
      { token: author.token },
    );
    return answer.body.data?.id ?? '';
  };
  const first = await publish('Shares one', 'shares-1');
  const one = await world.reaches(first, 'blogsite_a', 'delivered');
  const second = await publish('Shares two', 'shares-2');
  const two = await world.reaches(second, 'blogsite_a', 'failed');
  assert.equal(two.lastErrorCode, 'canonical_taken');
  assert.equal(two.remoteId, null);
  assert.ok(one.remoteId);
});

test('connected to another account, an article is made anew there, and the former account is left alone', async () => {
  const author = await world.api.createAuthor('other-account');
  await world.connect(author, 'blogsite_b');
  await world.faults([]);
  const content = markdown({ title: 'Moves house' });
  const answer = await world.api.publish({ content }, { token: author.token });
  const id = answer.body.data?.id ?? '';
  const before = await world.reaches(id, 'blogsite_b', 'delivered');
  await world.api.db
    .updateTable('connections')
    .set({ baseUrl: 'https://former.example' })
    .where('userId', '=', author.id)
    .execute();
  await world.connect(author, 'blogsite_b');
  const left = await world.reaches(id, 'blogsite_b', 'failed');
  assert.equal(left.lastErrorCode, 'account_changed');
  assert.equal(left.remoteUrl, before.remoteUrl, 'its author can still find the old copy');
  await world.api.publish({ content }, { token: author.token });
  const after = await world.reaches(id, 'blogsite_b', 'delivered');
  assert.notEqual(after.remoteId, before.remoteId);
});

test('unknown stays unknown: another publish looks again before it makes anything, and says nothing twice', async () => {
  const author = await world.api.createAuthor('stays-unknown');
  await world.connect(author, 'blogsite_a');
  const lookUpRefused: Fault = {
    platform: 'blogsite_a',
    action: 'find',
    times: 1,
    status: 403,
    body: { error: 'forbidden', status: 403 },
  };
  await world.faults([on({ drop: 'after' }), lookUpRefused]);
  const content = markdown({ title: 'Stays unknown' });
  const answer = await world.api.publish({ content }, { token: author.token });
  const id = answer.body.data?.id ?? '';
  await world.reaches(id, 'blogsite_a', 'unknown');
  await world.api.publish({ content }, { token: author.token });
  await world.reaches(id, 'blogsite_a', 'delivered');
  assert.equal((await world.log('Stays unknown')).filter(({ action }) => action === 'create').length, 1);
  assert.deepEqual(
    (await world.notifications(author)).map(({ type }) => type),
    ['CROSS_POST_FAILED', 'CROSS_POST_SUCCESS'],
  );
});

test('an update whose answer was lost is repeated even when its author went back to the former text', async () => {
  const author = await world.api.createAuthor('went-back');
  await world.connect(author, 'blogsite_a');
  await world.faults([]);
  const publish = (text: string) =>
    world.api.publish({ content: markdown({ title: 'Went back' }, text) }, { token: author.token });
  const { body } = await publish('First.\n');
  const id = body.data?.id ?? '';
  await world.reaches(id, 'blogsite_a', 'delivered');
  await world.faults([on({ action: 'update', drop: 'after' } as Fault)]);
  await publish('Second.\n');
  await eventually('the update to arrive', async () => (await world.log('Went back')).length === 2);
  await publish('First.\n');
  await eventually('the former text to be sent again', async () => (await world.log('Went back')).length >= 3);
  await world.reaches(id, 'blogsite_a', 'delivered');
});

test('a post that its author deleted at the destination is made anew by the next publish, not before', async () => {
  const author = await world.api.createAuthor('deleted-there');
  await world.connect(author, 'blogsite_a');
  await world.faults([]);
  const publish = (text: string) =>
    world.api.publish({ content: markdown({ title: 'Deleted there' }, text) }, { token: author.token });
  const { body } = await publish('One.\n');
  const id = body.data?.id ?? '';
  const first = await world.reaches(id, 'blogsite_a', 'delivered');
  await world.faults([on({ action: 'update', status: 404, body: { error: 'not found', status: 404 } } as Fault)]);
  await publish('Two.\n');
  const gone = await world.reaches(id, 'blogsite_a', 'failed');
  assert.equal(gone.lastErrorCode, 'remote_gone');
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
