/** Tests the probes and notices before a scheduled publication. */
import assert from 'node:assert/strict';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { after, before, test } from 'node:test';
import { MockActivityEnvironment } from '@temporalio/testing';
import { createArticleActivities } from '../../../activities/article/advance.ts';
import { createReminderActivities } from '../../../activities/article/remind.ts';
import type { ActivityDeps } from '../../../activities/deps.ts';
import { findDestination } from '../../../destinations/clients.ts';
import { connectDestination } from '../../../store/connections/connect.ts';
import { loadSealer } from '../../../store/secrets/sealing.ts';
import { closedOrigin, startSandbox, startServer } from '../../destinations/destination-harness.ts';
import { markdown, startTestApi, type TestApi } from '../../support/api/api.ts';
import { runGraphql } from '../../support/api/graphql.ts';

/** Without a worker: the tests run the activities as the article workflow does. */
let api: TestApi;
let deps: ActivityDeps;
before(async () => {
  api = await startTestApi();
  const sealer = await loadSealer({ home: api.home, key: undefined });
  deps = {
    db: api.db,
    sealer,
    findDestination,
    allowPrivate: true,
    httpTimeoutMs: 1_500,
    lateArrivalMs: 1_000,
    now: () => new Date(),
  } as ActivityDeps;
});
after(() => api.close());

let count = 0;
async function schedule(baseUrl: string | null, apiKey = 'sandbox-forem-key', inMinutes = 59) {
  const author = await api.createAuthor(`reminded-${++count}`);
  const connect = (key: string, url = baseUrl ?? '') =>
    connectDestination(api.db, deps.sealer, {
      userId: author.id,
      destination: 'blogsite_a',
      platform: 'forem',
      baseUrl: url,
      credentials: { apiKey: key },
      account: { identity: author.id, name: null },
    });
  if (baseUrl !== null) await connect(apiKey);
  const scheduledAt = new Date(Date.now() + inMinutes * 60_000).toISOString();
  const title = `Reminded ${count}`;
  const content = markdown({ title, scheduled_at: scheduledAt });
  const answer = await api.publish({ content }, { token: author.token });
  const articleId = answer.body.data?.id ?? '';
  const events = async () =>
    (await api.db.selectFrom('notifications').selectAll().where('userId', '=', author.id).execute()).map(
      (row) => [row.type, { ...row.payload } as Record<string, unknown>] as const,
    );
  const notices = async () =>
    (await runGraphql(api, author.id, `{ article(id: "${articleId}") { notices { code message } } }`)).data.article
      .notices as { code: string; message: string }[];
  const connection = () =>
    api.db.selectFrom('connections').selectAll().where('userId', '=', author.id).executeTakeFirst();
  return { author, articleId, title, scheduledAt, connect, events, notices, connection };
}

/** Pause between two probes. */
const PROBE_PAUSE_MS = 300;

function remind(input: { articleId: string; scheduledAt: string }): Promise<number> {
  return new MockActivityEnvironment().run(createReminderActivities(deps, PROBE_PAUSE_MS).remindAuthor, {
    articleId: input.articleId,
    scheduledAt: input.scheduledAt,
  }) as Promise<number>;
}

const advance = (articleId: string, at = Date.now()) =>
  createArticleActivities({ ...deps, now: () => new Date(at) }).advanceArticle(articleId);

test('a working destination gets no notice and no second probe', async (context) => {
  const { url } = await startSandbox(context);
  const article = await schedule(`${url}/forem/api`);
  const before = await advance(article.articleId);
  assert.ok(before.kind === 'wait' && before.remindInMs === 0);
  assert.equal(await remind(article), 0);
  assert.deepEqual([await article.events(), await article.notices()], [[], []]);
  const afterwards = await advance(article.articleId);
  assert.ok(afterwards.kind === 'wait' && afterwards.remindInMs === null);
});

test('a reminder runs an hour before the scheduled time, or not at all with too little time remaining', async (context) => {
  const { url } = await startSandbox(context);
  const early = await schedule(`${url}/forem/api`, undefined, 180);
  const next = await advance(early.articleId);
  assert.ok(next.kind === 'wait' && Math.abs((next.remindInMs ?? 0) - 120 * 60_000) < 10_000);
  const late = await schedule(`${url}/forem/api`, undefined, 8);
  const soon = await advance(late.articleId);
  assert.ok(soon.kind === 'wait' && soon.remindInMs === null);
});

