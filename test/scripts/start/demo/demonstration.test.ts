/** The demonstration of `npm start`: its accounts, its articles, and what its people do with them. */
import assert from 'node:assert/strict';
import { readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { type Demonstration, introduceAuthor, showDeliveries } from '../../../../scripts/start/demo/demonstrate.ts';
import { awaitDeliveries, publishArticle } from '../../../../scripts/start/demo/first-publish.ts';
import { signIn } from '../../../../scripts/start/demo/publish-interactions.ts';
import { findTokenOwner } from '../../../../store/tokens/developer-tokens.ts';
import type { TestApi } from '../../../support/api/api.ts';
import {
  findUser,
  listArticles,
  listComments,
  listConnections,
  listDeliveries,
  listFollows,
  listReactions,
  listSubscribers,
  listViews,
} from './tables.ts';
import { type DemonstrationWorld, startDemonstration } from './world.ts';

const DAY_MS = 86_400_000;
const PART = 'a-publishing-pipeline-in-git-part';
const toDaysAgo = (at: Date | null) => at && Math.round((Date.now() - at.getTime()) / DAY_MS);
const never = new AbortController().signal;
let world: DemonstrationWorld;
let api: TestApi;
let sandboxUrl: string;
let demonstration: Demonstration;
let introduced: Awaited<ReturnType<typeof introduceAuthor>>;
let lines: string[];
before(async () => {
  world = await startDemonstration();
  ({ api, sandboxUrl, demonstration, lines } = world);
  introduced = await introduceAuthor(demonstration);
});
after(() => world.close());

test('the start reports the first article and the others, and nothing else', () => {
  const { origin } = new URL(api.baseUrl);
  assert.deepEqual(
    lines.map((line) => line.replace(/[\d.]+ s\)$/, 'n s)')),
    [
      `examples/first-post.md published (created): ${origin}/one-file-every-place-you-write`,
      '13 more articles of three authors (n s)',
    ],
  );
  assert.equal(introduced.first?.url, `${origin}/one-file-every-place-you-write`);
  assert.match(introduced.first?.coverImage ?? '', new RegExp(`^${origin}/images/[\\da-f]{64}\\.png$`));
});

test('demo.json contains addresses, logins, accounts of the sandbox and processes, for its owner only', () => {
  const file = join(api.home, 'demo.json');
  assert.equal(statSync(file).mode & 0o777, 0o600);
  assert.deepEqual(JSON.parse(readFileSync(file, 'utf8')), introduced.demo);
  const { sandboxAccounts, token, password, second, third, ...rest } = introduced.demo;
  assert.deepEqual(rest, {
    baseUrl: api.baseUrl,
    apiUrl: api.baseUrl,
    graphqlUrl: `${api.baseUrl}/graphql`,
    temporalUi: 'http://localhost:8233',
    temporalAddress: 'here:1',
    sandboxUrl,
    databaseUrl: api.databaseUrl,
    ...{ username: 'demo', email: 'demo@courant.localhost' },
    pids: { api: 3, worker: 6, temporal: 8, postgres: 8, sandbox: 7 },
  });
  const emails = [second, third].map(({ username, email }) => `${username} ${email}`);
  assert.deepEqual(emails, ['second second@courant.localhost', 'third third@courant.localhost']);
  for (const secret of [password, second.password, third.password]) assert.match(secret, /^[\w-]{16}$/);
  assert.match(token, /^courant_/);
  assert.deepEqual(sandboxAccounts[0], {
    ...{ destination: 'blogsite_a', platform: 'forem', account: 'demo', baseUrl: `${sandboxUrl}/forem/api` },
    credentials: [{ name: 'apiKey', value: 'sandbox-forem-key' }],
  });
});

