/** What an import stores for a post: a new article, or the record of an existing one. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { renderArticle } from '../../../article/derive.ts';
import { endImport } from '../../../store/imports/progress.ts';
import { recordItem } from '../../../store/imports/record-item.ts';
import { recordImported } from '../../../store/imports/record-known.ts';
import { startImport } from '../../../store/imports/start-import.ts';
import { findUntouched } from '../../../store/imports/store-copies.ts';
import { type ImportedPost, storePost } from '../../../store/imports/store-post.ts';
import { read, SITE, withFrontmatter } from '../../article/support/documents.ts';
import { openTestLedger, type TestLedger } from '../../support/database/ledger.ts';

let ledger: TestLedger;
before(async () => {
  ledger = await openTestLedger();
});
after(() => ledger.close());

const NOW = new Date('2026-11-01T09:00:00Z');
const at = (hours: number) => new Date(NOW.getTime() + hours * 3_600_000);
const ORIGIN = 'blog.example/feed';

/** Starts an import with one open item. */
async function addItem(authorId: string) {
  const place = { baseUrl: 'https://blog.example/feed', name: '', origin: ORIGIN };
  const options = { mostItems: null, since: null, asDraft: false, dryRun: false, images: 'keep' } as const;
  const order = { userId: authorId, source: 'rss', identifier: 'blog.example', place, ...options, now: NOW } as const;
  const { id: importId } = await startImport(ledger.db, order);
  const post = JSON.stringify({ title: 'Listed' });
  await ledger.db
    .insertInto('importItems')
    .values({ importId, number: 1, remoteId: 'one', title: 'Listed', hasBody: true, post })
    .execute();
  return { importId, number: 1 };
}

const readRecord = ({ importId }: { importId: string }) =>
  ledger.db
    .selectFrom('importItems')
    .select(['outcome', 'articleId', 'reason', 'warnings', 'adopted', 'post', 'endedAt'])
    .where('importId', '=', importId)
    .executeTakeFirstOrThrow();

const end = (importId: string) => endImport(ledger.db, { importId, state: 'done', reason: null, now: NOW });

function store(authorId: string, item: ImportedPost['item'], frontmatter: string, more: Partial<ImportedPost> = {}) {
  const document = withFrontmatter(frontmatter);
  const { draft } = read(document);
  const rendered = renderArticle(draft, { siteOrigin: SITE });
  const post = { item, authorId, source: 'rss', origin: ORIGIN, remoteId: 'one', draft, rendered, document } as const;
  const fields = { slug: null, publishedAt: at(-5), updatedAt: null, warnings: [], copy: null, dryRun: false };
  return storePost(ledger.db, { ...post, ...fields, baseUrl: SITE, storageLimit: 1_000_000, now: NOW, ...more });
}

/** Imports one post by an import of its own. */
async function importPost(authorId: string, frontmatter: string, more: Partial<ImportedPost> = {}) {
  const item = await addItem(authorId);
  try {
    await store(authorId, item, frontmatter, more);
    return await readRecord(item);
  } finally {
    await end(item.importId);
  }
}

const listArticles = (authorId: string) =>
  ledger.db.selectFrom('articles').selectAll().where('authorId', '=', authorId).orderBy('createdAt').execute();
const listOrigins = (authorId: string) =>
  ledger.db
    .selectFrom('articleOrigins')
    .select(['source', 'origin', 'remoteId', 'articleId', 'createdAt'])
    .where('authorId', '=', authorId)
    .execute();

test('a new post becomes an imported article with its dates, and is neither delivered nor signalled', async () => {
  const authorId = await ledger.addAuthor();
  const warnings = [{ code: 'image_kept', path: 'body', message: 'A picture is missing.' } as const];
  const record = await importPost(authorId, 'title: A new post', { warnings, updatedAt: at(-2) });
  const [article, ...others] = await listArticles(authorId);
  assert.ok(article);
  assert.deepEqual(others, []);
  assert.deepEqual(record, {
    ...{ outcome: 'created', articleId: article.id, reason: null, warnings, adopted: false },
    ...{ post: null, endedAt: NOW },
  });
  const document = withFrontmatter('title: A new post');
  const { slug, status, imported, syndicate, source, createdAt, publishedAt, updatedAt } = article;
  assert.deepEqual([slug, status, imported, syndicate, source], ['a-new-post', 'PUBLISHED', true, true, document]);
  assert.deepEqual([createdAt, publishedAt, updatedAt], [NOW, at(-5), at(-2)]);
  const origin = { source: 'rss', origin: ORIGIN, remoteId: 'one', articleId: article.id, createdAt: NOW };
  assert.deepEqual(await listOrigins(authorId), [origin]);
  assert.deepEqual(await ledger.outbox(article.id), []);
  const user = ledger.db.selectFrom('users').select('storedBytes').where('id', '=', authorId);
  assert.deepEqual(await user.execute(), [{ storedBytes: Buffer.byteLength(document) }]);
});

