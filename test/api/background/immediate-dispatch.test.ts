/** Actions that signal a workflow are dispatched at once. The next sweep would be seconds later. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { createLink, signLink } from '../../../store/mail-links/links.ts';
import { connectAccount, findAccount, startWorldOfAccounts, withdrawal } from '../../support/api/accounts.ts';
import type { TestAuthor } from '../../support/api/api.ts';
import { visitDesk } from '../../support/api/desk.ts';
import { runGraphql, sendCommand } from '../../support/api/graphql.ts';
import type { DeliveryWorld } from '../../support/delivery/delivery.ts';
import { listOffers, sendArticles } from '../../support/delivery/offers.ts';
import { publishArticle, waitForOutbox } from '../../support/delivery/publishing.ts';
import { createAuthor, PASSWORD, remove } from '../accounts/support/leavers.ts';

/** The shortest time between a batch of the dispatcher and the next sweep. */
const MIN_SWEEP_MS = 3_750;
/** A slow machine may need as long as a sweep, but not each time. */
const MAX_TRIES = 3;
const NEW_PASSWORD = 'another good long password';
const CONNECTION = '/desk/settings/connections/blogsite_a';

let world: DeliveryWorld;
before(async () => {
  // No worker: the workflows only have to be signalled.
  world = await startWorldOfAccounts({ worker: false });
});
after(() => world.close());

let count = 0;
const nextName = () => `sender-${++count}`;
const addAuthor = () => createAuthor(world.api, nextName());
const findForem = () => findAccount(world, 'forem', 'demo');

/** Adds an author with a public article that is not sent to the connected account: an offer. */
async function addOffer(): Promise<{ author: TestAuthor; articleId: string }> {
  const author = await addAuthor();
  const article = await publishArticle(world, author, { title: nextName(), cross_post: { blogsite_a: true } });
  await connectAccount(world, author, findForem());
  const [offer] = await listOffers(world, author, 'blogsite_a');
  assert.equal(offer?.articleId, article.id);
  return { author, articleId: article.id };
}

/** Adds an author with a delivery that is due at the connected account. */
async function addDueDelivery(): Promise<{ author: TestAuthor; articleId: string }> {
  const author = await addAuthor();
  await connectAccount(world, author, findForem());
  const { id } = await publishArticle(world, author, { title: nextName(), cross_post: { blogsite_a: true } });
  return { author, articleId: id };
}

async function mutate(userId: string | null, mutation: string): Promise<void> {
  const { data, text } = await runGraphql(world.api, userId, `mutation { ${mutation} }`);
  assert.ok(data && Object.values(data).every((value) => value !== null), text);
}

async function post(author: TestAuthor, path: string, fields: Record<string, string> = {}): Promise<void> {
  const desk = await visitDesk(world.api, author.id);
  const { status, text } = await desk.post(CONNECTION + path, fields);
  assert.equal(status, 303, text);
}

