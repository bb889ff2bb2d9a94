/** Articles with everything that a format treats specially: the cases of `payloads.test.ts`. */
import type { DeliverableArticle } from '../../../article/types.ts';

export const PLAIN: DeliverableArticle = {
  id: 'article-1',
  slug: 'a-title',
  title: 'A title',
  subtitle: null,
  excerpt: 'What it is about.',
  tags: ['node', 'testing'],
  canonicalUrl: 'https://blog.example.com/posts/a-title',
  coverImage: 'https://blog.example.com/cover.png',
  generateToc: false,
  commentsEnabled: true,
  body: 'Some text.\n',
};

const words = (length: number) =>
  'word '
    .repeat(length)
    .slice(0, length - 1)
    .concat('.');

/** Changes of the plain article, beside its body. */
export const FIELDS: Record<string, Partial<DeliverableArticle>> = {
  subtitle: { subtitle: 'A  sub\u0000title' },
  'no excerpt, cover or tags': { excerpt: '', coverImage: null, tags: [] },
  'title of two lines': { title: ' A\n\u200etitle ' },
  'no title': { title: '\u0000 ' },
  ...Object.fromEntries([100, 101, 128, 129, 255, 256].map((n) => [`title of ${n} characters`, { title: words(n) }])),
  ...Object.fromEntries([300, 301, 500, 501].map((n) => [`excerpt of ${n} characters`, { excerpt: words(n) }])),
  'long subtitle': { subtitle: words(301) },
  'slug of 200 characters': { slug: 'a'.repeat(200) },
  'tags with signs': {
    tags: ['C#', 'c++', 'F#', '.NET', '#Réseau', ',x', 'Node.js', 'node js', 'Machine-Learning', '日本語', '#'],
  },
  'tags that repeat': { tags: ['Node', 'node', 'NODE!', 'x_y', 'x-y'] },
  'long tags': { tags: [25, 26, 30, 31, 191, 192].map((length) => 'x'.repeat(length)) },
  'many tags': { tags: Array.from({ length: 17 }, (_, index) => `tag ${index}`) },
  'contents and closed comments': { generateToc: true, commentsEnabled: false },
  'relative cover': { coverImage: 'cover.png' },
  'SVG cover': { coverImage: 'https://blog.example.com/cover.SVG?x=1' },
  'compressed SVG cover': { coverImage: 'https://blog.example.com/cover.svgz' },
  'cover named like an SVG': { coverImage: 'https://blog.example.com/cover.svg.png' },
  'cover with other letters': { coverImage: 'https://blog.example.com/ü {1}.png?q=%zz#[x]' },
  'canonical URL with other letters': { canonicalUrl: "https://É.example/it's/{x}?q=[1]|2%zz&a=b#ü" },
  'canonical URL with a space': { canonicalUrl: 'https://blog.example.com/with space' },
  'canonical URL of another scheme': { canonicalUrl: 'ftp://blog.example.com/' },
  'canonical URL without a scheme': { canonicalUrl: 'blog/x' },
  ...Object.fromEntries(
    [2000, 2001].map((n) => [
      `canonical URL of ${n} characters`,
      { canonicalUrl: `https://a.io/${'x'.repeat(n - 13)}` },
    ]),
  ),
};