test('the accounts have names and profiles, and the first person’s token is the only one that works', async () => {
  const users = await api.db
    .selectFrom('users')
    .select(['username', 'name', 'bio', 'links', 'isOperator'])
    .where('email', 'like', '%@courant.localhost')
    .orderBy('username')
    .execute();
  assert.deepEqual(
    users.map(({ username, name, bio, links }) => [username, name, (bio ?? '').length > 50, links.length]),
    [
      ['demo', 'Demo Author', true, 2],
      ['second', 'Second Person', true, 1],
      ['third', 'Third Person', true, 2],
    ],
  );
  assert.deepEqual(
    users.map(({ isOperator }) => isOperator),
    [true, false, false],
  );
  const tokens = await api.db.selectFrom('developerTokens').select(['name', 'revokedAt']).execute();
  const names = tokens.map(({ name, revokedAt }) => `${name}${revokedAt ? ', revoked' : ''}`).sort();
  const made = 'Demo (made by npm start)';
  const examples = Array.from({ length: 3 }, () => 'Examples, revoked');
  assert.deepEqual(
    names.filter((name) => /^(Demo|Examples)/.test(name)),
    [made, made, ...examples],
  );
  const owner = await findTokenOwner(api.db, introduced.demo.token, new Date());
  assert.equal(owner?.userId, await findUser(api.db, 'demo'));
});

test('the first person is connected to one account of each destination, the third to a broken one', async () => {
  assert.deepEqual(await listConnections(api.db, sandboxUrl, 'demo'), [
    'blogsite_a forem /forem/api',
    'blogsite_b hashnode /hashnode',
    'blogsite_c medium /medium/v1',
    'cms_site wordpress /wordpress/wp-json',
    'social_feed linkedin /linkedin',
  ]);
  assert.deepEqual(await listConnections(api.db, sandboxUrl, 'second'), []);
  assert.deepEqual(await listConnections(api.db, sandboxUrl, 'third'), ['blogsite_b hashnode /hashnode']);
  const deliveries = await listDeliveries(api.db);
  assert.deepEqual(
    deliveries.map(({ slug, destination }) => `${slug} ${destination}`),
    [
      ...['a', 'b', 'c'].map((key) => `${PART}-1-one-repository-one-folder blogsite_${key}`),
      `${PART}-1-one-repository-one-folder social_feed`,
      ...['a', 'b', 'c'].map((key) => `${PART}-2-checks-that-earn-their-minute blogsite_${key}`),
      ...['blogsite_a', 'blogsite_b', 'cms_site'].map((key) => `${PART}-3-merging-is-not-publishing ${key}`),
      'feeds-still-work-and-yours-is-probably-almost-right blogsite_b',
      'one-file-every-place-you-write blogsite_a',
      'one-file-every-place-you-write blogsite_b',
    ],
  );
});

test('the articles are spread over four weeks; one is scheduled and one is a draft', async () => {
  const articles = await listArticles(api.db);
  const facts = articles.map(({ slug, username, status, publishedAt, createdAt, updatedAt, coverImage, part }) => {
    const days = [publishedAt, createdAt, updatedAt].map(toDaysAgo);
    return [slug.slice(0, 20), username, status, ...days, coverImage !== null, part !== null].join(' ');
  });
  assert.deepEqual(facts, [
    'a-job-queue-in-postg second PUBLISHED 29 29 29 true false',
    'a-publishing-pipelin demo PUBLISHED 26 26 26 true true',
    'sixty-six-characters third PUBLISHED 23 23 23 true false',
    'typografie-im-netz-a second PUBLISHED 20 20 20 true false',
    'a-publishing-pipelin demo PUBLISHED 17 17 17 true true',
    'arabic-markdown third PUBLISHED 14 14 14 false false',
    'server-sent-events-t second PUBLISHED 11 11 11 true false',
    'what-a-screen-reader third PUBLISHED 9 9 9 true false',
    'store-the-zone-not-t second PUBLISHED 7 7 7 true false',
    'a-publishing-pipelin demo PUBLISHED 4 4 4 true true',
    'feeds-still-work-and third PUBLISHED 2 2 2 true false',
    'one-file-every-place demo PUBLISHED 0 0 0 true false',
    'notes-on-texts-for-i demo DRAFT  0 0 false false',
    'reading-explain-with second SCHEDULED  0 0 true false',
  ]);
  const inNineDays = new Date(Date.now() + 9 * DAY_MS).toISOString().slice(0, 10);
  assert.equal(articles.at(-1)?.scheduledAt?.toISOString(), `${inNineDays}T09:00:00.000Z`);
  const covers = articles.flatMap(({ coverImage }) => coverImage ?? []);
  assert.equal(new Set(covers).size, 12);
  for (const cover of covers) assert.equal((await fetch(cover)).status, 200, cover);
});

