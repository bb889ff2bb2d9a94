import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isSiteRoot, normaliseCanonicalUrl } from '../../../article/identity/canonical.ts';
import { isReservedSlug } from '../../../article/identity/slug.ts';
import { runs } from '../../support/property-runs.ts';
import { listCodes, read, refuse, withFrontmatter } from '../support/documents.ts';

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

test('a slug in the frontmatter is normalised with a warning; a path out of the site is rejected (A24)', () => {
  const { draft, warnings } = read(withFrontmatter('title: T\nslug: /Posts/My First_Post/'));
  assert.deepEqual([draft.slug, listCodes(warnings)], ['posts-my-first_post', ['slug_normalised']]);
  const root = read(withFrontmatter('title: T\nslug: /'));
  assert.deepEqual([root.draft.slug, listCodes(root.warnings)], [null, ['slug_ignored']]);
  for (const slug of ['../x', '..', 'a/../b', 'a\\..\\b', '%2e%2e/x', 'a%2fb', './x']) {
    assert.equal(refuse(withFrontmatter(`title: T\nslug: '${slug}'`))[0]?.path, 'slug', slug);
  }
});

test('canonical URLs match if they differ only in parts that do not change the page', () => {
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
    { numRuns: runs(100) },
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

test('canonical, base and cover addresses must be http or https', () => {
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
