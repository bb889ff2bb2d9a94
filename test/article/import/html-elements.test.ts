/** Tests the conversion of single elements: addresses, code, captions, footnotes and formulas. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { convertHtml } from '../../../article/import/html/html-to-markdown.ts';

const convert = (html: string) => convertHtml(html, { base: 'https://b.example/p/' });

/** Compares all rows, so that a failure names each one that differs. */
function check(rows: readonly (readonly [html: string, markdown: string])[]): void {
  assert.deepEqual(
    rows.map(([html]) => [html, convert(html)]),
    rows.map(([html, markdown]) => [html, markdown]),
  );
}

test('the address of a picture that loads late is in another attribute', () => {
  check([
    ['<img data-src="/a.png">', '![](https://b.example/a.png)'],
    [
      '<img src="data:image/png;base64,x" data-original="/a.png" data-lazy-src="/b.png">',
      '![](https://b.example/a.png)',
    ],
    ['<img src="DATA:x" data-lazy-src="/b.png">', '![](https://b.example/b.png)'],
    ['<img src="data:x" data-src="" data-original="c.png">', '![](https://b.example/p/c.png)'],
    ['<img src="/c.png" data-src="/a.png">', '![](https://b.example/c.png)'],
    ['<img src="/c.png?data:x" data-src="/a.png">', '![](https://b.example/c.png?data:x)'],
  ]);
});

test('links to addresses of people, calls and chats stay, and others become text', () => {
  check([
    ['<a href="mailto:a@b.example">m</a> <a href="tel:1">t</a>', '[m](mailto:a@b.example) [t](tel:1)'],
    [
      '<a href="xmpp:a@b">x</a> <a href="irc://a">i</a> <a href="ircs://a">s</a>',
      '[x](xmpp:a@b) [i](irc://a) [s](ircs://a)',
    ],
    [
      '<a href="ftp://a.example/">f</a> <a href="xhttps://a/">x</a> <a href="httpsx://a/">x</a> <a>none</a>',
      'f x x none',
    ],
    ['<a href="https://user@a.example/">u</a> <a href="https://:pw@a.example/">p</a>', 'u p'],
    ['<a href="#part">here</a> <a href=" /x ">y</a>', '[here](#part) [y](https://b.example/x)'],
    ['<img src="https://:pw@a.example/x.png" alt="p"><img src="mailto:x" alt="g">', '![p]()![g]()'],
  ]);
  const withoutBase = convertHtml('<a href="x">r</a> <a href="a:b">s</a> <img src="y.png">', { base: null });
  assert.equal(withoutBase, '[r](x) s ![](y.png)');
  assert.equal(convertHtml('<a href="./a:b">r</a>', { base: null }), '[r](./a:b)');
});

test('a picture is a counter if it has one pixel or a known address', () => {
  const counters = [
    ...['feeds.feedburner.com/~r/x', 'feeds.wordpress.com/1', 'pixel.wp.com/g', 'stats.wordpress.com/g.gif'],
    'medium.com/_/stat?x',
  ];
  check([
    ...counters.map((address) => [`A<img src="https://${address}">B`, 'AB'] as const),
    ['<p>A</p><img src="/x.png" width="1px" height="0">B', 'A\n\nB'],
    ['<img src="/x.png" width="1" height="2" alt="two">', '![two](https://b.example/x.png)'],
    ['<img src="/x.png" width="1" alt="one">', '![one](https://b.example/x.png)'],
    ['<img src="/x.png" width="10" height="10" alt="ten">', '![ten](https://b.example/x.png)'],
    ['<img src="/x.png" width="x1" height="1" alt="odd">', '![odd](https://b.example/x.png)'],
    [
      '<img src="https://x.example/https://pixel.wp.com/" alt="none">',
      '![none](https://x.example/https://pixel.wp.com/)',
    ],
  ]);
});