for (const [what, post, publishedAt, updatedAt] of [
  ['without dates', { publishedAt: null }, NOW, NOW],
  ['with a date in the future', { publishedAt: at(1) }, NOW, NOW],
  ['published now', { publishedAt: NOW }, NOW, NOW],
  ['changed before it was published', { updatedAt: at(-6) }, at(-5), at(-5)],
  ['with a change in the future', { updatedAt: at(1) }, at(-5), at(-5)],
] as const) {
  test(`the dates of a post ${what}`, async () => {
    const authorId = await ledger.addAuthor();
    await importPost(authorId, `title: Dated ${what}`, post);
    const [article] = await listArticles(authorId);
    assert.deepEqual([article?.publishedAt, article?.updatedAt], [publishedAt, updatedAt]);
  });
}

test('a post that is imported as a draft was never public, and gets its preferred slug', async () => {
  const authorId = await ledger.addAuthor();
  await importPost(authorId, 'title: A draft\ndraft: true', { slug: 'as-at-the-source' });
  const [article] = await listArticles(authorId);
  assert.deepEqual([article?.status, article?.publishedAt, article?.slug], ['DRAFT', null, 'as-at-the-source']);
});

test('a post of a series creates the series once and becomes its part', async () => {
  const authorId = await ledger.addAuthor();
  await importPost(authorId, 'title: Part one\nseries_id: The series', { remoteId: 'one' });
  const { warnings } = await importPost(authorId, 'title: Part two\nseries_id: THE SERIES', { remoteId: 'two' });
  assert.deepEqual(warnings, []);
  const series = await ledger.db
    .selectFrom('series')
    .select(['id', 'title'])
    .where('authorId', '=', authorId)
    .execute();
  assert.deepEqual(series, [{ id: series[0]?.id, title: 'The series' }]);
  const parts = (await listArticles(authorId)).map(({ partOf, partPosition }) => [partOf, partPosition]);
  assert.deepEqual(parts.sort(), [
    [series[0]?.id, 1],
    [series[0]?.id, 2],
  ]);
});

test('a dry run says that the post would be created, and stores nothing', async () => {
  const authorId = await ledger.addAuthor();
  const { outcome, articleId } = await importPost(authorId, 'title: Only tried', { dryRun: true });
  assert.deepEqual([outcome, articleId], ['created', null]);
  assert.deepEqual([await listArticles(authorId), await listOrigins(authorId)], [[], []]);
});

test('a post that exceeds the author’s storage by one byte is not stored', async () => {
  const authorId = await ledger.addAuthor();
  const bytes = Buffer.byteLength(withFrontmatter('title: Large'));
  const refused = importPost(authorId, 'title: Large', { storageLimit: bytes - 1 });
  await assert.rejects(refused, { code: 'STORAGE_FULL' });
  assert.deepEqual(await listArticles(authorId), []);
  await importPost(authorId, 'title: Large', { storageLimit: bytes });
  assert.equal((await listArticles(authorId)).length, 1);
});

test('a post is stored neither twice, nor after the end of its import, nor for a suspended author', async () => {
  const authorId = await ledger.addAuthor();
  const item = await addItem(authorId);
  await recordItem(ledger.db, item, { outcome: 'refused', reason: 'No.' }, NOW);
  await store(authorId, item, 'title: Late');
  await end(item.importId);
  const { outcome, reason } = await readRecord(item);
  assert.deepEqual([outcome, reason], ['refused', 'No.']);
  const ended = await addItem(authorId);
  await end(ended.importId);
  await store(authorId, ended, 'title: Late');
  assert.equal((await readRecord(ended)).outcome, null);
  await ledger.db.updateTable('users').set({ suspendedAt: NOW }).where('id', '=', authorId).execute();
  await assert.rejects(store(authorId, ended, 'title: Late'), { code: 'SUSPENDED' });
  assert.deepEqual(await listArticles(authorId), []);
});

const CERTAIN = 'You already have an article with this canonical URL or id.';
const POSSIBLE =
  'You already have an article with this title or address, which may be a different one. If it is the same, set its canonical URL to the URL of the post; otherwise change its title. Then import again.';
const DELETED = 'You deleted this article here, and an import does not restore it. To restore it, publish it.';
const URL_FIELD = 'canonical_url: https://blog.example/known';
const KNOWN = { title: 'Known', titleKey: 'known', canonicalKey: 'https://blog.example/known' };

