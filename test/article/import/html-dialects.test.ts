/** Characters that our reader would read as a mark, and HTML does not, reach the page unchanged. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { convertHtml } from '../../../article/import/html/html-to-markdown.ts';
import { runs } from '../../support/property-runs.ts';
import { derive } from '../support/documents.ts';

const MARKS = [
  ...['{:#}', '{:.class}', '{: .x #y}', '{#id}', 'a {#id}', '{.x}', '%%hidden%%', 'a %%hidden%% b', '%%[widget]'],
  ...[
    '{% raw %}',
    '{% endraw %}',
    '{% include a.html %}',
    '{% comment %}',
    '{% endcomment %}',
    '{% youtube dQw4w9WgXcQ %}',
  ],
  ...['{% katex %}x^2{% endkatex %}', '{% highlight js %}a{% endhighlight %}', '{{ x }}', '{{< figure src="a.png" >}}'],
  ...[
    '{{% note %}}',
    '{{/* c */}}',
    '{{ youtube(id="dQw4w9WgXcQ") }}',
    '[[Page]]',
    '[[page|words]]',
    '![[x.png]]',
    '[[TOC]]',
    '[TOC]',
  ],
  ...[
    '$x_1$',
    '$x$',
    '$PATH',
    '$5',
    ':tada:',
    ':tada::+1:',
    '12:30:45',
    '==words==',
    '==',
    'a ^block-id',
    '!!! note',
    '??? note',
  ],
  ...[
    ':::tip',
    ':::',
    '@[youtube](dQw4w9WgXcQ)',
    '%[https://a.example/x]',
    '[!NOTE]',
    '[w]({% post_url x %})',
    '![x](y =100x)',
  ],
  ...[
    '<Foo a={x} />',
    '{x}',
    '{/* c */}',
    'import x from "y"',
    'export const a = 1',
    '*[HTML]: x',
    '[^1]',
    '[^1]: x',
    '~x~',
    '\\{%',
    '\\',
  ],
];
const encode = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
const words = fc
  .array(fc.constantFrom(...MARKS, 'a', 'b', ' ', ' ', ' ', '.', '='), { minLength: 1, maxLength: 5 })
  .map((parts) => encode(parts.join('')));
const inline = fc.oneof(
  { weight: 4, arbitrary: words },
  fc.tuple(fc.constantFrom('strong', 'em', 'kbd', 'del'), words).map(([name, text]) => `<${name}>${text}</${name}>`),
  words.map((text) => `<a href="https://a.example/:tada:/?a=$x$">${text}</a>`),
  words.map((text) => `<code>${text.replaceAll('|', '')}</code>`),
  fc.constant('<br>'),
  fc.constant('<a href="https://a.example/:tada:/$x$">https://a.example/:tada:/$x$</a>'),
);
const phrase = fc.array(inline, { minLength: 1, maxLength: 4 }).map((parts) => parts.join(''));
const block = fc.oneof(
  phrase.map((text) => `<p>${text}</p>`),
  phrase.map((text) => `<h2>T ${text}</h2>`),
  phrase.map((text) => `<blockquote><p>${text}</p></blockquote>`),
  fc
    .array(phrase, { minLength: 1, maxLength: 3 })
    .map((items) => `<ul>${items.map((text) => `<li>${text}</li>`).join('')}</ul>`),
  fc.tuple(phrase, phrase).map(([head, cell]) => `<table><tr><th>${head}</th></tr><tr><td>${cell}</td></tr></table>`),
);

test('marks of other tools in a post appear unchanged on the page', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(block, { minLength: 1, maxLength: 3 }), async (blocks) => {
      const html = blocks.join('\n');
      const markdown = convertHtml(html, { base: null });
      const { html: page, outboundReferences } = await derive(markdown);
      assert.equal(readText(page), readText(html), JSON.stringify(markdown));
      for (const address of outboundReferences)
        assert.match(address, /^https:\/\/a\.example\/(?::tada:\/(?:\?a=)?\$x\$$|x)/);
    }),
    { numRuns: runs(150), seed: 3 },
  );
});

test('a mark appears unchanged in paragraphs, headings, items, cells, links, quotations, after links and in image texts', async () => {
  for (const mark of MARKS.map(encode)) {
    const html = `<p>${mark}</p><h2>T ${mark}</h2><ul><li>${mark}</li></ul><table><tr><th>h</th></tr><tr><td>${mark}</td></tr></table>
      <p><a href="https://a.example/">${mark}</a></p><blockquote><p>${mark}</p></blockquote><p><a href="https://a.example/">a</a>${mark}</p>`;
    const { html: page } = await derive(convertHtml(html, { base: null }));
    assert.equal(readText(page), readText(html), mark);
    const image = await derive(convertHtml(`<p><img src="https://a.example/a.png" alt="${mark}"></p>`, { base: null }));
    assert.equal(decode(/ alt="([^"]*)"/.exec(image.html)?.[1] ?? ''), decode(mark));
  }
});

test('text that needs no backslash gets none', () => {
  for (const text of ['12:30:45 and $5 to $10', 'a == b, {x} and {{ x }}', '100 % of it', 'a: b :c'])
    assert.equal(convertHtml(`<p>${text}</p>`, { base: null }), text);
});

test('marks in the addresses of a link and of the image in it get no backslash', () => {
  for (const mark of [':tada:', '$x$']) {
    const html = `<p><a href="https://a.example/${mark}/"><img src="https://a.example/${mark}.png" alt="a"></a></p>`;
    const expected = `[![a](https://a.example/${mark}.png)](https://a.example/${mark}/)`;
    assert.equal(convertHtml(html, { base: null }), expected);
  }
});

test('a formula in the delimiters of MathJax and KaTeX stays a formula with the same TeX', async () => {
  const markdown = convertHtml(
    '<p>With \\(a_i * b_{*}\\) and</p><p>$$\\sum_* x_* &lt; 1$$</p><table><tr><th>h</th></tr><tr><td>\\(|x| + \\|y\\|\\)</td></tr></table>',
    { base: null },
  );
  assert.match(markdown, /^With \\\(a_i \* b_\{\*\}\\\) and\n\n\$\$\\sum_\* x_\* < 1\$\$\n/);
  const { html, plainText } = await derive(markdown);
  assert.equal(html.match(/<math/g)?.length, 3);
  assert.match(plainText, /a_i \* b_\{\*\}/);
  assert.match(plainText, /\\vert x\\vert {1,2}\+ \\Vert y\\Vert/);
});

test('a bar in code in a table cell stays a bar, with its backslash', async () => {
  for (const code of ['a | b', 'a||b', '`|`', 'a \\| b', '\\\\|*x*', '{% x %} \\| :tada:']) {
    const html = `<table><tr><th><code>${code}</code></th></tr><tr><td>x <code>${code}</code> y</td></tr></table>`;
    const { html: page } = await derive(convertHtml(html, { base: null }));
    assert.equal(page.match(/<code>/g)?.length, 2, code);
    assert.equal(readText(page), readText(html));
  }
});

function readText(html: string): string {
  return decode(html.replace(/<[^>]*>/g, ''));
}

function decode(text: string): string {
  const plain = text.replace(/&#x([\da-f]+);/gi, (_, code: string) => String.fromCodePoint(Number.parseInt(code, 16)));
  const signs = plain
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&');
  return signs.replace(/\s+/g, '');
}
