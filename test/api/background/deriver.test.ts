/** Derivation of articles after their publish, by the API and by the next instance. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, type TestContext, test } from 'node:test';
import { sql } from 'kysely';
import { SWEEP } from '../../../api/background/deriver.ts';
import { deriveStoredArticle } from '../../../api/documents/derive-stored.ts';
import { createDocumentPool } from '../../../api/documents/pool.ts';
import { DERIVED_VERSION } from '../../../article/derived-version.ts';
import { buildSearchText } from '../../../article/search/search-text.ts';
import type { ArticleDraft, DerivedArticle } from '../../../article/types.ts';
import { findFreePort } from '../../../scripts/start/ports.ts';
import { listUnderived, loadUnderived, saveDerived } from '../../../store/articles/derived.ts';
import type { Database } from '../../../store/db/database.ts';
import { acquireLease, releaseLease } from '../../../store/leases/lease.ts';
import { markdown, shareDocumentPool, startTestApi, type TestApi } from '../../support/api/api.ts';
import { eventually } from '../../support/eventually.ts';

const BODY = 'A paragraph about Node.js.\n\n## Part\n\n```js\nconst a = 1;\n```\n';
const OPTIONS = { siteOrigin: 'https://courant.example' };

let api: TestApi;
let temporal: string;
before(async () => {
  temporal = `127.0.0.1:${await findFreePort()}`;
  api = await startTestApi({ temporal });
});
after(() => api.close());

test('an article is derived after its publish, without being read', async () => {
  const id = await publish(api, 'Behind the answer');
  const { derived } = await waitForDerived(api.db, id);
  assert.match(derived.html, /<span class="tok-keyword">const<\/span>/);
  assert.ok('tldr' in derived && derived.tldr.includes('Node.js'));
});

test('before derivation the page is shown without colours and the description is derived on request and stored', async () => {
  const id = await publish(api, 'Read at once');
  const [page, description] = await Promise.all([
    fetch(`${api.url}/read-at-once`).then((answer) => answer.text()),
    fetch(`${api.url}/api/geo/posts/read-at-once/description`).then((answer) => answer.json()),
  ]);
  assert.match(page, /Node\.js/);
  await eventually('the page in colour', async () =>
    (await (await fetch(`${api.url}/read-at-once`)).text()).includes('tok-keyword'),
  );
  assert.equal((description as { wordCount: number }).wordCount > 0, true);
  assert.equal((await readRow(api.db, id)).derivedVersion, DERIVED_VERSION);
});

test('articles that a stopped instance did not derive are derived by the next one', async () => {
  const first = await startTestApi({ temporal, databaseUrl: api.databaseUrl, home: api.home });
  const author = await first.createAuthor('left-behind');
  const { id } = (await first.publish(article('Left behind'), { token: author.token })).body.data ?? {};
  await first.close();
  // The state after a crash, however far this instance got.
  const { derivedVersion } = await resetDerived(api.db, id ?? '');
  assert.equal(derivedVersion, 0);
  const second = await startTestApi({ temporal, databaseUrl: api.databaseUrl, home: api.home });
  await waitForDerived(api.db, id ?? '');
  await second.close();
});

test('the result is discarded if the text has changed meanwhile', async () => {
  const pool = shareDocumentPool();
  const id = await publish(api, 'Changed meanwhile');
  await resetDerived(api.db, id);
  const read = await loadUnderived(api.db, id);
  assert.ok(read);
  const derived = await pool.derive('test', read.draft, OPTIONS);
  await publish(api, 'Changed meanwhile', `${BODY}\nAnother end.\n`);
  assert.equal(await saveDerived(api.db, read, derived, buildWords(read.draft, derived)), false);
  assert.match((await waitForDerived(api.db, id)).derived.html, /Another end/);
});

test('concurrent derivations have the same result, which is stored once', async () => {
  const pool = shareDocumentPool();
  const id = await publish(api, 'Twice');
  const stored = (await waitForDerived(api.db, id)).derived;
  await resetDerived(api.db, id);
  const read = await loadUnderived(api.db, id);
  assert.ok(read);
  const [one, two] = await Promise.all([
    pool.derive('one', read.draft, OPTIONS),
    pool.derive('two', read.draft, OPTIONS),
  ]);
  assert.deepEqual(one, two);
  assert.deepEqual(one, stored);
  const results = [
    await saveDerived(api.db, read, one, buildWords(read.draft, one)),
    await saveDerived(api.db, read, two, buildWords(read.draft, two)),
  ];
  assert.equal(results.filter(Boolean).length <= 1, true);
});

test('a text over the time limit keeps its plain page and gets a brief description, once', async (t) => {
  const slow = createDocumentPool({ maxThreads: 1, timeLimitMs: 1 });
  t.after(() => slow.close());
  const body = `${'A paragraph with [a link](https://example.org/), *emphasis* and `code`.\n\n'.repeat(400)}`;
  const id = await publish(api, 'Too long', body);
  await resetDerived(api.db, id);
  const target = { owner: 'test', articleId: id, whenTooComplex: 'describe briefly' } as const;
  await deriveStoredArticle({ db: api.db, documents: slow, baseUrl: api.url }, target);
  const { derived, derivedVersion } = await readRow(api.db, id);
  assert.equal(derivedVersion, DERIVED_VERSION);
  assert.ok(derived.html.length > body.length);
  assert.ok('keywords' in derived && derived.wordCount > 1_000);
  assert.equal((await fetch(`${api.url}/too-long`)).status, 200);
});

test('a description over the request’s time limit is brief and not cached; the deriver replaces it', async (t) => {
  const hurried = await startTestApi({
    temporal,
    databaseUrl: api.databaseUrl,
    home: api.home,
    documents: { timeLimitMs: 1 },
  });
  t.after(() => hurried.close());
  const id = await publish(api, 'In a hurry', `${BODY}${'A paragraph with *emphasis* about Node.js.\n\n'.repeat(800)}`);
  await waitForDerived(api.db, id);
  await preventSweeps(t);
  await resetDerived(api.db, id);
  const early = await fetch(`${hurried.url}/api/geo/posts/in-a-hurry/description`);
  assert.equal(early.status, 200);
  assert.equal(early.headers.get('etag') ?? early.headers.get('last-modified'), null);
  assert.equal(early.headers.get('cache-control'), 'no-store');
  assert.equal((await readRow(api.db, id)).derivedVersion, 0);
  const later = await fetch(`${api.url}/api/geo/posts/in-a-hurry/description`);
  assert.ok(later.headers.get('etag'));
  const [brief, full] = [await early.json(), await later.json()] as { entities: string[]; contentHash: string }[];
  assert.deepEqual([brief?.entities, full?.entities], [[], ['Node.js']]);
  assert.equal(brief?.contentHash, full?.contentHash);
});

test('a conditional request returns a description that a newer version has derived', async (t) => {
  const id = await publish(api, 'Made anew');
  await waitForDerived(api.db, id);
  await preventSweeps(t);
  await api.db
    .updateTable('articles')
    .set({ derivedVersion: 1, derived: sql`derived || '{"tldr": "By the rules of then."}'` })
    .set({ updatedAt: new Date('2026-01-01'), derivedAt: null })
    .where('id', '=', id)
    .execute();
  const sendRequest = (headers = {}) => fetch(`${api.url}/api/geo/posts/made-anew/description`, { headers });
  const before = await sendRequest();
  const since = { 'if-modified-since': before.headers.get('last-modified') ?? '' };
  assert.equal((await sendRequest(since)).status, 304);
  const target = { owner: 'test', articleId: id, whenTooComplex: 'leave' } as const;
  await deriveStoredArticle({ db: api.db, documents: shareDocumentPool(), baseUrl: api.url }, target);
  // The cached response is valid until the notification of the change arrives.
  const later = await eventually('the newer description', async () => {
    const answer = await sendRequest(since);
    return answer.status === 200 && answer;
  });
  const [old, newer] = [await before.json(), await later.json()] as { tldr: string; updatedAt: string }[];
  assert.notEqual(old?.tldr, newer?.tldr);
  assert.equal(old?.updatedAt, newer?.updatedAt);
});

test('drafts are not derived', async () => {
  const draft = await api.publish({ content: markdown({ title: 'A draft', draft: true }, BODY) });
  const id = draft.body.data?.id ?? '';
  assert.equal(await loadUnderived(api.db, id), null);
  assert.equal((await listUnderived(api.db, { limit: 100, except: [] })).includes(id), false);
});

test('publishing the same document again does not derive it again', async () => {
  const id = await publish(api, 'Once per content');
  const before = await waitForDerived(api.db, id);
  await publish(api, 'Once per content');
  assert.deepEqual(await readRow(api.db, id), before);
});

function article(title: string, body = BODY) {
  return { content: markdown({ title }, body) };
}

async function publish(to: TestApi, title: string, body = BODY): Promise<string> {
  const answer = await to.publish(article(title, body));
  assert.ok(answer.body.data, JSON.stringify(answer.body));
  return answer.body.data.id;
}

/** Holds the lease of the sweeps, which would derive an article that the test makes outdated. */
async function preventSweeps(t: TestContext): Promise<void> {
  const lease = { work: SWEEP, holder: randomUUID() };
  await eventually('the lease of the sweeps', () => acquireLease(api.db, lease, 120_000));
  t.after(() => releaseLease(api.db, lease));
}

function readRow(db: Database, id: string) {
  return db.selectFrom('articles').select(['derived', 'derivedVersion']).where('id', '=', id).executeTakeFirstOrThrow();
}

function resetDerived(db: Database, id: string) {
  return db
    .updateTable('articles')
    .set({ derivedVersion: 0 })
    .where('id', '=', id)
    .returning('derivedVersion')
    .executeTakeFirstOrThrow();
}

function waitForDerived(db: Database, id: string) {
  return eventually(
    'the article to be derived',
    async () => {
      const row = await readRow(db, id);
      return row.derivedVersion === DERIVED_VERSION && row;
    },
    { withinMs: 90_000 },
  );
}

function buildWords({ title, subtitle, tags }: ArticleDraft, derived: DerivedArticle) {
  return buildSearchText({ title, subtitle, tags, derived });
}
