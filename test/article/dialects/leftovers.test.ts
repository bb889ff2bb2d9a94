import assert from 'node:assert/strict';
import { test } from 'node:test';
import { derive, read, withFrontmatter } from '../support/documents.ts';

function listWarnings(body: string): [string, number | undefined][] {
  return read(withFrontmatter('title: T', body)).warnings.map(({ code, line }) => [code, line]);
}

test('wiki links are shown as their words, with one warning', async () => {
  const body =
    'See [[Page|the page]], [[Other page]], ![[shelf.png]], [[1]], [[a]](https://b.example), `[[x]]` and if [[ -f x ]] or \\[[y]].\n\n[[More]]\n';
  assert.equal(
    (await derive(body)).plainText,
    'See the page, Other page, shelf.png, [[1]], [a], [[x]] and if [[ -f x ]] or [[y]].\n\nMore',
  );
  assert.deepEqual(listWarnings(body), [['wiki_link_as_text', 5]]);
});

test('a wiki link is never shown in brackets: with parts, beside others, in tables, before a colon', async () => {
  const body =
    'See [[Page]]: it is [[A]][[B]], [[Page#Part]], [[#Part]], [[slug|text]] and [[Page#^id7]].\n\n| a |\n|--|\n| [[Page\\|words]] |\n';
  const { plainText } = await derive(body);
  assert.match(plainText, /^See Page: it is AB, Page > Part, Part, text and Page\.\n/);
  assert.match(plainText, /\nwords$/);
  assert.equal((await derive('[[ref]]\n\n[ref]: https://a.example\n')).plainText, '[ref]', 'a link of CommonMark');
});

