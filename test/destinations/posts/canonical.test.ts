/** Comparison of canonical URLs, and recognition of the post of an article. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { normaliseCanonicalUrl } from '../../../article/identity/canonical.ts';
import { isArticle, isSameCanonical } from '../../../destinations/posts/canonical.ts';

test('addresses of one page are the same', () => {
  for (const other of [
    'https://blog.example.com/post/',
    'HTTPS://BLOG.example.com/post',
    'https://blog.example.com:443/post#part',
    'https://blog.example.com/post?utm_source=a&UTM_medium=b',
    ' https://blog.example.com/post ',
    '\u00a0https://blog.example.com/post//?',
  ]) {
    assert.ok(isSameCanonical('https://blog.example.com/post', other), other);
  }
});

test('addresses of two pages do not match, and a missing address matches nothing', () => {
  for (const other of [
    'https://blog.example.com/POST',
    'https://blog.example.com/post?id=1',
    'https://blog.example.com/post?my_utm_source=a',
    'https://blog.example.com//post/x/../../post?utm',
    'https://blog.example.com/post/2',
    'https://blog.example.com:8443/post',
    'http://blog.example.com/post',
    'https://example.com/post',
    'blog.example.com/post',
    '',
    null,
    undefined,
  ]) {
    assert.ok(!isSameCanonical('https://blog.example.com/post', other), String(other));
  }
  assert.ok(!isSameCanonical('not a url', 'not a url'));
});

test('addresses that match when an article is published may be two posts on a platform', () => {
  const isSameArticle = (left: string, right: string) => normaliseCanonicalUrl(left) === normaliseCanonicalUrl(right);
  const url = 'https://blog.example.com/post?a=1&b=2';
  for (const [other, article, post] of [
    // Both rules ignore these differences.
    ['HTTPS://BLOG.example.com:443/post/?a=1&b=2#part', true, true],
    [`${url}&utm_source=x`, true, true],
    // Authors use these interchangeably; a platform stores the address that was sent.
    ['http://blog.example.com/post?a=1&b=2', true, false],
    ['https://blog.example.com/post?b=2&a=1', true, false],
    [`${url}&fbclid=x`, true, false],
    // Refused in an article. On a platform it names the same page.
    ['https://ann@blog.example.com/post?a=1&b=2', false, true],
  ] as const) {
    assert.equal(isSameArticle(url, other), article, `article: ${other}`);
    assert.equal(isSameCanonical(url, other), post, `post: ${other}`);
  }
  assert.ok(isSameArticle('not a url', 'not a url') && !isSameCanonical('not a url', 'not a url'));
});

const SITE = 'https://courant.example';
const ARTICLE = { canonicalUrl: `${SITE}/now`, slug: 'now', title: 'A  \u001b[1mbetter\u001b[0m Title' };
const RESTORED = {
  siteUrl: SITE,
  formerUrls: [`${SITE}/once`, `${SITE}/earlier`],
  otherUrls: [`${SITE}/another`, `${SITE}/third`],
};
const LENGTH = 20;

test('only after a restore, a post is recognised by a former address, or by its title on a page of this site', () => {
  for (const [canonicalUrl, title, before, after] of [
    [`${SITE}/now/`, 'Whatever', true, true],
    [`${SITE}/once?utm_source=x`, 'Whatever', false, true],
    [`${SITE}/edited`, 'A better title ', false, true],
    // Another article, another site, or no page.
    [`${SITE}/edited`, 'A better title!', false, false],
    [`${SITE}/edited`, 'A better titl…', false, false],
    [`${SITE}/edited`, '…', false, false],
    [`${SITE}/edited`, '', false, false],
    [`${SITE}/edited`, null, false, false],
    [`${SITE}/another/`, 'A better title', false, false],
    [`${SITE}/third`, 'A better title', false, false],
    [`${SITE}/earlier`, 'Whatever', false, true],
    [`${SITE}.evil.example/edited`, 'A better title', false, false],
    [`${SITE}:8443/edited`, 'A better title', false, false],
    [`https://courant.example@evil.example/edited`, 'A better title', false, false],
    ['http://courant.example/edited', 'A better title', false, false],
    ['https://blog.example.com/edited', 'A better title', false, false],
    ['A better title', 'A better title', false, false],
    [null, 'A better title', false, false],
  ] as const) {
    const post = { canonicalUrl, title };
    assert.equal(isArticle(post, ARTICLE, LENGTH), before, `before: ${canonicalUrl} ${title}`);
    assert.equal(isArticle(post, { ...ARTICLE, restored: RESTORED }, LENGTH), after, `after: ${canonicalUrl} ${title}`);
  }
});

test('a title is compared in the form that was sent, and one without a letter matches no article', () => {
  const isKnown = (title: string, shown: string, siteUrl = SITE) =>
    isArticle(
      { canonicalUrl: `${SITE}/edited`, title: shown },
      { ...ARTICLE, title, restored: { ...RESTORED, siteUrl } },
      LENGTH,
    );
  assert.equal(isKnown('A title that is cut at twenty', 'A title that is…'), true);
  assert.equal(isKnown('A title that is cut at twenty', 'A title that is cut at twenty'), false);
  assert.equal(isKnown('Cafe\u0301', 'CAF\u00c9'), true);
  for (const empty of ['', ' ', '\u200e', '\u0000']) assert.equal(isKnown(empty, empty), false, JSON.stringify(empty));
  assert.equal(isKnown('A title', 'A title', 'no address'), false);
});