test('permalinks are removed from headings of every level, and only from headings', () => {
  check([
    [
      '<h2><a href="#x">#</a>T <a class="headerlink" href="/x">¶</a><a class="permalink" href="/y">§</a><a class="hash-link" href="/z">🔗</a><a class="anchor" href="/a"> </a></h2>',
      '## T',
    ],
    ['<h2>T <a>#</a><a href="#w">Word</a><a href="/q">#</a></h2>', '## T [Word](#w)[#](https://b.example/q)'],
    ['<h1><a href="#x">#</a>One</h1>', '# One'],
    ['<h6><a href="#x">#</a>Six</h6>', '###### Six'],
    ['<p><a href="#x">#</a>Text</p>', '[#](#x)Text'],
    ['<x-h2><a href="#x">#</a>Text</x-h2>', '[#](#x)Text'],
    ['<h2-x><a href="#x">#</a>Text</h2-x>', '[#](#x)Text'],
  ]);
});

test('a caption follows its picture, in italics unless it has blocks', () => {
  const figure = (caption: string) => `<figure><img src="/a.png" alt="A"><figcaption>${caption}</figcaption></figure>`;
  const image = '![A](https://b.example/a.png)';
  check([
    [figure(' <!-- c --> '), image],
    [figure('<span> </span>'), image],
    [figure('<p>One</p><p>Two</p>'), `${image}\n\nOne\n\nTwo`],
    [figure('<div>One</div>'), `${image}\n\nOne`],
    [figure('<ul><li>One</li></ul>'), `${image}\n\n- One`],
    [figure('<ol><li>One</li></ol>'), `${image}\n\n1. One`],
    [figure('<pre>One</pre>'), `${image}\n\n\`\`\`\nOne\n\`\`\``],
    [figure('<blockquote>One</blockquote>'), `${image}\n\n> One`],
    [figure('<img src="/b.png" alt="B">'), `${image}\n\n*![B](https://b.example/b.png)*`],
    [figure('<a href="/x">x</a><!-- c -->'), `${image}\n\n*[x](https://b.example/x)*`],
    [figure('x<sup>2</sup>'), `${image}\n\n*x<sup>2</sup>*`],
    [figure('<picture><img src="/b.png" alt="B"></picture>'), `${image}\n\n*![B](https://b.example/b.png)*`],
  ]);
});

test('bold and italics that a style cancels are plain text', () => {
  check([
    [
      '<b style="font-weight:normal">n</b> <b style="color:red; font-weight: 400">m</b> <b style="font-weight:bold">b</b> <b style="x-font-weight:normal">d</b> <b style="font-weight:4000">e</b>',
      'n m **b** **d** **e**',
    ],
    ['<i style="font-style:normal">n</i> <i style="font-style:italic">i</i> <i>j</i>', 'n *i* *j*'],
  ]);
});

test('an embed inside a paragraph is a link in it', () => {
  check([
    [
      '<p>x <iframe src="https://player.vimeo.com/video/123"></iframe> y</p>',
      'x [Open on Vimeo](https://vimeo.com/123) y',
    ],
  ]);
});

const fence = (language: string, text = 'a') => `\`\`\`${language}\n${text}\n\`\`\``;

test('the language of code is read from the attributes and classes of its generators', () => {
  const words = ['none', 'plain', 'plaintext', 'text', 'txt', 'code', 'undefined', 'auto'];
  check([
    ['<pre data-lang="JS">a</pre>', fence('js')],
    ['<pre data-language="rb">a</pre>', fence('rb')],
    ['<pre data-code-block-lang="py">a</pre>', fence('py')],
    ['<pre lang="go">a</pre>', fence('go')],
    ['<pre class="brush: php; gutter: false">a</pre>', fence('php')],
    ['<pre class="brush:css">a</pre>', fence('css')],
    ['<pre class="brush:-css">a</pre>', fence('css')],
    ['<pre class="brush-sql;">a</pre>', fence('sql')],
    ['<pre class="brushes">a</pre>', fence('')],
    ['<pre class="highlight-source-ts">a</pre>', fence('ts')],
    ['<pre class="highlight-text-html">a</pre>', fence('html')],
    ['<pre class="x language-c++">a</pre>', fence('c++')],
    ['<pre class="xlanguage-c">a</pre>', fence('')],
    ['<pre class="lang-a!b">a</pre>', fence('')],
    [`<pre class="lang-${'x'.repeat(30)}">a</pre>`, fence('x'.repeat(30))],
    [`<pre class="lang-${'x'.repeat(31)}">a</pre>`, fence('')],
    ['<pre class="language-plaintext"><code class="language-js">a</code></pre>', fence('js')],
    ...words.map((word) => [`<pre class="lang-${word}">a</pre>`, fence('')] as const),
    ['<figure class="language-x"><pre>a</pre></figure>', fence('x')],
    ['<div data-lang="x"><pre class="lang-b">c</pre><pre>d</pre></div>', `${fence('b', 'c')}\n\n${fence('x', 'd')}`],
    ['<section class="language-x"><pre>a</pre></section>', fence('')],
    ['<div-x class="language-x"><pre>a</pre></div-x>', fence('')],
    ['<x-figure class="language-x"><pre>a</pre></x-figure>', fence('')],
    ['<figcaption class="language-x"><pre>a</pre></figcaption>', fence('')],
  ]);
});

