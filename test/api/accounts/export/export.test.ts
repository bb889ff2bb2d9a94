/** Export of an account as a zip that can be published again. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { strFromU8, unzipSync } from 'fflate';
import { sql } from 'kysely';
import { listArchivedFiles } from '../../../../api/accounts/export/archive.ts';
import type { ApiDeps } from '../../../../api/deps.ts';
import { DocumentsBusyError } from '../../../../api/documents/pool.ts';
import { publishDueArticle } from '../../../../store/articles/schedules/publish-due.ts';
import { markdown, startTestApi, type TestApi, type TestAuthor } from '../../../support/api/api.ts';
import { runGraphql } from '../../../support/api/graphql.ts';

let api: TestApi;
before(async () => {
  api = await startTestApi();
});
after(() => api.close());

type Files = Record<string, string>;

const EXPORT = 'mutation { exportEverything { url expiresAt } }';

/** Replaces the origin, because the test API listens at another host name than its base URL. */
async function download(author: TestAuthor): Promise<Response> {
  const { data, text } = await runGraphql(api, author.id, EXPORT);
  assert.ok(data, text);
  const { pathname, search } = new URL(data.exportEverything.url);
  return fetch(`${api.url}${pathname}${search}`);
}

async function readExport(author: TestAuthor): Promise<Files> {
  const response = await download(author);
  assert.equal(response.status, 200);
  const files = unzipSync(new Uint8Array(await response.arrayBuffer()));
  return Object.fromEntries(Object.entries(files).map(([name, bytes]) => [name, strFromU8(bytes)]));
}

const publish = async (author: TestAuthor, content: string, fields: object = {}) => {
  const { body } = await api.publish({ content, ...fields }, author);
  assert.ok(body.data, JSON.stringify(body));
  return body.data.id;
};
const command = async (author: TestAuthor, mutation: string) => {
  const answer = await runGraphql(api, author.id, `mutation { ${mutation} }`);
  assert.equal(answer.code, undefined, answer.text);
};
const readRows = (author: TestAuthor) =>
  api.db
    .selectFrom('articles')
    .select(['id', 'slug', 'revision', 'status', 'scheduledAt', 'title', 'partOf', 'partPosition', 'externalId'])
    .where('authorId', '=', author.id)
    .orderBy('id')
    .execute();