test('a refused key marks the connection with one CROSS_POST_FAILED and a notice, even if the reminder runs twice', async (context) => {
  const { url } = await startSandbox(context);
  const article = await schedule(`${url}/forem/api`, 'an-expired-key-of-ours');
  const both = await Promise.all([remind(article), remind(article)]);
  assert.deepEqual(both, [1, 1]);
  assert.equal(await remind(article), 0);
  const events = await article.events();
  const notices = await article.notices();
  const connection = await article.connection();
  const reason = `Scheduled for ${article.scheduledAt}, but blogsite_a would not accept it at present: ${connection?.statusReason}`;
  const payload = { postTitle: article.title, platform: 'BLOGSITE_A', reason };
  assert.deepEqual(events, [['CROSS_POST_FAILED', payload]]);
  assert.deepEqual(notices, [{ code: 'unauthorised', message: reason }]);
  assert.equal(connection?.status, 'unauthorised');
  assert.ok(connection.statusReason);
  assert.doesNotMatch(JSON.stringify([events, notices, connection.statusReason]), /an-expired-key-of-ours/);
});

test('an unavailable destination is only a notice, because it may be available in an hour', async () => {
  const article = await schedule(await closedOrigin());
  assert.equal(await remind(article), 1);
  await remind(article);
  assert.deepEqual(
    (await article.notices()).map(({ code }) => code),
    ['unavailable'],
  );
  assert.deepEqual(await article.events(), []);
  assert.equal((await article.connection())?.status, 'active');
});

test('a moved or cancelled schedule gets no reminder', async (context) => {
  const { url, setFaults } = await startSandbox(context);
  const article = await schedule(`${url}/forem/api`);
  const moved = new Date(Date.now() + 30 * 60_000).toISOString();
  await runGraphql(
    api,
    article.author.id,
    `mutation { scheduleArticle(id: "${article.articleId}", at: "${moved}") { id } }`,
  );
  await setFaults([{ platform: 'blogsite_a', action: 'probe', times: 9, status: 503 }]);
  assert.equal(await remind(article), 0);
  assert.deepEqual(await article.notices(), []);
  assert.equal(await remind({ ...article, scheduledAt: moved }), 1);
  await runGraphql(
    api,
    article.author.id,
    `mutation { unpublishArticle(id: "${article.articleId}") { article { id } } }`,
  );
  assert.equal(await remind({ ...article, scheduledAt: moved }), 0);
  assert.equal((await article.notices()).length, 1);
});

test('a disconnected destination or an unreadable credential is a notice', async (context) => {
  const { url } = await startSandbox(context);
  const disconnected = await schedule(`${url}/forem/api`);
  await runGraphql(api, disconnected.author.id, 'mutation { disconnectDestination(destination: blogsite_a) }');
  assert.equal(await remind(disconnected), 1);
  assert.deepEqual(
    (await disconnected.notices()).map(({ code }) => code),
    ['not_connected'],
  );
  const damaged = await schedule(`${url}/forem/api`);
  await api.db
    .updateTable('connections')
    .set({ credentialsSealed: Buffer.alloc(64, 1) })
    .where('userId', '=', damaged.author.id)
    .execute();
  assert.equal(await remind(damaged), 1);
  const [notice] = await damaged.notices();
  assert.equal(notice?.code, 'credential_unreadable');
  assert.doesNotMatch(notice.message, /COURANT_CREDENTIALS_KEY/);
});

/** Forwards a probe to the sandbox. */
async function forward(sandboxUrl: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const headers = { 'api-key': String(request.headers['api-key']) };
  const answer = await fetch(`${sandboxUrl}${request.url}`, { headers });
  response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' });
  response.end(await answer.text());
}

test('a connection that is reconnected during its probe is not marked', async (context) => {
  const { url } = await startSandbox(context);
  const [probed, reconnected] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const slow = await startServer(context, async (request, response) => {
    probed.resolve();
    if (request.headers['api-key'] !== 'sandbox-forem-key') await reconnected.promise;
    await forward(url, request, response);
  });
  const article = await schedule(`${slow}/forem/api`, 'an-expired-key-of-ours');
  const reminding = remind(article);
  await probed.promise;
  await article.connect('sandbox-forem-key');
  reconnected.resolve();
  await reminding;
  assert.equal((await article.connection())?.status, 'active');
  assert.deepEqual(await article.events(), []);
});