for (const [what, article, frontmatter, reason, isCertain] of [
  ['with the same canonical URL', KNOWN, `title: Another title\n${URL_FIELD}`, CERTAIN, true],
  ['with the same id', { externalId: 'known-id' }, 'title: Another title\nid: known-id', CERTAIN, true],
  ['with the same title', { title: 'Known', titleKey: 'known' }, 'title: Known', POSSIBLE, false],
  ['with the same title and another canonical URL', KNOWN, 'title: Known', POSSIBLE, false],
  ['that was deleted', { ...KNOWN, deletedAt: NOW }, `title: Known\n${URL_FIELD}`, DELETED, true],
] as const) {
  test(`an article ${what} is present, and its origin is recorded only if it is certain`, async () => {
    const authorId = await ledger.addAuthor();
    const id = await ledger.addArticle(authorId, article);
    const dry = await importPost(authorId, frontmatter, { dryRun: true });
    assert.deepEqual([dry.outcome, dry.reason, await listOrigins(authorId)], ['present', reason, []]);
    const { outcome, articleId, reason: shown, adopted } = await importPost(authorId, frontmatter);
    assert.deepEqual([outcome, articleId, shown, adopted], ['present', id, reason, false]);
    assert.deepEqual((await listOrigins(authorId)).length, isCertain ? 1 : 0);
    assert.equal((await listArticles(authorId)).length, 1);
  });
}

test('a post is matched by its origin, and only by the whole of it', async () => {
  const authorId = await ledger.addAuthor();
  await importPost(authorId, 'title: Original');
  const again = await importPost(authorId, 'title: Renamed there');
  assert.deepEqual([again.outcome, again.reason], ['present', 'Already imported.']);
  const others = [{ remoteId: 'two' }, { origin: 'other.example/feed' }, { source: 'blogsite_a' }] as const;
  for (const [index, more] of others.entries()) {
    const { outcome } = await importPost(authorId, `title: Other ${index}`, more);
    assert.equal(outcome, 'created');
  }
  assert.equal((await importPost(await ledger.addAuthor(), 'title: Of another author')).outcome, 'created');
});

test('two posts of one source with equal titles are two articles, of two sources possibly one', async () => {
  const authorId = await ledger.addAuthor();
  await importPost(authorId, 'title: Weekly notes');
  const second = await importPost(authorId, 'title: Weekly notes', { remoteId: 'two' });
  assert.equal(second.outcome, 'created');
  const elsewhere = { remoteId: 'three', origin: 'other.example/feed' };
  const third = await importPost(authorId, 'title: Weekly notes', elsewhere);
  assert.deepEqual([third.outcome, third.reason], ['present', POSSIBLE]);
});

test('a taken slug gets a number, and the author a warning', async () => {
  await ledger.addArticle(await ledger.addAuthor(), { slug: 'taken-here' });
  const authorId = await ledger.addAuthor();
  const { warnings } = await importPost(authorId, 'title: Numbered\nslug: taken-here', { slug: 'taken-here' });
  const message = 'The slug "taken-here" is not available; the article has the slug "taken-here-2".';
  assert.deepEqual(warnings, [{ code: 'slug_taken', path: 'slug', message }]);
  const [article] = await listArticles(authorId);
  assert.equal(article?.slug, 'taken-here-2');
  const free = await importPost(authorId, 'title: Free\nslug: free-here', { remoteId: 'two', slug: 'free-here' });
  assert.deepEqual(free.warnings, []);
});

for (const [count, reason] of [
  [1, 'Already imported. A picture was copied now.'],
  [2, 'Already imported. 2 pictures were copied now.'],
] as const) {
  test(`${count} pictures copied by a later import are stored with the text, unless the article was changed`, async () => {
    const authorId = await ledger.addAuthor();
    await importPost(authorId, 'title: With pictures');
    const [{ id } = assert.fail()] = await listArticles(authorId);
    const article = (await findUntouched(ledger.db, id)) ?? assert.fail();
    const document = withFrontmatter('title: With pictures', 'A longer text.\n');
    const { draft } = read(document);
    const text = { document, draft, rendered: renderArticle(draft, { siteOrigin: SITE }) };
    const images = { article, text, count, warnings: [], baseUrl: SITE, storageLimit: 1_000_000 };
    const copyAgain = async () => {
      const item = await addItem(authorId);
      const listed = { item, authorId, source: 'rss', origin: ORIGIN, remoteId: 'one', copy: null } as const;
      assert.equal(await recordImported(ledger.db, { ...listed, dryRun: false, now: NOW, images }), true);
      await end(item.importId);
      return (await readRecord(item)).reason;
    };
    assert.equal(await copyAgain(), reason);
    const stored = await ledger.article(id);
    assert.deepEqual([stored.source, stored.revision, stored.imported], [document, article.revision + 1, true]);
    const user = ledger.db.selectFrom('users').select('storedBytes').where('id', '=', authorId);
    assert.deepEqual(await user.execute(), [{ storedBytes: Buffer.byteLength(document) }]);
    assert.equal(await copyAgain(), 'Already imported.', 'the article has another revision now');
    assert.equal((await ledger.article(id)).revision, article.revision + 1);
  });
}

test('a post that was never imported is not recorded without its text', async () => {
  const authorId = await ledger.addAuthor();
  const item = await addItem(authorId);
  const listed = { item, authorId, source: 'rss', origin: ORIGIN, remoteId: 'one', copy: null } as const;
  assert.equal(await recordImported(ledger.db, { ...listed, dryRun: false, now: NOW, images: null }), false);
  assert.equal((await readRecord(item)).outcome, null);
});