test('people comment, react and follow, and an answer is accepted', async () => {
  const comments = await listComments(api.db);
  assert.deepEqual(
    comments.map(({ slug, username, depth, acceptedAt }) =>
      [slug.slice(0, 20), `${'  '.repeat(depth)}${username}`, ...(acceptedAt ? ['accepted'] : [])].join(' '),
    ),
    [
      'a-job-queue-in-postg demo',
      'a-job-queue-in-postg   third accepted',
      'a-job-queue-in-postg     demo',
      'a-job-queue-in-postg   second',
      'a-job-queue-in-postg third',
      'store-the-zone-not-t third',
      'store-the-zone-not-t   second',
      'a-publishing-pipelin second',
      'what-a-screen-reader demo',
      'arabic-markdown second',
      'one-file-every-place third',
    ],
  );
  assert.equal(new Set(comments.map(({ body }) => body)).size, 11);
  const reactions = await listReactions(api.db);
  const byArticle = Map.groupBy(reactions, ({ slug, username }) => `${username} ${slug.slice(0, 20)}`);
  assert.deepEqual(
    [...byArticle].map(([name, kinds]) => `${name} ${kinds.map(({ kind }) => kind)}`),
    [
      'demo a-job-queue-in-postg insightful,like',
      'demo server-sent-events-t like',
      'demo store-the-zone-not-t insightful',
      'demo what-a-screen-reader insightful,love',
      'second a-publishing-pipelin like,insightful',
      'second feeds-still-work-and like',
      'second one-file-every-place celebrate,like',
      'second sixty-six-characters love',
      'third a-job-queue-in-postg insightful,love',
      'third a-publishing-pipelin like',
      'third one-file-every-place love',
      'third store-the-zone-not-t celebrate,like',
    ],
  );
  const follows = await listFollows(api.db);
  assert.deepEqual(
    follows.map(({ reader, author }) => `${reader} ${author}`),
    ['demo second', 'second demo', 'second third', 'third demo', 'third second'],
  );
});

test('each article was read most on its first day, then less, with a small peak every seventh day', async () => {
  const days = await listViews(api.db);
  const bySlug = Map.groupBy(days, ({ slug }) => slug);
  const list = (start: string) => days.filter(({ slug }) => slug.startsWith(start)).map(({ views }) => views);
  assert.deepEqual(list('a-job-queue-in-postg').slice(0, 9), [43, 29, 22, 18, 15, 13, 12, 13, 10]);
  assert.deepEqual(list('feeds-still-work-and'), [17, 11, 8]);
  assert.deepEqual(list('one-file-every-place'), [9]);
  assert.equal(bySlug.size, 12);
  assert.equal(days.length, 174);
  for (const { views, readingSeconds } of days) {
    assert.ok(readingSeconds >= 20 * views && readingSeconds < 220 * views, `${readingSeconds} s in ${views} views`);
  }
  const hosts = await api.db.selectFrom('authorDayHosts').select('host').distinct().orderBy('host').execute();
  const external = ['news.example', 'search.example', 'social.example'];
  assert.deepEqual(
    hosts.map(({ host }) => host),
    ['direct', ...external],
  );
  assert.ok((await api.db.selectFrom('roundupEntries').select('week').execute()).length > 0);
});

