import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readDocument } from '../../../article/read-document.ts';
import type { ArticleDraft } from '../../../article/types.ts';
import { listCodes, NOW, read, withFrontmatter } from '../support/documents.ts';

const BASE = 'base_url: https://me.example/';

/** Frontmatter lines and the fields that they set. */
const ALIASES: [string, Partial<ArticleDraft>][] = [
  ['description: Short', { excerpt: 'Short' }],
  ['summary: Short', { excerpt: 'Short' }],
  ['seoDescription: Short', { excerpt: 'Short' }],
  ['description: Long\nsummary: Short', { excerpt: 'Short' }],
  ['image: https://me.example/a.png', { coverImage: 'https://me.example/a.png' }],
  ...[
    'cover',
    'banner',
    'heroImage',
    'hero_image',
    'ogImage',
    'thumbnail',
    'featured_image',
    'coverImage',
    'cover-image',
  ].map((key): [string, Partial<ArticleDraft>] => [`${key}: /a.png`, { coverImage: 'https://me.example/a.png' }]),
  ['image: {path: /a.png, alt: x}', { coverImage: 'https://me.example/a.png' }],
  ['cover:\n  image: a.png', { coverImage: 'https://me.example/a.png' }],
  ['heroImage: {src: /a.png}', { coverImage: 'https://me.example/a.png' }],
  ['images: [/a.png, /b.png]', { coverImage: 'https://me.example/a.png' }],
  ['thumbnail: /t.png\ncover: /c.png', { coverImage: 'https://me.example/c.png' }],
  ['keywords: [a, B]', { tags: ['a', 'b'] }],
  ['keywords: a, b', { tags: ['a', 'b'] }],
  ['topics: ["a"]', { tags: ['a'] }],
  ['categories: [Dev Ops, b]', { tags: ['dev ops', 'b'], category: 'dev-ops' }],
  ['categories: [[Web, Css], [b]]', { category: 'web' }],
  ['taxonomies: {tags: [a], categories: [Ops]}', { tags: ['a'], category: 'ops' }],
  ['canonical: https://me.example/x', { canonicalUrl: 'https://me.example/x' }],
  ['canonicalUrl: https://me.example/x', { canonicalUrl: 'https://me.example/x' }],
  ['canonicalURL: https://me.example/x', { canonicalUrl: 'https://me.example/x' }],
  ['series: My series', { seriesId: 'My series' }],
  ['series: [My series]', { seriesId: 'My series' }],
  ['toc: true', { generateToc: true }],
  ['enableToc: yes', { generateToc: true }],
  ['hide_table_of_contents: false', { generateToc: true }],
  ['comments: false', { commentsEnabled: false }],
  ['disableComments: true', { commentsEnabled: false }],
  ['scheduledAt: 2027-01-01T00:00:00Z', { status: 'SCHEDULED', scheduledAt: new Date('2027-01-01T00:00:00Z') }],
];

test('names of other tools are read for a field that is absent', () => {
  for (const [lines, expected] of ALIASES) {
    const { draft, warnings } = read(withFrontmatter(`title: T\n${BASE}\n${lines}`));
    for (const [key, value] of Object.entries(expected))
      assert.deepEqual(draft[key as keyof ArticleDraft], value, lines);
    assert.deepEqual(warnings, [], lines);
  }
});

test('tables of TOML are read like mappings', () => {
  const { draft } = read('+++\ntitle = "T"\n[taxonomies]\ntags = ["a", "b"]\ncategories = ["Ops"]\n+++\nB');
  assert.deepEqual([draft.tags, draft.category], [['a', 'b'], 'ops']);
});

test('a field of the specification precedes every alias in any order; an empty field counts as absent', () => {
  const { draft } = read(
    withFrontmatter(
      `title: T\n${BASE}\ndescription: no\nexcerpt: yes indeed\nkeywords: [no]\ntags: []\nimage: /no.png\ncover_image: /yes.png\ncanonical: https://no.example/\ncanonical_url: https://yes.example/\ntoc: true\ngenerate_toc: false\nseries: no\nseries_id: 7\nsummary:`,
    ),
  );
  assert.deepEqual(
    [draft.excerpt, draft.tags, draft.coverImage, draft.canonicalUrl, draft.generateToc, draft.seriesId],
    ['yes indeed', [], 'https://me.example/yes.png', 'https://yes.example/', false, '7'],
  );
  assert.equal(read(withFrontmatter('title: T\nexcerpt:\ndescription: Short')).draft.excerpt, 'Short');
  assert.equal(read(withFrontmatter('title: T\nexcerpt: ""\ndescription: Short')).draft.excerpt, 'Short');
});

test('an alias with an unreadable value is ignored and never an error (2.3, rule 1)', () => {
  const lines = [
    ...[
      'description: [a]',
      `summary: ${'x'.repeat(6_000)}`,
      'image: 5',
      'image: {alt: x}',
      'cover: "{{ site.image }}"',
    ],
    ...['image: data:text/html,x', 'banner: javascript:alert(1)', 'thumbnail: true', 'keywords: {a: b}', 'tag: [[a]]'],
    ...[
      'categories: ["!!"]',
      'canonical: /relative',
      'canonical: true',
      'series: {a: b}',
      'toc: right',
      'comments: {a: b}',
    ],
    ...[
      'disableComments: maybe',
      'coverImage: {}',
      'seriesId: [[]]',
      'baseUrl: here',
      'crossPost: no',
      'taxonomies: 5',
    ],
    ...['canonicalUrl: ftp://x', 'generateToc: 3', 'crossPost: {blogsite_a: maybe}', 'courantId: [a]'],
  ];
  const plain = read(withFrontmatter('title: T')).draft;
  for (const line of lines) {
    const { draft, warnings } = read(withFrontmatter(`title: T\n${line}`));
    assert.deepEqual({ ...draft, tags: [] }, plain, line);
    assert.deepEqual(warnings, [], line);
  }
});

test('a warning about an unresolved relative cover uses the author’s name for the field', () => {
  const [warning] = read(withFrontmatter('title: T\nheroImage: ../a.png')).warnings;
  assert.deepEqual([warning?.code, warning?.path, warning?.line], ['picture_unreachable', 'heroImage', 3]);
});

test('hints list keys that are read under another name and keys that are not read', () => {
  const content = withFrontmatter('title: T\nlayout: post\nsummary: Short\nauthors: [a]\npublish: false');
  const result = readDocument({ content, now: NOW });
  assert.ok(result.ok);
  assert.deepEqual(
    result.hints.map(({ code, path, line }) => [code, path, line]),
    [
      ['field_alias', 'summary', 4],
      ['field_ignored', 'layout', 3],
      ['field_ignored', 'authors', 5],
    ],
  );
  assert.deepEqual(listCodes(result.warnings), ['state_doubtful']);
});

test('an alias without a valid address is ignored with a warning', () => {
  for (const value of ['#.']) {
    const { draft, warnings } = read(withFrontmatter(`title: T\ncoverImage: "${value}"`));
    assert.equal(draft.coverImage, null, value);
    assert.deepEqual(
      warnings.map(({ path }) => path),
      ['coverImage'],
      value,
    );
  }
});

test('a key without letters is no alias', () => {
  const { draft } = read(withFrontmatter('title: T\n_: "00000000-0000-4000-8000-000000000000"\n"-": x'));
  assert.deepEqual([draft.subtitle, draft.title], [null, 'T']);
});
