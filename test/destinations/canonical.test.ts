import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isSameCanonical } from '../../destinations/canonical.ts';

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

test('addresses of two pages are not, nor is anything the same as nothing', () => {
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
