/**
 * Publishes through two API instances race with each other, with commands, with connections and
 * with a suspension of the account. Afterwards stored data, posts and counts must agree.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { disconnectDestination } from '../../../store/connections/disconnect.ts';
import { setSuspended } from '../../../store/users/operator-actions.ts';
import { markdown, postArticle, startTestApi, type TestApi, type TestAuthor } from '../../support/api/api.ts';
import { runGraphql } from '../../support/api/graphql.ts';
import { type DeliveryWorld, startDeliveryWorld } from '../../support/delivery/delivery.ts';
import { createConnectedAuthor } from '../../support/delivery/publishing.ts';
import { eventually } from '../../support/eventually.ts';

const ROUNDS = Number(process.env.ROUNDS ?? 3);
const ARTICLES = 4;
const STEPS = 5;
/** The response of an overloaded API, which changes nothing. */
const BUSY = '503 documents_busy';
const DESTINATIONS = ['blogsite_a', 'cms_site'] as const;

let world: DeliveryWorld;
let second: TestApi;
before(async () => {
  world = await startDeliveryWorld();
  const { api } = world;
  const env = { BASE_URL: api.baseUrl, TEMPORAL_TASK_QUEUE: api.taskQueue };
  second = await startTestApi({ databaseUrl: api.databaseUrl, home: api.home, env });
});
after(async () => {
  await second.close();
  await world.close();
});

interface Story {
  author: TestAuthor;
  /** The title and external id of all its publishes, so that they change the same article. */
  name: string;
  /** The actions and their responses. */
  results: string[];
}

const pick = <T>(list: readonly T[]): T => list[Math.floor(Math.random() * list.length)] as T;
const soon = (ms: number) => new Date(Date.now() + ms).toISOString();
let texts = 0;

async function publish({ author, name }: Story, frontmatter: object, request: object = {}): Promise<string> {
  const crossPost = { blogsite_a: true, blogsite_b: false, cms_site: true };
  const content = markdown({ title: name, id: name, cross_post: crossPost, ...frontmatter }, `Text ${++texts}.\n`);
  const { status, body } = await postArticle(pick([world.api.url, second.url]), author.token, { content, ...request });
  return `${status} ${body.code ?? body.data?.status}`;
}

async function command({ author, name }: Story, mutation: string): Promise<string> {
  const rows = world.api.db.selectFrom('articles').select('id').where('externalId', '=', name);
  const row = await rows.executeTakeFirst();
  if (!row) return 'nothing there yet';
  const query = `mutation { ${mutation.replace('$id', `"${row.id}"`)} }`;
  const { code, text } = await runGraphql(pick([world.api, second]), author.id, query);
  return code ?? text;
}

async function suspend({ author: { username } }: Story, isSuspended: boolean): Promise<string> {
  await setSuspended(world.api.db, { operator: 'test', account: username, now: new Date() }, isSuspended);
  return 'done';
}

const PUBLISHES: ((story: Story) => Promise<string>)[] = [
  (story) => publish(story, {}),
  (story) => publish(story, { slug: `${story.name}-${pick(['a', 'b'])}` }),
  (story) => publish(story, { draft: true }),
  (story) => publish(story, { scheduled_at: soon(1_200) }),
  (story) => publish(story, {}, { syndicationMode: 'local' }),
];
const OTHERS: ((story: Story) => Promise<string>)[] = [
  (story) => command(story, 'unpublishArticle(id: $id) { article { id } }'),
  (story) => command(story, 'deleteArticle(id: $id) { article { id } }'),
  (story) => command(story, 'publishArticleNow(id: $id) { id }'),
  (story) => command(story, `scheduleArticle(id: $id, at: "${soon(800)}") { id }`),
  (story) => command(story, 'cancelSchedule(id: $id) { id }'),
  async ({ author }) => String(await disconnectDestination(world.api.db, author.id, pick(DESTINATIONS))),
  async ({ author }) => (await world.connect(author, pick(DESTINATIONS))).id,
  (story) => suspend(story, true),
  (story) => suspend(story, false),
];

async function actAtRandom(story: Story): Promise<void> {
  for (let step = 0; step < STEPS; step++) {
    const action = pick(step === 0 ? PUBLISHES : [...PUBLISHES, ...OTHERS]);
    story.results.push(await action(story));
    await sleep(Math.random() * 250);
  }
}

/** Ends with a publish by an active author with all connections. */
async function end(story: Story): Promise<void> {
  await suspend(story, false);
  for (const key of DESTINATIONS) await world.connect(story.author, key);
  const last = pick([{}, {}, { draft: true }]);
  await eventually('room for the last publish', async () => {
    story.results.push(await publish(story, last));
    return story.results.at(-1) !== BUSY;
  });
}

async function listLivePlatforms({ name }: Story): Promise<string[]> {
  const posts = (await (await fetch(`${world.sandboxUrl}/posts`)).json()) as Record<
    'platform' | 'title' | 'status',
    string
  >[];
  const livePosts = posts.filter(({ title, status }) => title === name && /^(published|publish|live)$/.test(status));
  return livePosts.map(({ platform }) => platform).sort();
}

async function listOpen({ author, name }: Story): Promise<string[]> {
  const { rows } = await sql<{ open: string }>`
    select 'outbox' as open from outbox o join articles a on a.id = o.article_id where a.external_id = ${name} and a.author_id = ${author.id}
    union all
    select d.destination || ' ' || d.state from delivery_states d join articles a on a.id = d.article_id
    where a.external_id = ${name} and a.author_id = ${author.id} and d.delivery_id is not null
      and (d.state = 'delivering' or (a.status = 'PUBLISHED' and (d.state <> 'delivered' or d.delivered_revision <> a.revision)))`.execute(
    world.api.db,
  );
  return rows.map(({ open }) => open);
}

async function assertAgreement(story: Story): Promise<void> {
  const { author, name } = story;
  const { db } = world.api;
  for (const result of story.results)
    assert.ok(result === BUSY || !/^5\d\d |INTERNAL/.test(result), story.results.join('; '));
  const articles = await db
    .selectFrom('articles')
    .select(['status', 'source'])
    .where('authorId', '=', author.id)
    .execute();
  assert.equal(articles.length, 1, 'one article');
  const expected = articles[0]?.status === 'PUBLISHED' ? [...DESTINATIONS] : [];
  let last = '';
  await eventually(
    `${name} to come to rest`,
    async () => {
      const [open, live] = [await listOpen(story), await listLivePlatforms(story)];
      last = JSON.stringify({ open, live, expected });
      return open.length === 0 && live.join() === expected.join();
    },
    { withinMs: 60_000 },
  ).catch((error: Error) => assert.fail(`${error.message}: ${last} after ${story.results.join('; ')}`));
  const { storedBytes } = await db
    .selectFrom('users')
    .select('storedBytes')
    .where('id', '=', author.id)
    .executeTakeFirstOrThrow();
  assert.equal(storedBytes, Buffer.byteLength(articles[0]?.source ?? ''));
}

for (let round = 1; round <= ROUNDS; round++) {
  test(`two clients, commands, connections and the operator race in any order: one article, in the state of its last publish, round ${round} (F15, F26)`, async () => {
    const stories = await Promise.all(
      Array.from({ length: ARTICLES }, async (_, n): Promise<Story> => {
        const author = await createConnectedAuthor(world, ...DESTINATIONS);
        return { author, name: `race-${round}-${n}`, results: [] };
      }),
    );
    await Promise.all(stories.flatMap((story) => [actAtRandom(story), actAtRandom(story)]));
    for (const story of stories) await end(story);
    for (const story of stories) await assertAgreement(story);
  });
}
