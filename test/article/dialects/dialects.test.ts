import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseMarkdown } from '../../../article/markdown/parse-markdown.ts';
import { startProcessorWatch } from '../../support/processor-time.ts';
import { derive, read, withFrontmatter } from '../support/documents.ts';
import { findDangers } from '../support/walk-html.ts';

test('a GitHub alert is a quotation of its kind, titled with its own title or its kind', async () => {
  const { html } = await derive(
    '> [!NOTE]\n> Words *here*.\n\n> [!caution] Mind this\n> - one\n\n> [!Warning] On one line\n',
  );
  assert.match(
    html,
    /<blockquote class="alert-note">\s*<p><strong>Note<\/strong><\/p>\s*<p>Words <em>here<\/em>\.<\/p>/,
  );
  assert.match(html, /<blockquote class="alert-caution">\s*<p><strong>Mind this<\/strong><\/p>\s*<ul>/);
  assert.match(html, /<blockquote class="alert-warning">\s*<p><strong>On one line<\/strong><\/p>\s*<\/blockquote>/);
  assert.match((await derive('> [!unheard] x\n')).html, /\[!unheard\] x/);
});

test('containers between colons are alerts with titles, also nested and in lists; details are collapsible', async () => {
  const { html, plainText } = await derive(
    ':::tip\nWords **b**\n- a\n:::\n\n::: warning Mind *this*\n\n```sh\n:::\n```\n\n:::\n\n::::note[Outer]\n\n:::danger\nInner\n:::\n\nlast\n::::\n\n:::details More\nfolded\n:::\n\n- item\n\n  :::info\n  in a list\n  :::\n',
  );
  assert.match(
    html,
    /<blockquote class="alert-tip">\s*<p><strong>Tip<\/strong><\/p>\s*<p>Words <strong>b<\/strong><\/p>\s*<ul>/,
  );
  assert.match(
    html,
    /<strong>Mind \*this\*<\/strong><\/p>\s*<pre><code class="language-sh">:::\n<\/code><\/pre>\s*<\/blockquote>/,
  );
  assert.match(
    html,
    /<strong>Outer<\/strong><\/p>\s*<blockquote class="alert-caution">.*Inner.*<\/blockquote>\s*<p>last<\/p>\s*<\/blockquote>/s,
  );
  assert.match(html, /<details>\s*<summary>More<\/summary>\s*<p>folded<\/p>\s*<\/details>/);
  assert.match(html, /<li>.*<blockquote class="alert-note">.*in a list.*<\/blockquote>\s*<\/li>/s);
  assert.equal(plainText.split(':::').length, 2, plainText);
});

test('Pandoc’s containers are alerts by class; of others only the fence lines are removed', async () => {
  const { html } = await derive(
    '::: {.callout-warning title="Mind this"}\nWords\n:::\n\n:::: {.column-margin}\n\n::: {.tip}\ninner\n:::\n\nbeside\n::::\n',
  );
  assert.match(html, /<blockquote class="alert-warning">\s*<p><strong>Mind this<\/strong><\/p>\s*<p>Words<\/p>/);
  assert.match(html, /<blockquote class="alert-tip">\s*<p><strong>Tip<\/strong><\/p>\s*<p>inner<\/p>\s*<\/blockquote>/);
  assert.match(html, /<p>beside<\/p>/);
  assert.doesNotMatch(html, /:::|column-margin/);
});

test('colons that open or close no container stay text', async () => {
  for (const body of [':::\n\ntext\n', ':::tip\n\nnever closed\n', 'a ::: b\n', '`:::tip`\n\n`:::`\n'])
    assert.match((await derive(body)).plainText, /:::/, body);
});

test('emoji codes become emoji; times, ports, scopes and unknown codes stay text', async () => {
  const { plainText } = await derive('Done :tada: :+1:! at 10:30:20, a:x:b, std::vec::Vec, :nonsense: `:tada:`\n');
  assert.equal(plainText, 'Done 🎉 👍! at 10:30:20, a:x:b, std::vec::Vec, :nonsense: :tada:');
});

