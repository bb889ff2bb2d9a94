import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isSiteRoot, normaliseCanonicalUrl } from '../../article/identity/canonical.ts';
import { buildSlug, isReservedSlug } from '../../article/identity/slug.ts';
import { listCodes, read, refuse, withFrontmatter } from './support/documents.ts';

test('a slug is lower case, dashed, of any script, at most 80 characters and never empty', () => {
  const cases: [string, string][] = [
    ['Hello, World!', 'hello-world'],
    ["What's new in C++ & C#?", 'whats-new-in-c-c'],
    ['  --Déjà vu--  ', 'déjà-vu'],
    ['如何使用异步', '如何使用异步'],
    ['Привет, мир', 'привет-мир'],
    ['🎉🎉', 'article'],
    ['', 'article'],
    ['...', 'article'],
    ['../../etc/passwd', 'etcpasswd'],
    ['a/b\\c', 'abc'],
    ['ﬁne ①', 'fine-1'],
    ['a\u202eb\u0000c', 'ab-c'],
    ['\u00b4\u{1d157}\u{1d165}', '\u{1d165}\u0301'],
  ];
  for (const [title, slug] of cases) assert.equal(buildSlug(title), slug, JSON.stringify(title));
  const long = buildSlug('word '.repeat(40));
  assert.ok(long.length <= 80 && long.endsWith('word'));
  assert.equal([...buildSlug('日'.repeat(200))].length, 80);
});

test('a slug of a slug is the same slug', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), (title) => {
      const slug = buildSlug(title);
      assert.ok(slug.length > 0 && [...slug].length <= 80);
      assert.doesNotMatch(slug, /^-|-$|[\s/\\?#%.<>"']/);
      assert.equal(buildSlug(slug), slug);
    }),
  );
});

test('addresses of the site itself are reserved', () => {
  for (const slug of [
    'api',
    'graphql',
    'notifications',
    'llms.txt',
    'llms-full.txt',
    'feed.xml',
    'atom.xml',
    'feed.json',
    'settings',
    'login',
    'health',
    'assets',
    'robots.txt',
    'sitemap.xml',
    'API',
  ]) {
    assert.ok(isReservedSlug(slug), slug);
  }
  assert.equal(isReservedSlug('my-article'), false);
});

test('a slug in the frontmatter is normalised with a warning; a path out of the site is refused (A24)', () => {
  const { draft, warnings } = read(withFrontmatter('title: T\nslug: /Posts/My First_Post/'));
  assert.deepEqual([draft.slug, listCodes(warnings)], ['posts-my-first-post', ['slug_normalised']]);
  const root = read(withFrontmatter('title: T\nslug: /'));
  assert.deepEqual([root.draft.slug, listCodes(root.warnings)], [null, ['slug_ignored']]);
  for (const slug of ['../x', '..', 'a/../b', 'a\\..\\b', '%2e%2e/x', 'a%2fb', './x']) {
    assert.equal(refuse(withFrontmatter(`title: T\nslug: '${slug}'`))[0]?.path, 'slug', slug);
  }
});

test('canonical URLs match despite differences that do not change the page', () => {
  const key = normaliseCanonicalUrl('https://me.example/posts/x');
  for (const url of [
    'http://me.example/posts/x',
    'https://ME.example:443/posts/x/',
    'https://me.example/posts/x#top',
    'https://me.example/posts/x?utm_source=a&utm_medium=b',
    ' https://me.example/posts/x?fbclid=1 ',
  ]) {
    assert.equal(normaliseCanonicalUrl(url), key, url);
  }
  assert.equal(normaliseCanonicalUrl('https://a.b/?y=2&x=1'), normaliseCanonicalUrl('https://a.b?x=1&y=2'));
  for (const url of [
    'https://www.me.example/posts/x',
    'https://me.example/Posts/x',
    'https://me.example/posts/x?page=2',
    'https://me.example:8080/posts/x',
  ]) {
    assert.notEqual(normaliseCanonicalUrl(url), key, url);
  }
});

test('normalising a normalised URL changes nothing', () => {
  fc.assert(
    fc.property(fc.webUrl({ withQueryParameters: true, withFragments: true }), (url) =>
      assert.equal(normaliseCanonicalUrl(normaliseCanonicalUrl(url)), normaliseCanonicalUrl(url)),
    ),
  );
});

test('the root of a site is not an article', () => {
  for (const url of [
    'https://me.example',
    'http://me.example/',
    'https://me.example/?utm_source=x',
    'https://me.example/#a',
  ])
    assert.ok(isSiteRoot(url), url);
  for (const url of ['https://me.example/a', 'https://me.example/?p=12', 'nonsense'])
    assert.equal(isSiteRoot(url), false, url);
});

test('canonical, base and cover addresses are http or https', () => {
  for (const url of [
    'javascript:alert(1)',
    'ftp://a.b/c',
    'a.b/c',
    'https:///c',
    'https://user:pw@a.b/c',
    'data:text/html,x',
    '//a.b/c',
  ]) {
    assert.equal(refuse(withFrontmatter(`title: T\ncanonical_url: "${url}"`))[0]?.path, 'canonical_url', url);
  }
});
