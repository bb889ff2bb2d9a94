/**
 * The number of database queries does not depend on the length of lists or the depth of documents.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { DESTINATION_KEYS } from '../../../article/types.ts';
import { addNotification } from '../../../store/notifications/add.ts';
import { markdown, startTestApi, type TestApi, type TestAuthor } from '../../support/api/api.ts';
import { runGraphql } from '../../support/api/graphql.ts';
import { addImport } from '../../support/api/imports.ts';
import { addComment, addPerson, react } from '../../support/api/readership.ts';
import { countQueries } from '../../support/database/count-queries.ts';
import { waitUntilAllDerived } from '../articles/support/lists.ts';
import { listRootFields, writeDeepestQuery } from './support/deepest-query.ts';

interface Filled {
  author: TestAuthor;
  articleId: string;
  slug: string;
  seriesId: string;
  importId: string;
}

let api: TestApi;
let few: Filled;
let many: Filled;
before(async () => {
  api = await startTestApi();
  few = await fill(1, 1);
  many = await fill(8, DESTINATION_KEYS.length);
  // Derivation after the publish also queries the database.
  await waitUntilAllDerived(api);
});
after(() => api.close());

/** Creates an author with articles, notices, and deliveries at the given number of destinations. */
async function fill(articles: number, destinations: number): Promise<Filled> {
  const author = await api.createAuthor(`author-of-${articles}`);
  let articleId = '';
  let slug = '';
  let seriesId = '';
  for (let n = 0; n < articles; n++) {
    const title = `${author.username} ${n}`;
    const series = await runGraphql(
      api,
      author.id,
      'mutation ($title: String!) { createSeries(title: $title) { id } }',
      {
        title,
      },
    );
    seriesId = series.data.createSeries.id;
    const { body } = await api.publish({ content: markdown({ title, tags: [`tag ${n}`], series_id: title }) }, author);
    articleId = body.data?.id ?? '';
    slug = body.data?.slug ?? '';
    await addReaders(articleId, author, n);
    const deliveries = DESTINATION_KEYS.slice(0, destinations).map((destination) => ({ articleId, destination }));
    await api.db
      .insertInto('deliveries')
      .values(deliveries)
      .onConflict((row) => row.doNothing())
      .execute();
    const notice = { articleId, code: 'a_code', message: 'A message.', createdAt: new Date() };
    await api.db
      .insertInto('articleNotices')
      .values({ ...notice, dedupeKey: articleId })
      .execute();
  }
  // All readers of the last article.
  for (let n = 0; n < articles; n++) await addReaders(articleId, author, n + 100);
  let importId = '';
  for (let n = 0; n < articles; n++) importId = await addImport(api.db, author.id, articles);
  return { author, articleId, slug, seriesId, importId };
}

/** Adds a reader who comments, gets an answer, follows, reacts and reads. */
async function addReaders(articleId: string, author: TestAuthor, n: number): Promise<void> {
  const now = new Date();
  const day = new Date(Date.UTC(2026, 10, 1 + (n % 28))).toISOString().slice(0, 10);
  const reader = await addPerson(api.db);
  const parentId = await addComment(api.db, { articleId, userId: reader, at: now });
  await addComment(api.db, { articleId, userId: author.id, at: now, parentId });
  await react(api.db, articleId, reader, now);
  await api.db.insertInto('followers').values({ authorId: author.id, followerId: reader }).execute();
  const once = api.db.insertInto('articleDays').values({ articleId, day, views: 1 });
  await once.onConflict((row) => row.doNothing()).execute();
  const host = api.db.insertInto('articleDayHosts').values({ articleId, day, host: `h${n}.example`, views: 1 });
  await host.execute();
  const payload = { actorName: 'Reader', postTitle: '' };
  const notification = { userId: author.id, type: 'NEW_FOLLOWER', payload, dedupeKey: reader, now } as const;
  await api.db.transaction().execute((tx) => addNotification(tx, notification));
}

/** The call of each root field. Add new fields here. */
const CALLS: Record<string, (of: Filled) => string> = {
  me: () => 'me',
  user: ({ author }) => `user(username: "${author.username}")`,
  accountDeletion: () => 'accountDeletion',
  developerTokens: () => 'developerTokens',
  series: ({ seriesId }) => `series(id: "${seriesId}")`,
  imports: () => 'imports(first: 5)',
  import: ({ importId }) => `import(id: "${importId}")`,
  mySeries: () => 'mySeries(first: 20)',
  tags: () => 'tags',
  article: ({ articleId }) => `article(id: "${articleId}")`,
  articles: () => 'articles(first: 20)',
  connections: () => 'connections',
  deliveries: ({ articleId }) => `deliveries(articleId: "${articleId}")`,
  offers: () => 'offers(destination: blogsite_a)',
  digestSettings: () => 'digestSettings',
  comments: ({ slug }) => `comments(slug: "${slug}", first: 20)`,
  engagement: ({ slug }) => `engagement(slug: "${slug}")`,
  readings: ({ slug }) => `readings(slug: "${slug}", days: 20)`,
  audience: ({ author }) => `audience(username: "${author.username}")`,
  notifications: () => 'notifications(first: 20)',
  unreadNotifications: () => 'unreadNotifications',
  notificationPreferences: () => 'notificationPreferences',
  sessions: () => 'sessions',
};

/** Session, account, rate limit, and one query per kind of row. */
const MAX_QUERIES = 8;

for (const { name } of listRootFields('Query')) {
  test(`the deepest query of ${name} runs as many database queries for many entries as for one`, async () => {
    const call = CALLS[name];
    assert.ok(call, `say in CALLS how ${name} is called`);
    const counts: number[] = [];
    for (const filled of [few, many]) {
      const { author } = filled;
      const query = writeDeepestQuery(name, call(filled));
      counts.push(await count(() => runGraphql(api, author.id, query)));
    }
    assert.ok(counts[0], 'queries are counted');
    assert.equal(counts[0], counts[1]);
    assert.ok((counts[1] ?? 0) <= MAX_QUERIES, `${counts[1]} queries`);
  });
}

test('a list under fifty aliases runs as many database queries as under one', async () => {
  const aliases = Array.from(
    { length: 25 },
    (_, n) => `d${n}: deliveries { attempts formerCopies { url } } n${n}: notices { code }`,
  );
  const countOf = (fields: string) =>
    count(() => runGraphql(api, many.author.id, `{ article(id: "${many.articleId}") { ${fields} } }`));
  assert.equal(await countOf(aliases.join(' ')), await countOf(aliases[0] ?? ''));
});

async function count(run: () => ReturnType<typeof runGraphql>): Promise<number> {
  const { answer, queries } = await countQueries(run);
  assert.equal(answer.status, 200, answer.text);
  assert.equal(answer.code, undefined, answer.text);
  return queries;
}