export const BODIES: Record<string, string> = {
  empty: '',
  blank: ' \n\n',
  'heading that repeats the title':
    '# A title\n\nText.\n\n# Part\n\n## Chapter\n\n### Section\n\n#### Four\n\n##### Five\n\n###### Six\n',
  'underlined headings': 'A title\n=======\n\nText\n\nPart\n----\n',
  emphasis:
    '**b** *i* ***both*** ~~gone~~ ~one~ `code` `` a`b `` <kbd>Ctrl</kbd> <mark>m</mark> H<sub>2</sub>O x<sup>2</sup> <u>u</u>\n',
  breaks: 'one\ntwo  \nthree\\\nfour<br>five\n\n[a]: https://a.io\n[b]: https://b.io "title"\n\n[a] and [text][b]\n',
  links:
    '[a](https://a.io) [b](/rel "t") [c](#part) [d](mailto:a@b.io) <https://c.io> https://d.io/x?y=1 [e](img/x.html)\n\n## Part\n\n## Other\n',
  'link targets': '[a](#the%20end) [b](#%zz)\n\n## The end\n\n<a id="x" href="#x">x</a>\n',
  'addresses alone':
    'https://example.com/a\n\n<https://example.com/b>\n\nhttps://www.youtube.com/watch?v=dQw4w9WgXcQ\n\nhttps://vimeo.com/76979871\n\nhttps://twitter.com/x/status/1234567890123\n',
  images:
    '![a](https://a.io/x.png)\n\n![](https://a.io/y.png "t")\n\nin ![c](img/z.png) text\n\n[![d](https://a.io/d.png)](https://b.io)\n\n![e](https://a.io/e.png){width=300}\n',
  figures:
    '<figure><img src="https://a.io/x.png" alt="A" width="300"><figcaption>By <a href="https://b.io/">Ann</a></figcaption></figure>\n\n<figure>\n\n![A](https://a.io/x.png)\n\n<figcaption>\n\nBy *Ann*\n\n</figcaption>\n</figure>\n\n<figure><a href="https://b.io/"><img src="https://a.io/x.png" alt="A"></a><figcaption>B</figcaption></figure>\n\n<figure title="t"><img src="https://a.io/x.png"></figure>\n\n<figure><pre><code>x</code></pre><figcaption>Code</figcaption></figure>\n',
  lists:
    '- one\n- two\n  1. three\n  2. four\n\n* loose\n\n  second paragraph\n\n* list\n\n  ```\n  code\n  ```\n\n3. three\n4. four\n\n- [x] done\n- [ ] open\n',
  quotations: '> a\n>\n> b\n> > c\n\n> - d\n\n> [!NOTE]\n> Note.\n\n> [!WARNING]\n> Careful.\n\n> ```\n> code\n> ```\n',
  tables: '| a | b |\n|:--|--:|\n| `x \\| y` | z \\| w |\n| `{{ v }}` | *i* |\n\n| only |\n|---|\n',
  fences:
    '```js\n{{a}} < 1\n```\n\n~~~py `x`\n```\n~~~\n\n`````\n````\n`````\n\n```c++\nint a;\n```\n\n    indented {{ x }}\n',
  'open fence': 'Text\n\n~~~\n{{ x }}\n',
  'open fence of backticks': 'Text\n\n```\nx\n',
  'fence in a list': '- a\n\n  ~~~\n  {% x %}\n  ~~~\n\n> ````\n> ```\n> ````\n',
  rules: '---\n\nText\n\n---\n\n```\n---\n---\n---\n```\n\n***\n\nx\n---\n',
  'dashes at the start': '\n--- x\n\nText\n',
  html: '<div class="a" onclick="x()" style="color:red">\n\n**in**\n\n</div>\n\n<details><summary>s</summary>\n\ninner\n\n</details>\n\n<dl><dt>t</dt><dd>d</dd></dl>\n\n<!-- comment -->\n\n<iframe src="https://evil.example/"></iframe>\n\n<strike>old</strike> <del cite="x">gone</del>\n',
  'forged card':
    "a <!--kg-card-end: html--> <span title='<!-- x -->'>b</span> &lt;!-- wp:html --&gt; [[x]] [gallery]\n",
  'open elements': '<div>\n\nText <b>bold\n\n<A b={1} />\n\n<img src="https://a.io/x.png">\n\n<br/>\n',
  footnotes:
    'One[^1], two[^B] and one again[^1]; not \\[^1] nor `[^1]` nor [^none].\n\n[^1]: First *note*\n    goes on.\n\n    ```\n    code\n    ```\n\n[^b]: Second with [^1].\n\n[^unused]: Hidden.\n\nEnd.\n',
  'footnotes with carriage returns': 'One[^1].\r\n\r\n[^1]: A.\r\n    B.\r\n\r\nEnd.\r\n',
  formulas:
    'So $x_1 < 2$ and \\(y\\), \\\\(z\\\\).\n\n$$\ny^2\n$$\n\n\\[\nw\n\\]\n\n```math\na^2\n```\n\n```math\n\\text{$5}\n```\n\n{% katex %}\nc^2\n{% endkatex %}\n\nin {% katex inline %}d{% endkatex %} text, $5 and $6\n\n- $$e$$\n\n> $$f$$\n',
  'formulas beside braces':
    '{$x$ and $\\{{a}$ {% katex %}{{x}}{% endkatex %} {% katex inline %}\\text{$5}{% endkatex %}\n',
  'Liquid embeds':
    'a\n\n{% youtube dQw4w9WgXcQ %}\n\n{% embed https://example.com/a %}\n\n{% github forem/forem %}\n\n{% link https://dev.to/a/b %}\n\n{%  vimeo   76979871 %} {% gist https://gist.github.com/a/b1 %} {% codepen https://codepen.io/a/pen/abcdef %}\n',
  'Liquid blocks':
    '{% details Summary %}\nInside *it*.\n{% enddetails %}\n\n{% cta https://a.io/ %} Go {% endcta %}\n\n{% card %}\nC\n{% endcard %}\n\n{% details open %}\n\n{% enddetails x %}\n',
  'Liquid as text':
    'A {{ x }} and {% if y %}z{% endif %} \\{{ v }} &#123;{ w }} {{ open\n\n`{{ code }}`\n\n[a](https://example.com/{{x}}) {{ a }}}} {% raw %} {{ b }} {% endraw %}\n\n{{ %}\n',
  'lone backticks': 'a ` b {{ x }}\n\n`` c ` {{ y }} \\` d\n',
  'foreign embeds':
    '%[https://x.io] text\n\n%[https://x.io]\n\n%%[widget-1]\n\n100%[link](https://x.io) [l](https://x.io/%[a])\n\n`%[x]`\n\n{{< youtube dQw4w9WgXcQ >}}\n\n:::note\nNote.\n:::\n\n[[toc]]\n\n[TOC]\n',
  mentions: 'Thanks @ann and a@b.io, `@code`, [@link](https://a.io/@ann), @-x, @ alone\n',
  'wide text': 'Über 日本語 😀 “quotes” – dash… (a) [b] {c} <d> | * _ ~ # @ \\ \n',
  'nested marks': '*a **b** c* [**x** *y*](https://a.io) ~~[z](https://b.io)~~ **`q`**\n',
  'two paragraphs of text': 'First paragraph with a sentence. Another one.\n\nSecond paragraph.\n',
  ...Object.fromEntries(
    [
      '<p class="x">a</p>',
      '<p>a <em>b</em> <em title="t">c</em></p>',
      '<p>a <div>b</div> c</p>',
      '<p><code>a</code> <code>b <em>c</em></code></p>',
      '<p><a href="https://a.io">b</a> <a href="https://a.io"><img src="https://a.io/x.png"></a></p>',
      '<p><strong>a <kbd>b</kbd></strong></p>',
      '<p><img src="https://a.io/x.png" width="3"> <img src="https://a.io/y.png"></p>',
      '<p><img src="https://a.io/x.png" srcset="https://a.io/y.png 2x"></p>',
      '<img src="https://a.io/x.png" alt="a" title="t" width="3" height="4">',
      '<h2 title="t">a</h2>',
      '<h3>a <em>b</em></h3>',
      '<h4>a <img src="https://a.io/x.png"></h4>',
      '<hr title="t">',
      '<hr>',
      '<blockquote title="t"><p>a</p></blockquote>',
      '<blockquote><p>a</p><h2>b</h2></blockquote>',
      '<blockquote>a</blockquote>',
      '<pre>a</pre>',
      '<pre><code>a</code><code>b</code></pre>',
      '<pre><code>a <b>c</b></code></pre>',
      '<pre title="t"><code>a</code></pre>',
      '<ol start="3"><li>a</li></ol>',
      '<ol reversed><li>a</li></ol>',
      '<ul start="3"><li>a</li></ul>',
      '<ul><li value="3">a</li></ul>',
      '<ul><li>a</li><li><h2>b</h2></li></ul>',
      '<ul><li></li></ul>',
      '<ul><li><p>a</p><ol><li>b</li></ol></li></ul>',
      '<ul><li><p>a</p><p>b</p></li></ul>',
      '<ul><li>a<ul><li>b</li></ul> c</li></ul>',
      '<ul><li><ul><li>b</li></ul></li></ul>',
      '<dl><dt>a</dt><dd>b</dd></dl>',
      '<table><thead><tr><th>a</th></tr></thead><tbody><tr><td align="right">b<br>c</td></tr></tbody></table>',
      '<table class="x"><tbody><tr><td>a</td></tr></tbody></table>',
      '<table><caption>c</caption><tbody><tr><td>a</td></tr></tbody></table>',
      '<table><tbody title="t"><tr><td>a</td></tr></tbody></table>',
      '<table><tbody><tr title="t"><td>a</td></tr><tr><td>b</td></tr></tbody></table>',
      '<table><tbody><tr><td colspan="2">a</td></tr><tr><td>b</td><td>c</td></tr></tbody></table>',
      '<table><tbody><tr><td><p>a</p></td><td>b</td></tr></tbody></table>',
      '<table><thead><tr><th align="center">a</th></tr></thead><tfoot><tr><td>b</td></tr></tfoot></table>',
      '<pre><code class="language-a--b">a</code></pre>',
      '<pre><code class="language-c++ x">a\n\n</code></pre>',
      '<ol start="1"><li>a</li></ol>',
      '<ul><li>a</li>text</ul>',
      '<ul><li>a<blockquote>b</blockquote></li></ul>',
      '<p><img src="https://a.io/x.png" width="30px" align="left"> <br> <img src="https://a.io/y.png" width="x" align="middle"></p>',
      '<p><a href="https://b.io"><img src="https://a.io/x.png" height="5"></a></p>',
      '<picture><source srcset="https://a.io/x.webp"><img src="https://a.io/x.png"></picture>',
      '<img src="x.png" alt=" kept "> <img src="//a.io/x.png"> <img alt="none">',
      '<figure><img src="https://a.io/x.png"><figcaption>a <p>b</p></figcaption></figure>',
      '<p><a href="https://a.io/x">https://a.io/x</a></p>',
      '<p><a href="https://a.io/x">https://a.io/y</a></p>',
      '<p><a href="https://a.io/x">https://a.io/x</a> <b>b</b></p>',
      '<p><a href="mailto:a@b.io">mailto:a@b.io</a></p>',
      '<p>https://a.io/[x] &amp;#65; &amp;amp; &amp;#x41; &amp;#0; &amp;#1114112; &amp;nbsp;</p>',
      '<p><a href="//a.io/[x]?a=[y]&amp;b#[z]" title="[t]">[u]</a></p>',
      '<h1 title="t">a <em>b</em></h1>',
      '<blockquote class="markdown-alert"><p>a</p></blockquote>',
      'text <em>b</em><p>c</p> more <hr> end',
      '<video src="https://a.io/x.mp4" controls></video>',
      '<section><p>a</p></section>',
      '<p>a<sup>b</sup><sub>c</sub><s>d</s><u>e</u><i>f</i><b>g</b><small>h</small><q>i</q><abbr title="t">j</abbr></p>',
    ].map((html) => [html, `${html}\n`]),
  ),
  '2,000 elements': 'Some *words*.\n\n'.repeat(1000),
  'more elements': 'Some *words*.\n\n'.repeat(1001),
  '99 siblings': '| a |\n|---|\n\n'.repeat(50),
  '101 siblings': '| a |\n|---|\n\n'.repeat(51),
};
