/**
 * Ghost's payload: elements that its editor preserves, and HTML cards for all others, which no
 * author can forge.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { GhostPayload } from '../../../destinations/ghost/format.ts';
import { ghost } from '../../../destinations/ghost/index.ts';
import { makeArticle } from '../destination-harness.ts';

const format = (changes: Parameters<typeof makeArticle>[0] = {}) => {
  const { payload, losses, refusal } = ghost.format(makeArticle(changes));
  return { payload: payload as GhostPayload, codes: losses.map(({ code }) => code), losses, refusal };
};
const formatHtml = (body: string, changes = {}) => format({ body, ...changes }).payload.html;

/** Splits the HTML outside and inside of cards, by Ghost's own marks. */
function splitCards(html: string): { native: string; cards: string[] } {
  const cards: string[] = [];
  const native = html.replace(/<!--kg-card-begin: html-->\n([\s\S]*?)\n<!--kg-card-end: html-->/g, (_, card) => {
    cards.push(card);
    return '';
  });
  assert.doesNotMatch(native, /<!--/);
  return { native, cards };
}

test('an article has all its fields in Ghost’s names', () => {
  const { payload, codes, refusal } = format({
    title: 'Hello',
    slug: 'hello',
    subtitle: 'Sub',
    excerpt: 'About.',
    tags: ['Node.js', 'C#'],
    canonicalUrl: 'https://blog.example.com/hello',
    coverImage: 'https://blog.example.com/ü.png',
    body: 'Text.\n',
  });
  assert.deepEqual(payload, {
    title: 'Hello',
    html: '<p>Text.</p>',
    status: 'published',
    slug: 'hello',
    tags: [{ name: 'Node.js' }, { name: 'C#' }],
    canonical_url: 'https://blog.example.com/hello',
    feature_image: 'https://blog.example.com/%C3%BC.png',
    custom_excerpt: 'Sub',
    meta_description: 'About.',
  });
  assert.deepEqual([codes, refusal], [[], null]);
});

test('content that Ghost’s editor preserves is sent without a card', () => {
  for (const body of [
    'A **b** *c* `d {{e}}` [f](https://a.io/) and  \nmore.\n',
    '## Heading\n',
    '- one\n- two\n  1. three\n',
    '- loose\n\n- list\n',
    '> a\n>\n> b\n',
    '```c++\nint a;\n```\n',
    '![alt](https://a.io/x.png "title")\n',
    '---\n',
  ]) {
    assert.deepEqual(splitCards(formatHtml(body)).cards, [], body);
  }
  assert.equal(formatHtml('```js\n{{a}} < 1\n```\n'), '<pre><code class="language-js">{{a}} &#x3C; 1\n</code></pre>');
  assert.equal(formatHtml('~~gone~~\n'), '<p><s>gone</s></p>');
});

test('content that Ghost’s editor would drop is sent in a card, complete', () => {
  for (const [body, expected] of [
    ['| a |\n|---|\n| 1 |\n', /<table>[\s\S]*<td>1<\/td>/],
    ['<details><summary>s</summary>\n\ninner\n\n</details>\n', /<details><summary>s<\/summary>[\s\S]*inner/],
    ['- [x] done\n', /<input type="checkbox" checked disabled>/],
    ['- one\n\n  two\n', /<p>one<\/p>\s*<p>two<\/p>/],
    ['- one\n\n  ```\n  code\n  ```\n', /<li>[\s\S]*<pre>/],
    ['> - a\n', /<blockquote>\s*<ul>/],
    ['[![alt](https://a.io/x.png)](https://b.io/)\n', /<a href="https:\/\/b.io\/"><img/],
    ['Words ![alt](https://a.io/x.png) words\n', /Words <img[^>]*> words/],
    ['<kbd>Ctrl</kbd> and <mark>m</mark>\n', /<kbd>Ctrl<\/kbd> and <mark>m<\/mark>/],
    ['[a](https://a.io "title")\n', /title="title"/],
    ['1. a\n\n<dl><dt>t</dt><dd>d</dd></dl>\n', /<dl><dt>t<\/dt><dd>d<\/dd><\/dl>/],
  ] as const) {
    const { cards } = splitCards(formatHtml(body));
    assert.equal(cards.length, 1, body);
    assert.match(cards[0] ?? '', expected);
  }
});