test('each author has newsletter subscribers, confirmed on the day of their subscription', async () => {
  const subscribers = await listSubscribers(api.db);
  const facts = subscribers.map(({ username, email, createdAt, confirmedAt }) =>
    [username, email, toDaysAgo(createdAt), toDaysAgo(confirmedAt)].join(' '),
  );
  assert.deepEqual(facts, [
    'demo reader-1@example.org 27 27',
    'second reader-1@example.org 24 24',
    'demo reader-2@example.org 19 19',
    'second reader-2@example.org 15 15',
    'demo reader-3@example.org 12 12',
    'third reader-1@example.org 10 10',
    'second reader-3@example.org 8 8',
    'demo reader-4@example.org 5 5',
    'demo reader-5@example.org 1 1',
  ]);
});

test('the start shows how each delivery of the first article ended, or that it continues', async () => {
  const { id = '' } = introduced.first ?? {};
  lines.length = 0;
  await awaitDeliveries(api.db, id, { timeoutMs: -1, print: demonstration.print, aborted: never });
  assert.deepEqual(lines.splice(0), [
    'blogsite_a, blogsite_b: delivery continues in the background (logs/worker.log, Temporal UI)',
  ]);
  await api.db.updateTable('connections').set({ status: 'unauthorised' }).execute();
  assert.ok(introduced.first);
  await showDeliveries(demonstration, introduced.first);
  assert.deepEqual(lines.splice(0), ['blogsite_a held', 'blogsite_b held']);
});

test('an example that is refused, and a login that fails, are errors with the reason', async () => {
  await assert.rejects(publishArticle(api.url, 'courant_wrong', { content: '# Title\n' }, never), {
    name: 'StartError',
    message: /^The example could not be published \(401\): \{"success":false/,
  });
  const { email } = introduced.demo;
  await assert.rejects(signIn(api.url, { username: 'demo', email, password: 'wrong' }, never), {
    name: 'StartError',
    message: /^The demo's content: .*password/,
  });
});

test('a second start keeps logins, token, content and a real account, and repairs connections to the sandbox', async () => {
  const { token, password, second } = introduced.demo;
  const demo = await findUser(api.db, 'demo');
  const connect = (destination: 'cms_site' | 'blogsite_a', baseUrl: string) =>
    api.db
      .updateTable('connections')
      .set({ baseUrl, status: 'active' })
      .where('userId', '=', demo)
      .where('destination', '=', destination)
      .execute();
  await connect('cms_site', 'https://blog.example/wordpress/wp-json');
  await connect('blogsite_a', 'http://localhost:1/forem/api');
  await api.db.deleteFrom('comments').where('userId', '=', demo).execute();
  const comments = (await listComments(api.db)).length;
  lines.length = 0;
  const again = await introduceAuthor(demonstration);
  assert.equal(lines.length, 1, lines.join('\n'));
  assert.match(lines[0] ?? '', /^examples\/first-post\.md was published by an earlier start: http/);
  assert.deepEqual([again.demo.token, again.demo.password, again.demo.second], [token, password, second]);
  assert.equal((await listComments(api.db)).length, comments);
  const [forem, , , wordpress] = await listConnections(api.db, sandboxUrl, 'demo');
  assert.deepEqual(
    [forem, wordpress],
    ['blogsite_a forem /forem/api', 'cms_site wordpress https://blog.example/wordpress/wp-json'],
  );
  const states = await api.db.selectFrom('connections').select('status').where('userId', '=', demo).execute();
  assert.deepEqual(new Set(states.map(({ status }) => status)), new Set(['active']));
});

test('a start that fills the demo again leaves no fault at the sandbox for a delivery that failed before', async () => {
  rmSync(join(api.home, 'demo-content.json'));
  await introduceAuthor(demonstration);
  assert.deepEqual(await (await fetch(`${sandboxUrl}/faults`)).json(), []);
});

test('a further start does not publish the first article again that its author has unpublished', async () => {
  const stored = () =>
    api.db.selectFrom('articles').select('status').where('slug', '=', 'one-file-every-place-you-write').execute();
  await api.db
    .updateTable('articles')
    .set({ status: 'DRAFT' })
    .where('slug', '=', 'one-file-every-place-you-write')
    .execute();
  assert.equal((await introduceAuthor(demonstration)).first, null);
  assert.deepEqual(await stored(), [{ status: 'DRAFT' }]);
});
