import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { markdown, type TestAuthor } from '../support/api.ts';
import { type DeliveryWorld, startDeliveryWorld } from '../support/delivery.ts';
import { eventually } from '../support/eventually.ts';
import { ask } from '../support/graphql.ts';
import { assertHistoriesReplay } from '../support/replay.ts';

let world: DeliveryWorld;
before(async () => {
  world = await startDeliveryWorld({ api: { env: { ALLOW_PRIVATE_DESTINATIONS: 'true' } } });
});
after(() => world.close());

let authors = 0;
async function newAuthor(...destinations: ('blogsite_a' | 'blogsite_b')[]): Promise<TestAuthor> {
  const author = await world.api.createAuthor(`article-command-${++authors}`);
  for (const destination of destinations) await world.connect(author, destination);
  return author;
}
async function publish(author: TestAuthor, frontmatter: Record<string, unknown>) {
  const answer = await world.api.publish({ content: markdown(frontmatter) }, { token: author.token });
  assert.ok(answer.body.data, JSON.stringify(answer.body));
  return answer.body.data;
}
const call = (author: TestAuthor, mutation: string) => ask(world.api, author.id, `mutation { ${mutation} }`);
const REMOVAL = '{ article { status } copies { destination url isWithdrawn message } }';
const actions = async (title: string) => (await world.log(title)).map(({ action }) => action);
const events = async (author: TestAuthor) => (await world.notifications(author)).map(({ type }) => type);
const withdrawn = (id: string, destination: 'blogsite_a' | 'blogsite_b') =>
  eventually(
    `the withdrawal from ${destination}`,
    async () => (await world.reaches(id, destination, 'stale')).withdrawnAt,
  );

test('a draft that is published by command is delivered, once', async () => {
  const author = await newAuthor('blogsite_a');
  const { id } = await publish(author, { title: 'By command', draft: true });
  await Promise.all([
    call(author, `publishArticleNow(id: "${id}") { id }`),
    call(author, `publishArticleNow(id: "${id}") { id }`),
  ]);
  await world.reaches(id, 'blogsite_a', 'delivered');
  assert.deepEqual([await actions('By command'), await events(author)], [['create'], ['CROSS_POST_SUCCESS']]);
});

test('a schedule set by command fires at its time; moved forward, it fires then', async () => {
  const author = await newAuthor('blogsite_a');
  const { id, url } = await publish(author, { title: 'At its time', draft: true });
  await call(author, `scheduleArticle(id: "${id}", at: "2050-01-01") { id }`);
  const at = new Date(Date.now() + 1_500).toISOString();
  await call(author, `scheduleArticle(id: "${id}", at: "${at}") { id }`);
  assert.equal((await fetch(url)).status, 404);
  await world.reaches(id, 'blogsite_a', 'delivered');
  assert.equal((await fetch(url)).status, 200);
  const [entry, ...more] = await world.log('At its time');
  assert.ok(more.length === 0 && Date.parse(entry?.at ?? '') >= Date.parse(at));
});

test('unpublished: copies are taken back as far as each platform can, and the answer says how far', async () => {
  const author = await newAuthor('blogsite_a', 'blogsite_b');
  const { id, url } = await publish(author, { title: 'Taken back' });
  const a = await world.reaches(id, 'blogsite_a', 'delivered');
  await world.reaches(id, 'blogsite_b', 'delivered');
  const { data } = await call(author, `unpublishArticle(id: "${id}") ${REMOVAL}`);
  const { copies, article } = data.unpublishArticle;
  assert.equal(article.status, 'DRAFT');
  assert.deepEqual(
    copies.map((copy: { destination: string; isWithdrawn: boolean }) => [copy.destination, copy.isWithdrawn]),
    [
      ['blogsite_a', true],
      ['blogsite_b', true],
    ],
  );
  assert.equal(copies[0].url, a.remoteUrl);
  assert.match(copies[1].message, /out of the lists/);
  await withdrawn(id, 'blogsite_a');
  await withdrawn(id, 'blogsite_b');
  assert.equal((await fetch(url)).status, 410);
  assert.equal((await fetch(a.remoteUrl ?? '')).status, 404);
});

test('unpublished while a destination is not connected: its author is told which copy stays', async () => {
  const author = await newAuthor('blogsite_a');
  const { id } = await publish(author, { title: 'Stays live' });
  const { remoteUrl } = await world.reaches(id, 'blogsite_a', 'delivered');
  await call(author, 'disconnectDestination(destination: blogsite_a)');
  const { data } = await call(author, `unpublishArticle(id: "${id}") ${REMOVAL}`);
  const [copy] = data.unpublishArticle.copies;
  assert.equal(copy.isWithdrawn, false);
  assert.ok(copy.message.includes(remoteUrl) && /stays live/.test(copy.message));
  await world.reaches(id, 'blogsite_a', 'held');
  assert.deepEqual(await actions('Stays live'), ['create']);
});

