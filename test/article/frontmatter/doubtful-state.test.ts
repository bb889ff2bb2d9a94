import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { readDocument } from '../../../article/read-document.ts';
import { runs } from '../../support/property-runs.ts';
import { listCodes, NOW, read, withFrontmatter } from '../support/documents.ts';

/** Frontmatter that is published at 2026-11-21T12:00Z although it suggests another state. */
const DOUBTFUL = [
  ...['publish: false', 'publish: no', 'Publish: 0', 'publish: later', 'public: false', 'isPublished: off'],
  ...['is_public: "No"', 'dg-publish: false', 'visible: false', 'live: no', 'listed: false', 'ready: false'],
  ...['saveAsDraft: true', 'save_as_draft: yes', 'isDraft: true', 'is-draft: on', 'drafts: true', 'draft_mode: 1'],
  ...['private: true', 'Private: yes', 'hidden: true', 'unlisted: true', 'wip: true', 'unpublished: true'],
  ...['ignorePost: true', 'noPublish: true', 'eleventyExcludeFromCollections: true', 'permalink: false'],
  ...['visibility: private', 'visibility: unlisted', 'state: draft', 'post_status: Draft', 'stage: in review'],
  ...['type: draft', 'password: abc', 'access: members'],
  // Typing errors.
  ...['darft: true', 'drat: true', 'publised: false', 'pubilshed: no', 'statsu: draft', 'pulish: false'],
  // A letter of another alphabet with the same shape.
  'dr\u0430ft: true',
  // Times.
  ...['date: 2026-12-24', 'date: 2026-12-24T10:00:00Z', 'Date: 2026-12-24 10:00:00 +0800', 'date: 2026/12/24 10:00'],
  ...['pubDate: 2027-01-01', 'pubDate: "24 December 2026"', 'pubDate: Dec 24, 2026', 'publishDate: 2027-01-01'],
  ...['published_at: 2050-06-12 09:03', 'publish_at: 2027-01-01T00:00:00Z', 'release_date: 2027-01-01'],
  ...['publish: 2027-01-01', 'embargo: 2027-01-01', 'date: 1830000000', 'date: 12/24/2026', 'schedule: 2027-01-01'],
  ...['scheduled: true', 'scheduledAt: next week', 'sheduled_at: 2027-01-01', 'embargo: until May'],
  ...['expiryDate: 2020-01-01', 'unpublishDate: 2026-01-01'],
  // Page settings in a table.
  ...['params: {draft: true}', 'extra: {published: false}', 'build: {render: never}', 'post: {date: 2027-01-01}'],
];

const CLEAR = [
  ...['publish: true', 'public: yes', 'isDraft: false', 'private: false', 'visibility: public', 'state: published'],
  ...['date: 2026-01-01', 'date: 2026-11-21T12:00:00Z', 'pubDate: Jan 1, 2026', 'publishDate: 2020-01-01 10:00'],
  ...['date: 2020-99-99', 'date: today', 'date: [2027]', 'date: {a: b}', 'event_date: 2030-01-01', 'year: 2030'],
  ...[
    'layout: draft',
    'image: {hidden: true}',
    'toc: false',
    'aircraft: true',
    'craft: true',
    'polished: no',
    'sidebar: {hide: true}',
  ],
  ...['publishResources: false', 'publish_to: {devto: false}', 'expiryDate: 2030-01-01', 'lastmod: 2030-01-01'],
  ...['permalink: none', 'permalink: /2030/01/01/x', 'type: post', 'draft_version: 2', 'hide: [toc]', 'password:'],
  ...['private:', 'public: ~', 'draft: false', 'published: true', 'release: v2', 'version: 2030', 'status: published'],
];

test('keys near a state key with a value that means "not public" give a warning with their place (A32)', () => {
  for (const line of DOUBTFUL) {
    const { draft, warnings } = read(withFrontmatter(`title: T\n${line}`));
    assert.equal(draft.status, 'PUBLISHED', line);
    assert.deepEqual(listCodes(warnings), ['state_doubtful'], line);
    const [warning] = warnings;
    assert.equal(warning?.line, 3, line);
    assert.ok((warning?.column ?? 0) > 1, line);
    assert.match(warning?.message ?? '', /draft: true/, line);
  }
});

test('keys that mean "public", past times and keys of another meaning give no warning', () => {
  for (const line of CLEAR) assert.deepEqual(read(withFrontmatter(`title: T\n${line}`)).warnings, [], line);
});

test('TOML and JSON give the same warnings as YAML', () => {
  assert.deepEqual(listCodes(read('+++\ntitle = "T"\ndate = 2026-12-24\n[params]\nprivate = true\n+++\nB').warnings), [
    'state_doubtful',
    'state_doubtful',
  ]);
  assert.deepEqual(listCodes(read('{"title": "T", "publish": false}\nB').warnings), ['state_doubtful']);
});

