/** Tests reading an article before it is derived. Without a deriver, a test controls the order. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { pino } from 'pino';
import { findArticle } from '../../../api/articles/page/find-article.ts';
import { readApiConfig } from '../../../api/config.ts';
import { deriveStoredArticle } from '../../../api/documents/derive-stored.ts';
import { createDocumentPool, type DocumentPool, DocumentsBusyError } from '../../../api/documents/pool.ts';
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

test('a found article has the author’s profile, the addresses of this site and the latest change', async () => {
  const publishedAt = new Date('2026-01-02T03:04:05Z');
  const given = {
    canonical_url: 'https://elsewhere.example/x',
    subtitle: 'Sub',
    category: 'ai',
    cover_image: 'https://c.example/1',
  };
  const articleId = await publish({ title: 'Whole', tags: ['a'], generate_toc: true, ai: { train: false }, ...given });
  const set = (change: Record<string, unknown>) =>
    database.db.updateTable('articles').set(change).where('id', '=', articleId).execute();
  const profile = { bio: 'Writes.', pictureUrl: 'https://face.example/1', contentSignal: 'ai-input=no' };
  await database.db.updateTable('users').set(profile).where('id', '=', userId).execute();
  const underived = await findArticle(deps(), 'whole', { whenUnderived: 'show' });
  assert.ok(underived.kind === 'article' && underived.lastModified === null);
  await findArticle(deps(), 'whole');
  await set({ publishedAt });
  const found = await findArticle(deps(), 'whole');
  assert.ok(found.kind === 'article');
  const { article, lastModified, ...rest } = found;
  assert.deepEqual(rest, {
    kind: 'article',
    articleId,
    profile: { bio: 'Writes.', pictureUrl: 'https://face.example/1' },
    generateToc: true,
    comments: { commentsEnabled: true, commentsLockedAt: null },
    isCanonical: true,
  });
  const { derived: _, updatedAt, ...stored } = article;
  assert.deepEqual(stored, {
    ...{ slug: 'whole', url: 'https://c.example/whole', title: 'Whole', subtitle: 'Sub', tags: ['a'], category: 'ai' },
    ...{ coverImage: 'https://c.example/1', canonicalUrl: 'https://elsewhere.example/x', publishedAt },
    author: { username: 'ada', name: 'Ada', isTrusted: false, sameAs: [], url: 'https://c.example/authors/ada' },
    contentSignal: { 'ai-input': false, 'ai-train': false },
  });

  const readLastModified = async () => {
    const again = await findArticle(deps(), 'whole');
    return again.kind === 'article' ? again.lastModified?.toISOString() : again.kind;
  };
  assert.ok(lastModified && lastModified >= updatedAt);
  const later = (days: number) => new Date(Date.now() + days * 86_400_000);
  const [shownAt, derivedAt] = [later(1), later(2)];
  await database.db.updateTable('users').set({ shownAt }).where('id', '=', userId).execute();
  assert.equal(await readLastModified(), shownAt.toISOString());
  await set({ derivedAt });
  assert.equal(await readLastModified(), derivedAt.toISOString());
});

test('an article without a canonical URL of its author has its address here', async () => {
  await publish({ title: 'Only here' });
  const found = await findArticle(deps(), 'only-here');
  assert.equal(found.kind === 'article' && found.article.canonicalUrl, 'https://c.example/only-here');
});

test('an unknown slug finds nothing, a former one the new address, and one of a suspended author a withdrawal', async () => {
  assert.deepEqual(await findArticle(deps(), 'never-there'), { kind: 'nothing' });
  const articleId = await publish({ title: 'Moving', id: 'moving', slug: 'moving-from' });
  await publish({ title: 'Moving', id: 'moving', slug: 'moving-to' });
  assert.deepEqual(await findArticle(deps(), 'moving-from'), { kind: 'moved', slug: 'moving-to', articleId });
  const suspend = (suspendedAt: Date | null) =>
    database.db.updateTable('users').set({ suspendedAt }).where('id', '=', userId).execute();
  await suspend(new Date());
  assert.deepEqual(await findArticle(deps(), 'moving-to'), { kind: 'withdrawn' });
  await suspend(null);
});

test('after a full pool, the next request derives the article', async () => {
  await publish({ title: 'Crowded' });
  let isBusy = true;
  const derive: DocumentPool['derive'] = (...task) =>
    isBusy ? Promise.reject(new DocumentsBusyError()) : pool.derive(...task);
  const documents = { ...pool, derive };
  const shown = await findArticle({ ...deps(), documents }, 'crowded');
  assert.ok(shown.kind === 'article' && shown.lastModified === null);
  isBusy = false;
  const derived = await findArticle({ ...deps(), documents }, 'crowded');
  assert.ok(derived.kind === 'article' && derived.lastModified !== null);
});

test('while the database is unreachable, the request fails', async () => {
  await publish({ title: 'Unreachable' });
  const unreachable = Object.assign(new Error('gone'), { code: 'ECONNREFUSED' });
  const documents = { ...pool, derive: () => Promise.reject(unreachable) } as DocumentPool;
  await assert.rejects(findArticle({ ...deps(), documents }, 'unreachable'), unreachable);
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