test('deleted, the copies go too; the document published again brings the same article and the same remote post back', async () => {
  const author = await newAuthor('blogsite_a');
  const document = { title: 'Deleted and back', tags: ['one'] };
  const first = await publish(author, document);
  const post = await world.reaches(first.id, 'blogsite_a', 'delivered');
  const removal = await call(author, `deleteArticle(id: "${first.id}") ${REMOVAL}`);
  assert.equal(removal.data.deleteArticle.copies.length, 1);
  await withdrawn(first.id, 'blogsite_a');
  assert.equal((await fetch(first.url)).status, 410);
  assert.equal((await fetch(post.remoteUrl ?? '')).status, 404);
  const second = await publish(author, document);
  assert.deepEqual([second.id, second.url], [first.id, first.url]);
  const back = await world.reaches(first.id, 'blogsite_a', 'delivered');
  assert.equal(back.remoteId, post.remoteId);
  assert.equal((await fetch(second.url)).status, 200);
  assert.equal((await fetch(post.remoteUrl ?? '')).status, 200);
  assert.deepEqual(await actions('Deleted and back'), ['create', 'withdraw', 'update']);
});

test('deleted before anything was delivered, nothing is', async () => {
  const author = await newAuthor('blogsite_a');
  await world.faults([
    { platform: 'blogsite_a', action: 'create', times: 1, status: 429, headers: { 'retry-after': '2' } },
  ]);
  const { id } = await publish(author, { title: 'Never sent' });
  await eventually('the pause', async () => (await world.reaches(id, 'blogsite_a', 'pending')).nextAttemptAt);
  await call(author, `deleteArticle(id: "${id}") ${REMOVAL}`);
  assert.match(await world.client.workflow.getHandle(`delivery/${id}/blogsite_a`).result(), /a draft is not delivered/);
  assert.deepEqual(await actions('Never sent'), []);
});

test('what is held goes out once the destination is reconnected, with one post and one more event each', async () => {
  const author = await newAuthor();
  await world.connect(author, 'blogsite_a');
  await world.api.db
    .updateTable('connections')
    .set({ status: 'unauthorised' })
    .where('userId', '=', author.id)
    .execute();
  const ids: string[] = [];
  for (const title of ['Held A', 'Held B']) ids.push((await publish(author, { title })).id);
  for (const id of ids) await world.reaches(id, 'blogsite_a', 'held');
  await world.faults([]);
  const again = () => call(author, 'reconnectDestination(destination: blogsite_a) { status }');
  const answers = await Promise.all([again(), again()]);
  assert.ok(
    answers.every(({ data }) => data?.reconnectDestination.status === 'active'),
    answers[0]?.text,
  );
  for (const id of ids) await world.reaches(id, 'blogsite_a', 'delivered');
  await again();
  for (const id of ids) await world.client.workflow.getHandle(`delivery/${id}/blogsite_a`).result();
  assert.deepEqual([await actions('Held A'), await actions('Held B')], [['create'], ['create']]);
  assert.deepEqual(await events(author), ['CROSS_POST_SUCCESS', 'CROSS_POST_SUCCESS']);
});

test('disconnected by its author, nothing is sent to what waits, whatever command is given (F26)', async () => {
  const author = await newAuthor('blogsite_a');
  await world.faults([
    { platform: 'blogsite_a', action: 'create', times: 1, status: 429, headers: { 'retry-after': '2' } },
  ]);
  const { id } = await publish(author, { title: 'Waits in vain' });
  await eventually('the pause', async () => (await world.reaches(id, 'blogsite_a', 'pending')).nextAttemptAt);
  assert.equal((await call(author, 'disconnectDestination(destination: blogsite_a)')).data.disconnectDestination, true);
  await call(author, `retryDelivery(articleId: "${id}", destination: blogsite_a) { state }`);
  const row = await world.reaches(id, 'blogsite_a', 'held');
  assert.equal(row.lastErrorCode, 'not_connected');
  await world.client.workflow.getHandle(`delivery/${id}/blogsite_a`).result();
  assert.deepEqual(await actions('Waits in vain'), []);
});

test('what its author changes while the destinations are asked ahead of a schedule does not wait for them', async () => {
  const author = await newAuthor('blogsite_a');
  // Refused, and asked again only after a while.
  await world.faults([{ platform: 'blogsite_a', action: 'probe', times: 1, status: 401 }]);
  const scheduledAt = new Date(Date.now() + 50 * 60_000).toISOString();
  const { id } = await publish(author, { title: 'Not held up', scheduled_at: scheduledAt });
  await eventually('the look ahead', async () => {
    const left = (await (await fetch(`${world.sandboxUrl}/faults`)).json()) as unknown[];
    return left.length === 0;
  });
  await call(author, `publishArticleNow(id: "${id}") { id }`);
  await world.reaches(id, 'blogsite_a', 'delivered', 5_000);
  assert.deepEqual(await events(author), ['CROSS_POST_SUCCESS']);
});

test('every history replays, commands and cut reminders among them', () =>
  assertHistoriesReplay(world.client, world.api.taskQueue, 12));