test('a draft and an explicit status are never in doubt', () => {
  const lines = 'publish: false\nprivate: true\ndate: 2027-01-01';
  for (const state of ['draft: true', 'published: false', 'status: DRAFT', 'status: PUBLISHED', 'Status: published']) {
    assert.deepEqual(read(withFrontmatter(`title: T\n${state}\n${lines}`)).warnings, [], state);
  }
  for (const state of ['draft: false', 'published: true']) {
    assert.equal(read(withFrontmatter(`title: T\n${state}\n${lines}`)).warnings.length, 3, state);
  }
});

test('a scheduled article is in doubt if a key means "not public", but not because of a second time', () => {
  const scheduled = 'title: T\nscheduled_at: 2027-01-01T00:00:00Z';
  assert.deepEqual(read(withFrontmatter(`${scheduled}\ndate: 2027-01-01`)).warnings, []);
  assert.deepEqual(listCodes(read(withFrontmatter(`${scheduled}\nprivate: true`)).warnings), ['state_doubtful']);
  assert.deepEqual(read(withFrontmatter(`${scheduled}\nstatus: SCHEDULED\nprivate: true`)).warnings, []);
});

test('a time without an offset counts as future only if it is future in every time zone', () => {
  const list = (line: string) => listCodes(read(withFrontmatter(`title: T\n${line}`)).warnings);
  // It is 2026-11-21T12:00Z; in Auckland it is already the 22nd.
  assert.deepEqual(list('date: 2026-11-22'), []);
  assert.deepEqual(list('date: 2026-11-22 01:00'), []);
  assert.deepEqual(list('date: 2026-11-22 03:00'), ['state_doubtful']);
  assert.deepEqual(list('date: 2026-11-21T12:00:01Z'), ['state_doubtful']);
  assert.deepEqual(list('date: 2026-11-21 20:00:00 +0800'), []);
});

test('no key and no value makes a document without fields of the specification fail', () => {
  const name = fc.oneof(
    fc.constantFrom('publish', 'isDraft', 'private', 'date', 'schedule', 'params', 'visibility', 'image', 'keywords'),
    fc.constantFrom('description', 'categories', 'canonical', 'series', 'toc', 'comments', 'taxonomies', 'coverImage'),
    fc.string({ minLength: 1, maxLength: 12 }).map((text) => `x${text}`),
  );
  fc.assert(
    fc.property(fc.dictionary(name, fc.jsonValue({ maxDepth: 2 })), (data) => {
      fc.pre(!JSON.stringify(data).includes('"<<"'));
      const content = `${JSON.stringify({ title: 'T', ...data })}\nBody`;
      const result = readDocument({ content, now: NOW });
      assert.ok(result.ok, JSON.stringify([data, result]));
      assert.equal(result.draft.status, 'PUBLISHED');
    }),
    { numRuns: runs(1_000) },
  );
});

test('frontmatter exported by MDX is in doubt too, with its place, even if the rest is invalid', () => {
  const exported = (text: string, frontmatter = 'title: T') =>
    read(withFrontmatter(frontmatter, text), { fileName: 'a.mdx' }).warnings.filter(
      ({ code }) => code === 'state_doubtful',
    );
  const [found, ...others] = exported("export const metadata = {\n  title: 'T',\n  draft: true,\n};\n\nText.\n");
  assert.deepEqual([found?.path, found?.line, others], ['metadata.draft', 7, []]);
  for (const text of [
    'export const meta = { published: false }',
    "export const frontmatter = { status: 'draft' }",
    "export const metadata = { 'date': '2150-01-01' }",
    'export const isDraft = true',
  ]) {
    assert.equal(exported(`${text}\n\nText.\n`).length, 1, text);
    assert.equal(exported(`Broken <br> {{ x }}\n\n${text}\n\nText.\n`)[0]?.line, 7, text);
    assert.deepEqual(exported(`${text}\n\nText.\n`, 'title: T\nstatus: PUBLISHED'), [], text);
  }
  assert.deepEqual(exported('export const metadata = { draft: false, tags: [] }\n\nText.\n'), []);
});

test('a file in a drafts folder is in doubt, unless its status is explicit or it is a draft', () => {
  const doubts = (fileName: string, frontmatter = 'title: T') =>
    read(withFrontmatter(frontmatter), { fileName }).warnings.map(({ code, path }) => [code, path]);
  for (const name of ['_drafts/a.md', 'blog/Drafts/2026/a.md', 'content\\drafts\\a.md', 'draft/a.md'])
    assert.deepEqual(doubts(name), [['state_doubtful', 'fileName']], name);
  assert.deepEqual(doubts('_posts/drafts.md'), []);
  assert.deepEqual(doubts('_drafts/a.md', 'title: T\nstatus: PUBLISHED'), []);
  assert.deepEqual(doubts('_drafts/a.md', 'title: T\ndraft: true'), []);
});
