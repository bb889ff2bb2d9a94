/**
 * Elements that Ghost's editor supports are sent as such, so that they stay editable. Losses are
 * reported.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatArticle } from '../../../destinations/ghost/format.ts';
import { makeArticle } from '../destination-harness.ts';

const format = (body: string) => formatArticle(makeArticle({ body, title: 'T' }));
const formatHtml = (body: string) => format(body).payload.html;
const losses = (body: string) => format(body).losses.map(({ code, line }) => [code, line]);

test('a figure of one image becomes an image card with its caption, from HTML or from Markdown', () => {
  for (const [body, sent] of [
    [
      '<figure><img src="https://a.io/x.png" alt="A" width="300"><figcaption>By <a href="https://b.io/">Ann</a></figcaption></figure>',
      '<figure><img src="https://a.io/x.png" alt="A" width="300"><figcaption>By <a href="https://b.io/">Ann</a></figcaption></figure>',
    ],
    [
      '<figure>\n\n![A](https://a.io/x.png)\n\n<figcaption>\n\nBy *Ann*\n\n</figcaption>\n</figure>',
      '<figure><img src="https://a.io/x.png" alt="A"><figcaption>By <em>Ann</em></figcaption></figure>',
    ],
    [
      '<figure><img src="https://a.io/x.png" alt=""></figure>',
      '<figure><img src="https://a.io/x.png" alt=""></figure>',
    ],
  ] as const) {
    assert.equal(formatHtml(body), sent);
    assert.deepEqual(losses(body), []);
  }
});

test('a figure that the editor would not preserve stays in an HTML card', () => {
  for (const body of [
    '<figure><a href="https://b.io/"><img src="https://a.io/x.png" alt="A"></a><figcaption>B</figcaption></figure>',
    '<figure><img src="https://a.io/x.png"><img src="https://a.io/y.png"></figure>',
    '<figure><img src="https://a.io/x.png"><figcaption><ul><li>a</li></ul></figcaption></figure>',
    '<figure><pre><code>x</code></pre><figcaption>Code</figcaption></figure>',
    '<figure title="t"><img src="https://a.io/x.png"></figure>',
  ])
    assert.match(formatHtml(body), /^<!--kg-card-begin: html-->\n<figure/, body);
});

test('a formula becomes code, plain in a line and with its language as a block, and is reported once', () => {
  const body = 'a\n\nSo $x_1$.\n\n$$\ny^2\n$$\n';
  assert.equal(
    formatHtml(body),
    '<p>a</p>\n<p>So <code>x_1</code>.</p>\n<pre><code class="language-math">y^2\n</code></pre>',
  );
  assert.deepEqual(losses(body), [['math_as_code', 3]]);
  assert.deepEqual(
    losses('a\n\n$$\ny^2\n$$\n').map(([code]) => code),
    ['math_as_code'],
  );
});

test('an alert becomes a quotation that the editor preserves', () => {
  assert.equal(
    formatHtml('> [!NOTE]\n> Words.\n'),
    '<blockquote>\n<p><strong>Note</strong></p>\n<p>Words.</p>\n</blockquote>',
  );
});

test('a Liquid tag that embeds something becomes a link, which is reported; other tags and those in code are text', () => {
  const body =
    'a\n\n{% youtube dQw4w9WgXcQ %}\n\n{% embed https://example.com/a %} `{% youtube dQw4w9WgXcQ %}` {% if x %}\n';
  assert.equal(
    formatHtml(body),
    '<p>a</p>\n<p><a href="https://www.youtube.com/watch?v=dQw4w9WgXcQ">https://www.youtube.com/watch?v=dQw4w9WgXcQ</a></p>\n' +
      '<p><a href="https://example.com/a">https://example.com/a</a> <code>{% youtube dQw4w9WgXcQ %}</code> {% if x %}</p>',
  );
  assert.deepEqual(losses(body), [['embed_linked', 3]]);
});