test('publishing the exported documents again creates no article and no revision', async () => {
  const author = await api.createAuthor('exporter');
  await runGraphql(api, author.id, 'mutation { createSeries(title: "A series") { id } }');
  await publish(author, markdown({ title: 'Plain', tags: ['a', 'b'], series_id: 'a series' }));
  await publish(author, markdown({ title: 'Own id', id: 'my-own-id', slug: 'given-slug' }));
  await publish(author, '# From its heading\n\nWithout frontmatter.\n');
  await publish(author, '\ufeff---\r\nTitle: Windows # a comment\r\nlayout: post\r\n---\r\n\r\nText.\r\n');
  await publish(author, '+++\ntitle = "In TOML"\n[cross_post]\nsocial_feed = true\n+++\n\nText.\n');
  await publish(author, ';;;\n"title": "In JSON"\n;;;\n\nText.\n').catch(() => undefined);
  await publish(author, '{ "title": "A JSON object" }\n\nText.\n').catch(() => undefined);
  await publish(author, 'import X from "x"\n\n# MDX\n\n<X>Some *text*</X>\n\n{1 + 1}\n');
  await publish(author, markdown({ title: 'By the request' }, '![A picture](pictures/a.png)\n\n[Link](/there)\n'), {
    canonicalUrl: 'https://example.org/posts/by-the-request',
    baseUrl: 'https://example.org/posts/',
    coverImage: 'cover.png',
  });
  await publish(
    author,
    markdown({
      title: 'Canonical',
      canonical_url: 'https://example.org/canonical',
      comments_enabled: false,
      generate_toc: true,
      category: 'devops',
      excerpt: 'Short: "this".',
      subtitle: '---',
    }),
  );
  await publish(author, markdown({ title: '…/../con' }, 'Text.'));
  await publish(author, markdown({ title: 'CON', slug: 'con' }, 'Text.'));
  await publish(author, markdown({ title: '題'.repeat(100) }, 'Text.'));
  await publish(author, markdown({ title: 'A draft', draft: true }));
  await publish(author, markdown({ title: 'Scheduled', scheduled_at: '2099-01-01T10:00[Europe/Berlin]' }));
  // Articles that commands changed after they were published.
  await command(
    author,
    `publishArticleNow(id: "${await publish(author, markdown({ title: 'Draft no more', draft: true }))}") { id }`,
  );
  await command(
    author,
    `unpublishArticle(id: "${await publish(author, markdown({ title: 'Taken back' }))}") { article { id } }`,
  );
  await command(
    author,
    `scheduleArticle(id: "${await publish(author, markdown({ title: 'Put off', status: 'DRAFT' }))}", at: "2098-01-01T00:00+02:00") { id }`,
  );
  await command(
    author,
    `publishArticleNow(id: "${await publish(author, markdown({ title: 'Early', scheduled_at: '2097-01-01' }))}") { id }`,
  );
  await command(
    author,
    `deleteArticle(id: "${await publish(author, markdown({ title: 'Deleted' }))}") { article { id } }`,
  );
  const fired = await publish(author, markdown({ title: 'Fired', scheduled_at: '2097-01-01' }));
  await api.db
    .updateTable('articles')
    .set({ scheduledAt: new Date(Date.now() - 1_000) })
    .where('id', '=', fired)
    .execute();
  assert.equal(await publishDueArticle(api.db, fired, new Date()), true);
  // Makes the document match the time at which it was published.
  await sql`update articles set source = replace(source, '2097-01-01', '2026-01-01') where id = ${fired}`.execute(
    api.db,
  );

  const before = await readRows(author);
  const files = await readExport(author);
  const documents = Object.entries(files).filter(([name]) => name.startsWith('articles/'));
  assert.equal(documents.length, before.length - 1, 'all but the deleted one');
  for (const [name, content] of documents) {
    assert.match(name, /^articles\/[\p{L}\p{N}_-]+\.md$/u);
    const { status, body } = await api.publish({ content }, author);
    assert.deepEqual([status, body.action], [200, 'updated'], `${name}: ${JSON.stringify(body)}\n${content}`);
  }
  assert.deepEqual(await readRows(author), before);
  assert.ok(files['articles/plain.md']?.includes('series_id'), 'what the author wrote stays');
  assert.ok(documents.some(([, content]) => content.includes('Title: Windows # a comment\r\nlayout: post\r\n')));
  assert.equal(
    documents.filter(([name]) => /^articles\/con\b/i.test(name)).every(([name]) => /con-/.test(name)),
    true,
  );
});

test('profile, connections, comments and copies are exported as JSON without secrets', async () => {
  const [author, other] = [await api.createAuthor('keeper'), await api.createAuthor('elsewhere')];
  const account = {
    userId: author.id,
    destination: 'blogsite_a',
    platform: 'forem',
    identity: '1',
    name: '@keeper',
  } as const;
  const { id: accountId } = await api.db
    .insertInto('accounts')
    .values(account)
    .returning('id')
    .executeTakeFirstOrThrow();
  const { identity: _, name: _name, ...place } = account;
  const secret = Buffer.from('a sealed secret');
  await api.db
    .insertInto('connections')
    .values({ ...place, accountId, baseUrl: 'https://forem.example', credentialsSealed: secret })
    .execute();
  const articleId = await publish(author, markdown({ title: 'Copied' }));
  const copy = { remoteId: '7', remoteUrl: 'https://forem.example/7', presence: 'live' } as const;
  await api.db
    .insertInto('copies')
    .values({ articleId, accountId, ...copy })
    .execute();
  const theirs = await publish(other, markdown({ title: 'Theirs' }));
  for (const [userId, body] of [
    [author.id, 'Mine: ✓'],
    [other.id, 'Not mine'],
  ] as const) {
    await api.db.insertInto('comments').values({ articleId: theirs, userId, body }).execute();
  }
  const files = await readExport(author);
  assert.deepEqual(Object.keys(files).slice(0, 4), ['README.md', 'account.json', 'comments.json', 'copies.json']);
  const { profile, connections } = JSON.parse(files['account.json'] ?? '');
  assert.deepEqual([profile.username, profile.email], ['keeper', 'keeper@example.org']);
  assert.deepEqual([connections[0].destination, connections[0].account], ['blogsite_a', '@keeper']);
  assert.deepEqual(
    JSON.parse(files['comments.json'] ?? '').map(({ body, slug }: Record<string, string>) => [body, slug]),
    [['Mine: ✓', 'theirs']],
  );
  assert.deepEqual(JSON.parse(files['copies.json'] ?? ''), [
    {
      slug: 'copied',
      title: 'Copied',
      destination: 'blogsite_a',
      account: '@keeper',
      url: 'https://forem.example/7',
      isUncertain: false,
    },
  ]);
  const everything = Object.values(files).join('\n');
  for (const hidden of [secret.toString(), secret.toString('base64'), 'no password opens this', author.token]) {
    assert.ok(!everything.includes(hidden), hidden);
  }
});