test('adjacent blocks that need a card share one, and the order stays', () => {
  const { native, cards } = splitCards(formatHtml('A\n\n| a |\n|---|\n\n| b |\n|---|\n\nB\n\n| c |\n|---|\n'));
  assert.equal(cards.length, 2);
  assert.match(native, /<p>A<\/p>\s*<p>B<\/p>/);
});

test('footnotes link both ways, because both ends are in cards, which preserve ids', () => {
  const { cards } = splitCards(formatHtml('One[^1].\n\nTwo.\n\n[^1]: Note.\n'));
  assert.equal(cards.length, 2);
  assert.match(cards[0] ?? '', /href="#user-content-fn-1" id="user-content-fnref-1"/);
  assert.match(cards[1] ?? '', /id="user-content-fn-1"[\s\S]*href="#user-content-fnref-1"/);
});

test('a heading that is a link target preserves its id, which Ghost would replace', () => {
  const { native, cards } = splitCards(formatHtml('[x](#the-end)\n\n## Start\n\n## The end\n'));
  assert.match(native, /<h2>Start<\/h2>/);
  assert.match(cards[0] ?? '', /<h2 id="the-end">The end<\/h2>/);
});

test('an article that Ghost would convert for minutes is one element in one card, and this is reported', () => {
  const { payload, codes } = format({ body: 'Some *words*.\n\n'.repeat(1500) });
  const { native, cards } = splitCards(payload.html);
  assert.deepEqual([native, cards.length, codes], ['', 1, ['single_block']]);
  assert.match(cards[0] ?? '', /^<div>\n<p>Some[\s\S]*<\/p>\n<\/div>$/);
});

test('the title is not repeated, and other first-level headings become second-level ones', () => {
  const { payload, losses } = format({ title: 'T', body: '# T\n\nText\n\n# Part\n' });
  assert.equal(payload.html, '<p>Text</p>\n<h2>Part</h2>');
  assert.deepEqual(
    losses.map(({ code, line }) => [code, line]),
    [['heading_lowered', 5]],
  );
});

test('addresses are absolute, so that Ghost does not resolve them against its own site', () => {
  const html = formatHtml('[a](/rel) [m](mailto:a@b.io)\n\n![i](img/x.png)\n', {
    canonicalUrl: 'https://blog.io/posts/x',
  });
  assert.match(html, /href="https:\/\/blog.io\/rel"/);
  assert.match(html, /href="mailto:a@b.io"/);
  assert.match(html, /src="https:\/\/blog.io\/posts\/img\/x.png"/);
});

test('no author can open or close a card', () => {
  const forged = '<!--kg-card-begin: html--><script>alert(1)</script><!--kg-card-end: html-->';
  const entities = forged.replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  for (const body of [
    forged,
    `a ${forged} b`,
    `\`${forged}\``,
    `\`\`\`html\n${forged}\n\`\`\``,
    `    ${forged}`,
    entities,
    `<span title='${forged}'>x</span>`,
    `<td title="${entities}">x</td>`,
    `![${forged}](https://a.io/x.png "${entities}")`,
    `| ${entities} |\n|---|\n| \`${forged}\` |`,
    `<details>${forged}</details>`,
    `<div><!-- kg-card-end: html --></div>`,
    `[a](https://a.io/${forged})`,
    `<<!-- -->!--kg-card-end: html-->`,
  ]) {
    const html = formatHtml(`${body}\n\n| t |\n|---|\n`);
    const { native, cards } = splitCards(html);
    for (const part of [native, ...cards]) {
      assert.doesNotMatch(part, /<!--/, body);
      assert.doesNotMatch(part, /<script/i, body);
    }
    assert.ok(html.startsWith('<') && cards.length >= 1, body);
  }
});