/** Prepares an action and returns it. */
const ACTIONS: Record<string, () => Promise<() => Promise<unknown>>> = {
  async registration() {
    const name = nextName();
    const fields = `username: "${name}", name: "Ada", email: "${name}@example.org", password: "${PASSWORD}"`;
    return () => mutate(null, `register(${fields}) { __typename }`);
  },
  async 'another confirmation mail'() {
    const { id } = await addAuthor();
    await world.api.db.updateTable('users').set({ emailConfirmedAt: null }).where('id', '=', id).execute();
    return () => mutate(id, 'resendConfirmation');
  },
  'request for a password reset': async () => () =>
    mutate(null, `requestPasswordReset(email: "${nextName()}@example.org")`),
  async 'password reset'() {
    const { id: userId, username } = await addAuthor();
    const link = { id: crypto.randomUUID(), purpose: 'reset_password', email: `${username}@example.org` } as const;
    const [now, expiresAt] = [new Date(), new Date(Date.now() + 3_600_000)];
    await createLink(world.api.db, { ...link, userId, subscriberId: null, now, expiresAt });
    const token = signLink(world.api.accounts.linkKey, { ...link, subjectId: userId });
    return () => mutate(null, `resetPassword(token: "${token}", password: "${NEW_PASSWORD}")`);
  },
  async 'change of a password'() {
    const { id } = await addAuthor();
    return () => mutate(id, `changePassword(currentPassword: "${PASSWORD}", newPassword: "${NEW_PASSWORD}")`);
  },
  async 'deletion of an account'() {
    const author = await addAuthor();
    await publishArticle(world, author, { title: nextName() });
    return async () => assert.equal((await remove(world.api, author)).data?.deleteAccount, true);
  },
  async 'subscription to a newsletter'() {
    const { username } = await addAuthor();
    return () => mutate(null, `subscribe(username: "${username}", email: "${nextName()}@example.org")`);
  },
  async 'start of an import'() {
    const { id } = await addAuthor();
    return () => mutate(id, 'importArticles(source: RSS, identifier: "https://blog.example/feed") { id }');
  },
  async 'cancellation of an import'() {
    const { id } = await addAuthor();
    await mutate(id, 'importArticles(source: RSS, identifier: "https://blog.example/feed") { id }');
    const imports = world.api.db.selectFrom('imports').select('id').where('userId', '=', id);
    const { id: importId } = await imports.executeTakeFirstOrThrow();
    return () => mutate(id, `cancelImport(id: "${importId}")`);
  },
  async 'connection of an account'() {
    const { author } = await addDueDelivery();
    return () => connectAccount(world, author, findForem());
  },
  async 'connection of an account on the desk'() {
    const { author } = await addDueDelivery();
    const { platform, baseUrl, credentials } = findForem();
    const fields = Object.fromEntries(credentials.map(({ name, value }) => [name, value]));
    return () => post(author, '/new', { platform, baseUrl, ...fields });
  },
  async reconnection() {
    const { author } = await addDueDelivery();
    return () => mutate(author.id, 'reconnectDestination(destination: blogsite_a) { status }');
  },
  async 'reconnection on the desk'() {
    const { author } = await addDueDelivery();
    return () => post(author, '/test');
  },
  async 'sending offered articles'() {
    const { author, articleId } = await addOffer();
    return async () => assert.equal((await sendArticles(world, author, 'blogsite_a', [articleId])).length, 1);
  },
  async 'sending offered articles on the desk'() {
    const { author, articleId } = await addOffer();
    return () => post(author, '/send', { article: articleId });
  },
  async 'command for an article'() {
    const { author, articleId } = await addDueDelivery();
    return () => withdrawal(world, author, 'unpublishArticle', articleId);
  },
  async 'command for a delivery'() {
    const { author, articleId } = await addDueDelivery();
    return async () => {
      const target = { articleId, destination: 'blogsite_a' };
      const { data, text } = await sendCommand(world.api, author.id, 'skip', target);
      assert.ok(data?.skipDelivery, text);
    };
  },
  async publish() {
    const author = await addAuthor();
    return () => publishArticle(world, author, { title: nextName(), scheduled_at: '2099-01-01' });
  },
};

for (const [name, prepare] of Object.entries(ACTIONS)) {
  test(`${name} is dispatched at once`, async () => {
    for (let tries = 1; ; tries += 1) {
      const act = await prepare();
      // A batch begins after this, and the next sweep MIN_SWEEP_MS after that batch.
      const startedAt = performance.now();
      await publishArticle(world, world.api.author, { title: nextName(), scheduled_at: '2099-01-01' });
      await waitForOutbox(world);
      const writtenBefore = await readLastOutboxId();
      await act();
      assert.notEqual(await readLastOutboxId(), writtenBefore, 'it writes to the outbox');
      await waitForOutbox(world);
      const tookMs = performance.now() - startedAt;
      if (tookMs < MIN_SWEEP_MS) return;
      assert.ok(tries < MAX_TRIES, `dispatched after ${Math.round(tookMs)} ms, by a sweep`);
    }
  });
}

async function readLastOutboxId(): Promise<unknown> {
  const last = sql<{ id: unknown }>`select pg_sequence_last_value(pg_get_serial_sequence('outbox', 'id')) as id`;
  return (await last.execute(world.api.db)).rows[0]?.id;
}