test('an export link is valid for five minutes and grants only the download, which no other token grants', async () => {
  let now = new Date();
  const later = await startTestApi({ databaseUrl: api.databaseUrl, home: api.home, now: () => now });
  try {
    const { id } = api.author;
    const { data } = await runGraphql(later, id, EXPORT);
    const { search, searchParams } = new URL(data.exportEverything.url);
    // Tokens expire at full seconds.
    assert.equal(
      new Date(data.exportEverything.expiresAt).getTime(),
      Math.floor(now.getTime() / 1000) * 1000 + 300_000,
    );
    const token = searchParams.get('token') ?? '';
    const get = (query: string) => fetch(`${later.url}/account/export${query}`);
    const answer = await get(search);
    assert.deepEqual(
      [answer.status, answer.headers.get('content-type'), answer.headers.get('cache-control')],
      [200, 'application/zip', 'no-store'],
    );
    assert.match(
      answer.headers.get('content-disposition') ?? '',
      new RegExp(`^attachment; filename="courant-${now.toISOString().slice(0, 10)}\\.zip"$`),
    );
    await answer.arrayBuffer();
    for (const audience of ['courant:session', 'courant:stream'] as const) {
      assert.equal((await get(`?token=${await later.sessions.issue(audience, id)}`)).status, 401);
    }
    const headers = { authorization: `Bearer ${token}` };
    assert.equal((await fetch(`${later.url}/notifications/sse-token`, { headers })).status, 401);
    for (const query of ['', '?token=', `?token=${token.slice(0, -4)}`]) {
      const refused = await get(query);
      const { detail } = (await refused.json()) as { detail: string };
      const expected = 'The address of the export is incomplete or has expired. Request a new one.';
      assert.deepEqual([refused.status, detail], [401, expected]);
    }
    assert.equal((await fetch(`${later.url}/account/export${search}`, { method: 'HEAD' })).status, 405);
    assert.equal(answer.headers.get('referrer-policy'), 'no-referrer');
    now = new Date(now.getTime() + 6 * 60_000);
    assert.equal((await get(search)).status, 401);
  } finally {
    await later.close();
  }
});

test('the eleventh download within an hour is rejected', async () => {
  const author = await api.createAuthor('impatient');
  const statuses = [];
  for (let n = 0; n < 10; n++) {
    const response = await download(author);
    statuses.push(response.status);
    await response.arrayBuffer();
  }
  const refused = await download(author);
  statuses.push(refused.status);
  const { code, detail } = (await refused.json()) as { code: string; detail: string };
  const expected = 'You have downloaded your data 10 times within one hour. Try again later.';
  assert.deepEqual([code, detail], ['too_many_exports', expected]);
  const seconds = Number(refused.headers.get('retry-after'));
  assert.ok(seconds > 3_000 && seconds <= 3_600, `${seconds}`);
  assert.deepEqual(statuses, [...Array.from({ length: 10 }, () => 200), 429]);
});

test('an article is restored once the threads are free again', async () => {
  const author = await api.createAuthor('busy-threads');
  await publish(author, markdown({ title: 'While threads are busy' }));
  let calls = 0;
  const documents = {
    async restoreDocument() {
      calls += 1;
      if (calls < 3) throw new DocumentsBusyError();
      return 'restored';
    },
  };
  const deps = { db: api.db, images: {}, config: { baseUrl: api.url }, documents, now: () => new Date() };
  for await (const { path, content } of listArchivedFiles(deps as unknown as ApiDeps, author.id)) {
    if (path.startsWith('articles/')) assert.deepEqual(content, ['restored']);
  }
  assert.equal(calls, 3);
});