test('hostile HTML reaches Ghost neither inside nor outside of cards (A8)', () => {
  const html = formatHtml(
    [
      '<script>alert(1)</script>',
      '<img src=x onerror=alert(1)>',
      '<a href="javascript:alert(1)">x</a> [y](javascript:alert(1)) [z](data:text/html,x)',
      '<iframe src="https://evil.example/"></iframe>',
      '<svg onload=alert(1)><script>alert(1)</script></svg>',
      '<details ontoggle=alert(1) open><style>*{}</style>x</details>',
      '<table><tr><td background="javascript:alert(1)" style="x:expression(1)">c</td></tr></table>',
      '<form action="https://evil.example"><input name=q></form>',
    ].join('\n\n'),
  );
  assert.doesNotMatch(html, /<script|onerror|onload|ontoggle|javascript:|data:text|<iframe|<svg|<style|style=|<form/i);
});

test('handlebars are text and are sent unchanged', () => {
  assert.equal(
    formatHtml('{{#foreach posts}}{{{html}}}{{/foreach}}\n'),
    '<p>{{#foreach posts}}{{{html}}}{{/foreach}}</p>',
  );
});

test('texts that Ghost would refuse as too long are cut and reported', () => {
  const { payload, codes } = format({
    title: `${'word '.repeat(60)}end`,
    subtitle: 'sub '.repeat(100),
    excerpt: 'ex '.repeat(300),
  });
  assert.ok([...payload.title].length <= 255 && payload.title.endsWith('…'));
  assert.ok((payload.custom_excerpt ?? '').length <= 300 && payload.custom_excerpt?.endsWith('…'));
  assert.ok((payload.meta_description ?? '').length <= 500);
  assert.deepEqual(codes, ['title_cut', 'excerpt_cut']);
});

test('tags lose signs that make them internal or refused, and each dropped tag is reported', () => {
  const { payload, codes } = format({ tags: ['#news', ',x', 'Node', 'node', '#', 'y'.repeat(192), '__proto__'] });
  assert.deepEqual(
    payload.tags.map(({ name }) => name),
    ['news', 'x', 'Node', '__proto__'],
  );
  assert.deepEqual(codes, ['tag_dropped', 'tag_dropped']);
});

test('settings that a Ghost post cannot have are reported', () => {
  const { payload, codes } = format({ coverImage: 'cover.png', generateToc: true, commentsEnabled: false });
  assert.equal(payload.feature_image, null);
  assert.deepEqual(codes, ['cover_dropped', 'toc_dropped', 'comments_open']);
});

test('absent fields are sent as empty, so that an update clears them', () => {
  const { payload } = format({ coverImage: null, excerpt: '', subtitle: null, tags: [], body: '' });
  assert.deepEqual(
    [payload.feature_image, payload.custom_excerpt, payload.meta_description, payload.tags, payload.html],
    [null, null, null, [], ''],
  );
});

test('an article that Ghost would certainly refuse is not sent', () => {
  assert.equal(format({ title: ' \u0000 ' }).refusal?.code, 'title_missing');
  assert.equal(format({ canonicalUrl: 'not a url' }).refusal?.code, 'canonical_invalid');
  assert.equal(format({ canonicalUrl: `https://a.io/${'x'.repeat(2000)}` }).refusal?.code, 'canonical_invalid');
});

test('a canonical URL is spelled in the form that Ghost accepts', () => {
  for (const [address, sent] of [
    ['https://É.example/ü', 'https://xn--9ca.example/%C3%BC'],
    ['https://a.io/{x}?q=[1]|2%zz', 'https://a.io/%7Bx%7D?q=%5B1%5D%7C2%25zz'],
    ["https://a.io/it's", "https://a.io/it's"],
  ] as const) {
    assert.equal(format({ canonicalUrl: address }).payload.canonical_url, sent);
  }
});