test('code has its line breaks, and no line numbers', () => {
  check([
    [
      '<pre><table><tr><td class="gutter">1\n2</td><td><div>a</div><div>b</div></td></tr></table></pre>',
      fence('', 'a\nb'),
    ],
    [
      '<pre><span class="line-numbers-rows">1</span><span class="lineno">1</span><span class="linenos">1</span><span class="line-no">1</span><span class="rouge-gutter">1</span><span class="lineno-x">k</span><span class="x-gutter">l</span></pre>',
      fence('', 'kl'),
    ],
    ['<pre><p>a</p><p>b\n</p><ol><li>c</li><li>d</li></ol></pre>', fence('', 'a\nb\nc\nd')],
    ['<pre><!-- c -->a<b>b</b><br>c</pre>', fence('', 'ab\nc')],
    ['<pre>a<sup>b</sup>c<li-x>d</li-x>e</pre>', fence('', 'abcde')],
  ]);
});

test('elements without a Markdown mark stay HTML, unless they are empty', () => {
  check([
    [
      '<p>a<kbd>K</kbd><kbd></kbd><mark>m</mark><ins>i</ins><sub>s</sub></p>',
      'a<kbd>K</kbd><mark>m</mark><ins>i</ins><sub>s</sub>',
    ],
    [
      '<ol><li>one</li><li>two</li></ol><ul><li>x</li></ul><hr><em>e</em> <strong>s</strong>',
      '1. one\n2. two\n\n- x\n\n---\n\n*e* **s**',
    ],
  ]);
});

test('footnotes are recognised by the names of their list, and named by their position', () => {
  const list = (attributes: string) =>
    `<p>A<a href="#f1">1</a></p><div ${attributes}><ol><li id="f1">N</li></ol></div>`;
  const names = [
    'id="footnotes"',
    'role="doc-endnotes"',
    'data-footnotes',
    'class="my-footnote-list"',
    'class="x endnotes"',
  ];
  check([
    [
      '<p>A<sup><a href="#n1">1</a></sup> B<a href="#n2">2</a> C<sup><a href="#n1">1</a> x</sup></p><section class="endnotes"><ol><li id="n1">One <a href="#fnref1">up</a></li><li id="n2">Two <a href="#z" role="doc-backlink">u</a><a href="#z" class="reverse">u</a><a href="#z" data-footnote-backref>b</a><a href="#keep">k</a></li><li id="n3">Unused</li><li>No id</li></ol></section>',
      'A[^1] B[^2] C<sup>[^1] x</sup>\n\n[^1]: One\n\n[^2]: Two [k](#keep)\n\n- Unused\n\n- No id',
    ],
    ...names.map((name) => [list(name), 'A[^1]\n\n[^1]: N'] as const),
    [list('class="xfootnotes"'), 'A[1](#f1)\n\n1. N'],
    [list('class="footnotesx"'), 'A[1](#f1)\n\n1. N'],
    [list('role="list"'), 'A[1](#f1)\n\n1. N'],
  ]);
});

test('bars in a formula of a table cell are named', () => {
  check([
    ['<table><tr><th>\\(a|b\\|c\\)</th></tr></table>', '| \\(a\\vert b\\Vert c\\) |\n| ------------------- |'],
    ['<p>\\(a|b_c\\) and $d_e$</p>', '\\(a|b_c\\) and \\$d_e$'],
  ]);
});
