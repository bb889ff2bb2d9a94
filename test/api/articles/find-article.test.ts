/** Tests reading an article before it is derived. Without a deriver, a test controls the order. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { pino } from 'pino';
import { findArticle } from '../../../api/articles/page/find-article.ts';
import { readApiConfig } from '../../../api/config.ts';
import { deriveStoredArticle } from '../../../api/documents/derive-stored.ts';
import { createDocumentPool, type DocumentPool } from '../../../api/documents/pool.ts';
import { createPublishQueue } from '../../../api/documents/publish-queue.ts';
import { publishDocument } from '../../../api/publishing/publish-document.ts';
import { readPublishBody } from '../../../api/publishing/request.ts';
import { DERIVED_VERSION } from '../../../article/derived-version.ts';
import { TooComplexError } from '../../../article/errors.ts';
import { deleteArticle, unpublishArticle } from '../../../store/articles/commands.ts';
import { loadDelivery } from '../../../store/deliveries/situation.ts';
import { createUser } from '../../../store/users/create-user.ts';
import { markdown } from '../../support/api/api.ts';
import { type OpenTestDatabase, openTestDatabase } from '../../support/environment.ts';

const BODY = 'The words that are public.\n\n```js\nconst a = 1;\n```\n';
const log = pino({ level: 'silent' });

let database: OpenTestDatabase;
let pool: DocumentPool;
let userId: string;
const config = readApiConfig({
  DATABASE_URL: 'postgres://unused/',
  COURANT_HOME: '/tmp',
  BASE_URL: 'https://c.example',
});
before(async () => {
  database = await openTestDatabase();
  pool = createDocumentPool({ maxThreads: 1 });
  const ada = { username: 'ada', name: 'Ada', email: 'ada@example.org', passwordHash: 'x', now: new Date() };
  userId = (await createUser(database.db, ada)).id;
});
after(async () => {
  await pool.close();
  await database.close();
});

test('an article that becomes a draft while its page is made does not show the text of the draft', async () => {
  await publish({ title: 'Taken back' });
  const secret = 'What nobody may read yet.';
  const found = await read('taken-back', () => publish({ title: 'Taken back', draft: true }, secret));
  assert.deepEqual(found, { kind: 'withdrawn' });
});

test('an article that is unpublished or deleted while its page is made is reported as withdrawn', async () => {
  for (const [slug, command] of [
    ['unpublished', unpublishArticle],
    ['deleted', deleteArticle],
  ] as const) {
    const articleId = await publish({ title: slug });
    const found = await read(slug, () => command(database.db, { authorId: userId, articleId, now: new Date() }));
    assert.deepEqual(found, { kind: 'withdrawn' }, slug);
  }
});

test('a page made during an edit is consistent, with the state before or after it', async () => {
  await publish({ title: 'Before', slug: 'edited', tags: ['old'] });
  const found = await read('edited', () => publish({ title: 'After', slug: 'edited', tags: ['new'] }, 'New words.'));
  assert.ok(found.kind === 'article');
  const { title, tags, derived } = found.article;
  assert.deepEqual([title, tags, derived.keywords], ['After', ['new'], ['new']]);
  assert.equal(derived.plainText, 'New words.');
});

test('a request during an edit gets the new text with its own description', async () => {
  await publish({ title: 'Joined', slug: 'joined' });
  let later: ReturnType<typeof findArticle> | undefined;
  const documents: DocumentPool = {
    ...pool,
    async derive(...task) {
      if (!later) {
        await publish({ title: 'Joined', slug: 'joined' }, `${BODY}\nNew words.\n`);
        later = findArticle({ ...deps(), documents }, 'joined');
        // Joins the run that derives the text before the edit.
        await sleep(100);
      }
      return pool.derive(...task);
    },
  };
  for (const found of [await findArticle({ ...deps(), documents }, 'joined'), await later]) {
    assert.ok(found?.kind === 'article' && found.lastModified);
    assert.match(found.article.derived.html, /tok-keyword[\s\S]*New words/);
  }
});

test('deriving an article by newer rules keeps the excerpt that destinations received', async () => {
  const articleId = await publish({ title: 'Sent long ago' });
  await database.db
    .updateTable('articles')
    .set({ derivedVersion: 1, derived: sql`derived || '{"excerpt": "By the rules of then."}'` })
    .where('id', '=', articleId)
    .execute();
  const key = { articleId, destination: 'blogsite_a' } as const;
  const hash = async () => (await loadDelivery(database.db, key, config.baseUrl))?.situation.article.hash;
  const before = await hash();
  const target = { owner: 'test', articleId, whenTooComplex: 'leave' } as const;
  await deriveStoredArticle({ ...deps(), baseUrl: config.baseUrl }, target);
  assert.equal((await readVersion(articleId)).derivedVersion, DERIVED_VERSION);
  assert.equal(await hash(), before);
});

test('an article that cannot be derived is shown as stored, is not retried at once and has no Last-Modified', async () => {
  for (const [title, error] of [
    ['Broken', new Error('a bug')],
    ['Slow here', new TooComplexError('slow')],
  ] as const) {
    const id = await publish({ title });
    let tries = 0;
    const derive: DocumentPool['derive'] = () => {
      tries += 1;
      return Promise.reject(error);
    };
    const documents = { ...pool, derive };
    const slug = title.toLowerCase().replace(' ', '-');
    for (let times = 0; times < 3; times++) {
      const found = await findArticle({ ...deps(), documents }, slug);
      assert.ok(found.kind === 'article' && found.lastModified === null);
      assert.match(found.article.derived.html, /const a = 1;/);
      assert.equal(found.article.derived.tldr, 'The words that are public.');
    }
    assert.equal(tries, 1);
    // A request has a short time limit, so only the deriver stores that a text is too complex.
    const { derivedVersion } = await readVersion(id);
    assert.equal(derivedVersion, 0);
  }
});

/** Reads the article and runs `meanwhile` between its first read and deriving it. */
function read(slug: string, meanwhile?: () => Promise<unknown>) {
  let isFirst = true;
  const derive: DocumentPool['derive'] = async (...task) => {
    if (isFirst) await meanwhile?.();
    isFirst = false;
    return pool.derive(...task);
  };
  return findArticle({ ...deps(), documents: meanwhile ? { ...pool, derive } : pool }, slug);
}

async function publish(frontmatter: Record<string, unknown>, body = BODY): Promise<string> {
  const content = markdown(frontmatter, body);
  const answer = await publishDocument(
    { ...deps(), publishQueue: createPublishQueue(), onPublished: () => undefined },
    { userId, platforms: {} },
    readPublishBody({ content }),
    null,
  );
  const { data } = answer.body as { data: { id: string } };
  return data.id;
}

function deps() {
  return { config, db: database.db, documents: pool, log, now: () => new Date() };
}

function readVersion(id: string) {
  return database.db.selectFrom('articles').select('derivedVersion').where('id', '=', id).executeTakeFirstOrThrow();
}
