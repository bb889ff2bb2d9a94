/** Marks of single tools in posts as authors write them: shown, or removed with a warning. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { derive, listCodes, read, withFrontmatter } from '../support/documents.ts';

function listLost(body: string): string[] {
  return listCodes(read(withFrontmatter('title: T', body)).warnings);
}

test('words after a caret are removed only at the end of a block, with a warning', async () => {
  const body =
    'Addresses begin with ^http\nand go on.\n\nA claim. ^claim1\n\n> Quoted. ^quoted\n\n- item ^item1\n- item\n';
  const { plainText } = await derive(body);
  assert.match(plainText, /begin with \^http\s+and go on/);
  assert.doesNotMatch(plainText, /claim1|quoted|item1/);
  assert.deepEqual(listLost(body), ['block_id_removed']);
});

test('text between two double percent signs is removed with a warning', async () => {
  const body = 'Rates rose from 5 %% to 10 %% last year.\n';
  assert.deepEqual(listLost(body), ['comment_removed']);
  assert.match((await derive('It is \\%% here and %% there.\n')).plainText, /It is %% here and %% there\./);
});

test('a Hugo figure has its link and its caption', async () => {
  const { html, plainText } = await derive(
    '{{< figure src="https://a.example/a.png" alt="A shelf" caption="Our new shelf" link="https://b.example/" >}}\n',
  );
  assert.match(html, /<a href="https:\/\/b\.example\/"[^>]*><img src="https:\/\/a\.example\/a\.png" alt="A shelf"/);
  assert.match(html, /^<figure>.*<figcaption>Our new shelf<\/figcaption>\s*<\/figure>$/s);
  assert.equal(plainText, 'Our new shelf');
  const text = 'We moved to Lisbon last year because of the light and of the people who live there.';
  const figure =
    '{{< figure src="https://a.example/a.png" caption="The team in front of its new office in Lisbon." >}}';
  assert.equal((await derive(`${figure}\n\n${text}\n`)).excerpt, text);
  assert.match((await derive(`See ${figure} here.\n`)).html, /^<p>See <span><img [^>]*><br>\s*<em>The team/);
});

test('containers of Zenn and Qiita name their kind; unknown ones are shown as their contents; titles may contain colons', async () => {
  const { html } = await derive(
    ':::message alert\nA\n:::\n\n:::note warn\nB\n:::\n\n::: code-group\n\nC\n\n:::\n\n::: tip Mind: this\nD\n:::\n\n::: box Words\nE\n:::\n',
  );
  assert.match(html, /alert-warning">\s*<p><strong>Alert<\/strong><\/p>\s*<p>A/);
  assert.match(html, /alert-warning">\s*<p><strong>Warning<\/strong><\/p>\s*<p>B/);
  assert.match(html, /<\/blockquote>\s*<p>C<\/p>/);
  assert.match(html, /<strong>Mind: this<\/strong><\/p>\s*<p>D/);
  assert.match(html, /<strong>Words<\/strong><\/p>\s*<p>E/);
  assert.deepEqual(listLost('::: code-group\n\nC\n\n:::\n'), ['container_as_text']);
  // A line of colons without an ASCII name opens no container and closes none.
  assert.match((await derive(':::tip\n\na\n\n::: 日本\n\nb\n\n:::\n')).plainText, /日本/);
  assert.match((await derive('::: {.panel title="Head"}\nF\n:::\n')).plainText, /Head\s+F/);
});

test('images keep their address before a size or a list of attributes with blanks', async () => {
  const { html } = await derive(
    '![a](https://a.example/a.png =250x) ![b](https://a.example/b.png){ width="300" .c }\n',
  );
  assert.equal(html.match(/<img /g)?.length, 2);
  assert.doesNotMatch(html, /250|300|\{/);
});

test('a formula of Forem is math on the page, and code of Hexo is code', async () => {
  const { html } = await derive(
    '{% katex %}\nx_1 + y_2\n{% endkatex %}\n\nA {% katex inline %}z_3{% endkatex %}.\n\n{% codeblock a.js lang:js %}\na = b * c * d;\n{% endcodeblock %}\n',
  );
  assert.equal(html.match(/<math/g)?.length, 2);
  assert.match(html, /<pre><code class="language-js">a = b \* c \* d;/);
});

test('tags of Hexo and Forem and admonitions of MkDocs that stay text give a warning', () => {
  for (const body of [
    '{% asset_img a.png %}\n',
    '{% note info %}\na\n{% endnote %}\n',
    '{% details A %}\na\n{% enddetails %}\n',
  ])
    assert.deepEqual(listLost(body), ['template_as_text'], body);
  assert.deepEqual(listLost('!!! note "Mind this"\n    Words.\n'), ['admonition_as_text']);
  assert.deepEqual(listLost('??? tip\n    Words.\n'), ['admonition_as_text']);
  assert.deepEqual(listLost('What!!! Really??? Yes. !!! so\n'), []);
});

test('highlight signs do not turn the words between them into HTML', () => {
  const body = '==a== \\<img src="b.png">\n';
  const { draft, warnings } = read(withFrontmatter('title: T\nbase_url: https://me.example/', body));
  assert.equal(draft.body, body);
  assert.deepEqual(warnings, []);
});

test('reading marks takes linear time', () => {
  for (const [unit, length] of [
    ['==a== ', 60_000],
    [`${'[[a]] '.repeat(50)}\n\n`, 60_000],
    [`:::${' '.repeat(4_000)}x:`, 30_000],
  ] as const) {
    const time = (size: number): number => {
      const body = unit.repeat(Math.ceil(size / unit.length));
      const begin = performance.now();
      read(withFrontmatter('title: T', body));
      return performance.now() - begin;
    };
    time(1_000);
    const short = Math.min(time(length / 4), time(length / 4));
    assert.ok(time(length) < 12 * short + 1_000, unit.slice(0, 10));
  }
});
