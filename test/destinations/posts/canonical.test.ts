import assert from 'node:assert/strict';
import { test } from 'node:test';
import { normaliseCanonicalUrl } from '../../../article/identity/canonical.ts';
import { isSameCanonical } from '../../../destinations/posts/canonical.ts';

test('addresses of one page are the same', () => {
  for (const other of [
    'https://blog.example.com/post/',
    'HTTPS://BLOG.example.com/post',
    'https://blog.example.com:443/post#part',
    'https://blog.example.com/post?utm_source=a&UTM_medium=b',
    ' https://blog.example.com/post ',
  ]) {
    assert.ok(isSameCanonical('https://blog.example.com/post', other), other);
  }
});

test('addresses of two pages are not, and a missing address matches nothing', () => {
  for (const other of [
    'https://blog.example.com/POST',
    'https://blog.example.com/post?id=1',
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
    // Both rules overlook these differences.
    ['HTTPS://BLOG.example.com:443/post/?a=1&b=2#part', true, true],
    [`${url}&utm_source=x`, true, true],
    // Authors write these for one another; a platform keeps what it was sent.
    ['http://blog.example.com/post?a=1&b=2', true, false],
    ['https://blog.example.com/post?b=2&a=1', true, false],
    [`${url}&fbclid=x`, true, false],
    // Refused in an article; on a platform it names the same page.
    ['https://ann@blog.example.com/post?a=1&b=2', false, true],
  ] as const) {
    assert.equal(isSameArticle(url, other), article, `article: ${other}`);
    assert.equal(isSameCanonical(url, other), post, `post: ${other}`);
  }
  assert.ok(isSameArticle('not a url', 'not a url') && !isSameCanonical('not a url', 'not a url'));
});