test('shortcodes become links, images and code if possible; others are removed with one warning', async () => {
  const body =
    '{{< youtube abc_def-123 >}}\n\n{{< tweet user="ada" id="1234567890" >}}\n\n{{< figure src="https://img.example/a.png" alt="A shelf" >}}\n\n{{% notice tip %}}\nKept *words*\n{{% /notice %}}\n\n{{< highlight go "linenos=table" >}}\na := *b\n{{< /highlight >}}\n\n{% highlight ruby %}\nx = 1\n{% endhighlight %}\n\nInline {{< ref "x.md" >}} and `{{< code >}}` and {{ page.title }}.\n';
  const { html } = await derive(body);
  assert.match(html, /<a href="https:\/\/www\.youtube\.com\/watch\?v=abc_def-123"[^>]*>Open on YouTube<\/a>/);
  assert.match(html, /<a href="https:\/\/x\.com\/i\/status\/1234567890"/);
  assert.match(html, /<img src="https:\/\/img\.example\/a\.png" alt="A shelf"/);
  assert.match(html, /<p>Kept <em>words<\/em><\/p>/);
  assert.match(html, /<pre><code class="language-go">a := \*b\n<\/code><\/pre>/);
  assert.match(html, /<pre><code class="language-ruby">x = 1\n<\/code><\/pre>/);
  assert.match(html, /Inline\s+and <code>\{\{&#x3C; code >\}\}<\/code> and \{\{ page\.title \}\}\./);
  assert.deepEqual(listWarnings(body), [['shortcode_removed', 11]]);
});

test('an escaped shortcode, a template comment and an embed of Zola or Zenn are read as in their tools', async () => {
  const { html } = await derive(
    '{{/* hidden */}}\n\n{{- /* hidden\ntoo */ -}} Write {{</* youtube x */>}}.\n\n{{ youtube(id="abc_def1") }} {{ url_for("x") }}\n\n@[youtube](abc_def2)\n\n@[card](https://a.example/x)\n\nme@[x](https://b.example)\n',
  );
  assert.doesNotMatch(html, /hidden/);
  assert.match(html, /Write \{\{&#x3C; youtube x >\}\}\./);
  assert.match(html, /watch\?v=abc_def1"[^>]*>Open on YouTube<\/a> \{\{ url_for\("x"\) \}\}/);
  assert.match(html, /watch\?v=abc_def2"/);
  assert.match(html, /<a href="https:\/\/a\.example\/x"[^>]*>Open on a\.example<\/a>/);
  assert.match(html, /me@<a href="https:\/\/b\.example"/);
});

test('what Liquid would hide is hidden; tags that it would fill in are text, with one warning', async () => {
  const body =
    '{% raw %}{{ x }}{% endraw %}\n\n{% comment %}\nsecret\n\nsecret\n{% endcomment %}\n\n{% include a_b_c.html %}\n\n{% if x %}y{% endif %} `{% raw %}`\n';
  const { plainText } = await derive(body);
  assert.equal(plainText, '{{ x }}\n\n{% include a_b_c.html %}\n\n{% if x %}y{% endif %} {% raw %}');
  assert.deepEqual(listWarnings(body), [['template_as_text', 13]]);
});

test('a link with a template as its address is shown as its words, with one warning', async () => {
  const body =
    'See [the *first* post]({% post_url 2020-01-01-x %}), [docs]({{< ref "x.md" >}}#part "T") and ![a shelf]({{ site.url }}/a.png).\n\n[here](https://a.example/{{ x }}) `[a]({{ b }})`\n';
  assert.match(
    (await derive(body)).html,
    /^<p>See the <em>first<\/em> post, docs and a shelf\.<\/p>\s*<p>here <code>\[a\]\(\{\{ b \}\}\)<\/code><\/p>/,
  );
  assert.deepEqual(listWarnings(body), [['template_link_as_text', 5]]);
});

test('attribute lists of kramdown and widgets of Hashnode are removed with a warning', async () => {
  const body = 'Words.\n{: .lead}\n\n%%[my-widget]\n\nMore.\n';
  assert.equal((await derive(body)).plainText, 'Words.\n\nMore.');
  assert.deepEqual(listWarnings(body).sort(), [
    ['attributes_removed', 6],
    ['shortcode_removed', 8],
  ]);
});

test('attributes after links, images, code and emphasis are removed, as are contents markers', async () => {
  const body =
    '![a](https://i.example/a.png){: .center width="5"} [l](https://a.example){:target="_blank"} *x*{: .y} ![b](https://i.example/b.png){width=50% .z}\n\n* TOC\n{:toc}\n\n[TOC]\n\n[[toc]]\n\nfn(x){.y} and {a: b}\n';
  const { html } = await derive(body);
  assert.doesNotMatch(html, /toc|center|target|width|\{: /i);
  assert.match(html, /fn\(x\).* and \{a: b\}/);
  assert.deepEqual(
    listWarnings(body)
      .map(([code]) => code)
      .sort(),
    ['attributes_removed', 'contents_removed'],
  );
});

test('Obsidian highlights are marked and block ids hidden; comparisons and powers stay text', async () => {
  const { html } = await derive(
    'A ==marked *word*== here. ^block-id\n\n- item ^a1b2c3\n\na == b, c==d==e, x ^2, ^carets here\n',
  );
  assert.match(html, /A <mark>marked <em>word<\/em><\/mark> here\.<\/p>/);
  assert.match(html, /<li>item<\/li>/);
  assert.match(html, /<p>a == b, c==d==e, x \^2, \^carets here<\/p>/);
});

test('a fence has its language and shows its file name', async () => {
  const { html } = await derive(
    '```js:src/a.js\nx\n```\n\n```{r, echo=FALSE}\ny\n```\n\n```ts title="b.ts" {1,3}\nz\n```\n\n```go{1,3}\nw\n```\n\n```docker:Dockerfile\nv\n```\n\n```mermaid\na-->b\n```\n\n```a:b\nu\n```\n',
  );
  assert.match(html, /<p><code>src\/a\.js<\/code><\/p>\s*<pre><code class="language-js">x/);
  assert.match(html, /<code class="language-r">y/);
  assert.match(html, /<p><code>b\.ts<\/code><\/p>\s*<pre><code class="language-ts">z/);
  assert.match(html, /<code class="language-go">w/);
  assert.match(html, /<p><code>Dockerfile<\/code><\/p>\s*<pre><code class="language-docker">v/);
  assert.match(html, /<code class="language-mermaid">a-->b/);
});

test('file names are read as in their tools, and a language is one that a class can hold', async () => {
  for (const [info, name, language] of [
    ['{.python .numberLines filename="a.py"}', 'a.py', 'python'],
    ['{code-block} python', null, 'python'],
    ['{python}', null, 'python'],
    ['js:title=src/a.js', 'src/a.js', 'js'],
    ['js [a.js]', 'a.js', 'js'],
    ['diff js:src/a.js', 'src/a.js', 'diff'],
    ['ruby:app/a.rb:10-12', 'app/a.rb', 'ruby'],
    ['js:ファイル.js', 'ファイル.js', 'js'],
    ['c++ file=a.cc', 'a.cc', 'c++'],
    ['ts:a:b:c', null, 'ts'],
    ['rust,no_run', null, 'rust'],
  ] as const) {
    const { html } = await derive(`\`\`\`${info}\nx\n\`\`\`\n`);
    const shown = name === null ? '' : `<p><code>${name}</code></p>\n`;
    assert.equal(html, `${shown}<pre><code class="language-${language}">x\n</code></pre>`, info);
  }
});

test('a diagram is shown as its code, with one warning', async () => {
  const body =
    'Text.\n\n```mermaid\na-->b\n```\n\n```{mermaid}\nc-->d\n```\n\n{{< mermaid >}}\ne-->f\n{{< /mermaid >}}\n\n```plantuml\ng\n```\n';
  const { html } = await derive(body);
  assert.equal(html.match(/<pre><code class="language-mermaid">[a-f]-->/g)?.length, 3);
  assert.deepEqual(listWarnings(body), [['diagram_as_code', 7]]);
});