test('the id that an author gives to a heading is hidden, and links to it lead to the heading', async () => {
  const { html, headings } = await derive(
    '## One\n\n## Set things up {#set-up}\n\n### `code` {#c .big} ##\n\n[there](#set-up) `## no {#id}`\n\ntext {#not}\n',
  );
  assert.deepEqual(
    headings.map(({ text, id }) => [text, id]),
    [
      ['One', 'one'],
      ['Set things up', 'set-things-up'],
      ['code', 'code'],
    ],
  );
  assert.match(html, /<a href="#set-things-up">there<\/a> <code>## no \{#id\}<\/code>/);
  assert.match(html, /text \{#not\}/);
});

test('Obsidian comments are hidden; percent signs are shown', async () => {
  const { plainText, html } = await derive(
    'Before %%secret%% after.\n\n%%\nsecret\n\nsecret\n%%\n\n%%secret%% more\n\n100%% sure and 50%% so, `%%code%%`\n',
  );
  assert.doesNotMatch(html, /secret/);
  assert.match(plainText, /Before\s+after\./);
  assert.match(plainText, /100%% sure and 50%% so, %%code%%/);
  assert.doesNotMatch(html, /<pre>/);
});

test('emphasis beside Chinese, Japanese and Korean punctuation is recognised', async () => {
  const { html } = await derive('**「本」**の棚と**書架（しょか）**です。\n');
  assert.equal(html.match(/<strong>/g)?.length, 2);
});

test('the source stays unchanged, and positions refer to the source', () => {
  const body = ':::tip\n[a](x.png) $b$ %%c%%\n:::\n\n## T {#t}\n\n![i](y.png)\n';
  const { draft } = read(withFrontmatter('title: T\nbase_url: https://me.example/', body));
  assert.equal(
    draft.body,
    body.replace('(x.png)', '(https://me.example/x.png)').replace('(y.png)', '(https://me.example/y.png)'),
  );
});

test('hostile marks run nothing and take no longer than other text', async () => {
  for (const text of [
    '> [!NOTE] <img src=x onerror=alert(1)>\n',
    ':::tip <script>alert(1)</script>\nx\n:::\n',
    ':::details "><img src=x onerror=alert(1)>\nx\n:::\n',
    '## T {#"onclick=alert(1)}\n\n## U {#__proto__}\n\n:__proto__: :constructor:\n',
    '[[javascript:alert(1)|x]] ![[<img src=x onerror=alert(1)>]]\n',
    '{{< figure src="javascript:alert(1)" alt="\\"><script>" >}} {{< youtube "><script>alert(1)</script> >}}\n',
    '```js:"><script>alert(1)</script>.js\nx\n```\n\n```{r"><script>}\ny\n```\n',
    '\uFDD0\uFDD1 $a_1$ \uFDD0\n',
  ])
    assert.deepEqual(findDangers((await derive(text)).html), [], text);
  for (const unit of [
    ':::tip\n',
    ':::a\n\n:::\n\n',
    '%%',
    '%%a ',
    '[[a',
    '![[',
    '{{<',
    '{{< a',
    '{{< highlight a >}}',
    '{: ',
    '# a {#b}\n',
    '> [!NOTE]\n\n',
    ':a:',
    ...[
      '[[a]]',
      '==a',
      '[a]({{',
      '[[x]',
      '{% comment %}',
      '{{/*',
      'b ^abcd ',
      '[TOC]\n',
      '@[a](',
      '* a\n{:toc}\n',
      '){.a',
    ],
  ]) {
    const readUsedMs = startProcessorWatch(process.cpuUsage);
    parseMarkdown(unit.repeat(10_000 / unit.length));
    assert.ok(readUsedMs() < 7_500, unit);
  }
});