/** Schedules more articles of the same author in the same hour. */
async function scheduleMore(article: Awaited<ReturnType<typeof schedule>>, number: number) {
  const all = [article];
  for (let n = 1; n < number; n++) {
    const scheduledAt = new Date(Date.parse(article.scheduledAt) + n * 1_000).toISOString();
    const content = markdown({ title: `One of many ${++count}`, scheduled_at: scheduledAt });
    const answer = await api.publish({ content }, { token: article.author.token });
    all.push({ ...article, articleId: answer.body.data?.id ?? '', scheduledAt });
  }
  return all;
}
const listAuthorNotices = (authorId: string) =>
  api.db
    .selectFrom('articleNotices')
    .innerJoin('articles', 'articles.id', 'articleNotices.articleId')
    .select('articleNotices.code')
    .where('articles.authorId', '=', authorId)
    .execute();

test('sixty articles of one author in one hour share one probe, and a 429 to a burst adds no notice', async (context) => {
  const { url } = await startSandbox(context);
  let requests = 0;
  const limiter = await startServer(context, (request, response) => {
    requests += 1;
    if (requests > 9) {
      response.writeHead(429, { 'content-type': 'application/json', 'retry-after': '30' });
      response.end('{"error":"Rate limit reached","status":429}');
      return;
    }
    void forward(url, request, response);
  });
  const articles = await scheduleMore(await schedule(`${limiter}/forem/api`), 60);
  const [first] = articles;
  const warnings = await Promise.all(articles.map(remind));
  assert.deepEqual(new Set(warnings), new Set([0]));
  assert.deepEqual([await first?.events(), await listAuthorNotices(first?.author.id ?? '')], [[], []]);
  assert.equal(requests, 1);
});

test('sixty articles with one refused key cause one CROSS_POST_FAILED after two probes', async (context) => {
  const { url, setFaults } = await startSandbox(context);
  const articles = await scheduleMore(await schedule(`${url}/forem/api`, 'an-expired-key-of-ours'), 60);
  // A fault that only counts the probes.
  await setFaults([{ platform: 'blogsite_a', action: 'probe', times: 200, delayMs: 1 }]);
  await Promise.all(articles.map(remind));
  const [fault] = (await (await fetch(`${url}/faults`)).json()) as { times: number }[];
  assert.equal(200 - (fault?.times ?? 0), 2);
  assert.deepEqual(
    (await articles[0]?.events())?.map(([type]) => type),
    ['CROSS_POST_FAILED'],
  );
  assert.equal((await listAuthorNotices(articles[0]?.author.id ?? '')).length, 60);
});

for (const [what, fault] of [
  ['a 429', { status: 429, headers: { 'retry-after': '1' } }],
  ['a 503', { status: 503 }],
  ['a time-out', { delayMs: 2_000 }],
  ['a lost connection', { drop: 'before' }],
] as const) {
  test(`${what} at a probe adds no notice, because the probe is repeated (F11)`, async (context) => {
    const { url, setFaults } = await startSandbox(context);
    const article = await schedule(`${url}/forem/api`);
    await setFaults([{ platform: 'blogsite_a', action: 'probe', times: 1, ...fault }]);
    assert.equal(await remind(article), 0);
    assert.deepEqual([await article.events(), await article.notices()], [[], []]);
  });
}

test('a lasting rate limit adds no notice, because a 429 does not refuse the credential (F11)', async (context) => {
  const { url, setFaults } = await startSandbox(context);
  const article = await schedule(`${url}/forem/api`);
  await setFaults([
    { platform: 'blogsite_a', action: 'probe', times: 99, status: 429, headers: { 'retry-after': '1' } },
  ]);
  assert.equal(await remind(article), 0);
  assert.deepEqual([await article.events(), await article.notices()], [[], []]);
});

test('a finding about a credential does not apply to its replacement', async (context) => {
  const { url } = await startSandbox(context);
  const articles = await scheduleMore(await schedule(`${url}/forem/api`, 'an-expired-key-of-ours'), 2);
  const [first, second] = articles;
  assert.ok(first && second);
  assert.equal(await remind(first), 1);
  await first.connect('sandbox-forem-key');
  assert.equal(await remind(second), 0);
  assert.equal((await first.connection())?.status, 'active');
});

test('a probe with a lost worker is repeated by another worker', async (context) => {
  const { url } = await startSandbox(context);
  const article = await schedule(`${url}/forem/api`, 'an-expired-key-of-ours');
  const connection = await article.connection();
  assert.ok(connection);
  const lost = { connectionId: connection.id, credentialVersion: connection.version };
  const leasedUntil = new Date(Date.now() + 1_000);
  await api.db
    .insertInto('credentialChecks')
    .values({ ...lost, leasedUntil })
    .execute();
  assert.equal(await remind(article), 1);
  assert.ok(new Date() > leasedUntil);
  assert.equal((await article.events()).length, 1);
});
