/** Finds addresses in raw HTML by position, as a browser reads them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findHtmlAddresses } from '../../../article/markdown/html/html-addresses.ts';
import { readDocument } from '../../../article/read-document.ts';

function list(html: string): string[] {
  return findHtmlAddresses(html).map(({ start, end, value }) => {
    assert.equal(html.slice(start, end), value);
    return value;
  });
}

test('addresses are found with and without quotes, in any case, and in each candidate of a srcset', () => {
  assert.deepEqual(list(`<A HREF = 'a.html'>x</A> <img/src="b.png" alt="c"> <video poster=d.png src=e.mp4>`), [
    'a.html',
    'b.png',
    'd.png',
    'e.mp4',
  ]);
  assert.deepEqual(list('<img srcset="a.png 1x, b,c.png 2x,d.png 300w, data:image/png;base64,AA== 3x">'), [
    'a.png',
    'b,c.png',
    'd.png',
    'data:image/png;base64,AA==',
  ]);
});

test('an address without quotes ends at a space and may contain any other sign', () => {
  assert.deepEqual(list('<img src=/pic?id=5&a=`b width=3>'), ['/pic?id=5&a=`b']);
  const read = readDocument({
    content: '---\ntitle: T\nbase_url: https://a.example/\n---\n\n<p><img src=/pic?id=5 width=3></p>\n',
    now: new Date(0),
  });
  assert.ok(read.ok);
  assert.equal(read.draft.body.trim(), '<p><img src="https://a.example/pic?id=5" width=3></p>');
});

test('a comment contains no addresses and ends where a browser ends it', () => {
  assert.deepEqual(list('<!-- <img src="a"> --><img src="b"><!--> <img src="c"> --> <!--x--!><img src="d">'), [
    'b',
    'c',
    'd',
  ]);
});

test('an address after an unclosed comment is made absolute, because the comment is shown as text', () => {
  assert.deepEqual(list('<div><!-- <img src="e"></div>'), ['e']);
  const read = readDocument({
    content: '---\ntitle: T\nbase_url: https://a.example/\n---\n\n<div>\n<!-- <img src="e.png">\n</div>\n',
    now: new Date(0),
  });
  assert.ok(read.ok);
  assert.match(read.draft.body, /src="https:\/\/a\.example\/e\.png"/);
});

test('hostile HTML takes linear time', () => {
  for (const piece of ['<a ', '<a b="', '<!--', '<img src=', '<img srcset="a ', '<a b=c', '=']) {
    const started = performance.now();
    findHtmlAddresses(piece.repeat(100_000));
    assert.ok(performance.now() - started < 10_000, piece);
  }
});
