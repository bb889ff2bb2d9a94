/** An HTML tag never removes the text after it; text that is removed is quoted in a warning. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { convertHtml } from '../../../article/import/html/html-to-markdown.ts';
import { renderComment } from '../../../article/render/render-comment.ts';
import { writeMarkdown } from '../../../article/render/write-markdown.ts';
import { derive, read, SITE, withFrontmatter } from '../support/documents.ts';

const AFTER = 'Second *paragraph*.\n\n- an item\n\n```js\nlast();\n```\n';

/** Bodies with a tag, and the texts that the page must show besides those before and after it. */
const EXAMPLES: [body: string, shown: string[]][] = [
  ['<video src="https://a.example/v.mp4" controls />', []],
  ['<script src="https://a.example/x.js" />', []],
  ['<script src="https://a.example/x.js"/>', []],
  ['<iframe src="https://a.example/" />', []],
  ['<style />', []],
  ['A line with <template> in prose.', ['A line with <template> in prose.']],
  ['A line with <TEMPLATE class="a>b"> in prose.', ['A line with <TEMPLATE class="a>b"> in prose.']],
  ['So with a <script> tag (this is *important*) in it.', ['So with a <script> tag (this is important) in it.']],
  ['<script> at the start of a line, and more.', ['<script> at the start of a line, and more.']],
  ['<pre> at the start', ['at the start']],
  ['<!-- never closed', ['<!-- never closed']],
  ['Text <!-- never closed', ['Text <!-- never closed']],
  ['<?php echo "hello"', ['<?php echo "hello"']],
  ['Text <?php echo 1 ?> more', ['Text <?php echo 1 ?> more']],
  ['<![CDATA[ never closed', ['<![CDATA[ never closed']],
  ['Write <![CDATA[characters]]> here', ['Write <![CDATA[characters]]> here']],
  ['<!X one\n\n<x y=" two\n<x y=" <script/> three', ['<!X one', 'two', 'three']],
  ['<!ELEMENT br EMPTY> at the start', ['<!ELEMENT br EMPTY> at the start']],
  ['A Map<String> of Vec<T>', ['A Map<String> of Vec<T>']],
  ['> <script>\n>\n> quoted', ['<script>', 'quoted']],
  ['<div>\n<!-- never closed\nin the block', ['in the block']],
  ['<div title="never closed', ['<div title="never closed']],
  ...(
    'svg title noscript object style textarea select math xmp plaintext noembed noframes head body html form button canvas audio video iframe picture table details div'.split(
      ' ',
    ) as string[]
  ).map((name): [string, string[]] => [`A <${name}> in prose.`, [`A <${name}> in prose.`]]),
  ...'b i a span sup p li font'
    .split(' ')
    .map((name): [string, string[]] => [`Before <${name}>after`, ['Before', 'after']]),
];

for (const [start, shown] of EXAMPLES) {
  test(`the text that follows is shown: ${start.replaceAll('\n', '⏎')}`, async () => {
    const body = `First paragraph.\n\n${start}\n\n${AFTER}`;
    const { html, plainText } = await derive(body);
    for (const text of [...shown, 'First paragraph.', 'Second paragraph.', 'an item', 'last();'])
      assert.ok(plainText.replace(/\s+/g, ' ').includes(text), `${text} is not in: ${plainText}`);
    assert.match(
      html,
      /<p>Second <em>paragraph<\/em>\.<\/p>\s*<ul>\s*<li>an item<\/li>\s*<\/ul>\s*<pre><code class="language-js">/,
    );
    const agents = writeMarkdown(body, { siteOrigin: SITE, title: 'Title' });
    assert.match(agents, /\n\nSecond \*paragraph\*\.\n\n- an item\n\n```js\nlast\(\);\n```\n$/);
    assert.match(renderComment(body, SITE).html, /<p>Second <em>paragraph<\/em>\.<\/p>/);
    const { warnings } = read(withFrontmatter('title: T', body));
    assert.deepEqual(
      warnings.filter(({ code }) => code === 'text_removed'),
      [],
    );
  });
}

test('styles with blank lines in an element, as notebooks export tables, are not shown as text', async () => {
  const rules = ['    .dataframe th {', '        top: 0;', '    }'].join('\n');
  const table = '<table>\n<tr><td>cell</td></tr>\n</table>';
  for (const name of ['style', 'script']) {
    const { plainText } = await derive(
      `<div>\n<${name} scoped>\n${rules}\n\n${rules}\n</${name}>\n${table}\n</div>\n\nText.`,
    );
    assert.equal(plainText.replace(/\s+/g, ' '), 'cell Text.');
  }
});

test('an element that ends in a later block contains the Markdown between its tags', async () => {
  const { html } = await derive(
    '<details>\n<summary>More</summary>\n\n**in**\n\n</details>\n\n<div align="center">\n\n*centre*\n\n</div>\n\n<table>\n<tr><td>\n\n`cell`\n\n</td></tr>\n</table>\n\nEnd <b>bold\n\nstill</b> not.\n',
  );
  assert.match(html, /<details>\s*<summary>More<\/summary>\s*<p><strong>in<\/strong><\/p>\s*<\/details>/);
  assert.match(html, /<div>\s*<p><em>centre<\/em><\/p>\s*<\/div>/);
  assert.match(html, /<td>\s*<p><code>cell<\/code><\/p>\s*<\/td>/);
  assert.match(html, /<p>End <b>bold<\/b><\/p><b>\s*<\/b><p><b>still<\/b> not\.<\/p>/);
});

test('text of blocks that articles do not have is not joined with the text around it', async () => {
  for (const name of 'address article aside center dialog fieldset footer form header hgroup main nav'.split(' ')) {
    const body = `<div><${name}>one</${name}><${name}>two</${name}>three</div>\n`;
    assert.equal((await derive(body)).plainText, 'one\ntwo\nthree', name);
    assert.equal(writeMarkdown(body, { siteOrigin: SITE, title: 'T' }).trim(), 'one\n\ntwo\n\nthree', name);
    assert.equal(convertHtml(body, { base: null }), 'one\n\ntwo\n\nthree', name);
  }
});

test('a script with a comment around another script ends at its end tag', async () => {
  const body = '<script>\n<!-- never <script>\n</script> one\n\ntwo\n';
  assert.equal((await derive(body)).plainText.replace(/\s+/g, ' '), 'one two');
  assert.equal(convertHtml(body, { base: null }), 'one two');
});

test('an unclosed element does not contain the following text', async () => {
  const { html } = await derive('<details>\n<summary>More</summary>\n\nOutside.\n\nA <b>bold line\n\nNot bold.\n');
  assert.match(html, /<\/details>\s*<p>Outside\.<\/p>\s*<p>A <b>bold line<\/b><\/p>\s*<p>Not bold\.<\/p>/);
});

test('a self-closing video becomes a link, and the text after it stays text', async () => {
  const { html } = await derive('<video src="https://a.example/v.mp4" controls />\n\nText\n');
  assert.match(html, /<a href="https:\/\/a\.example\/v\.mp4"[^>]*>Watch the video<\/a>/);
});

test('text within elements that readers do not see is quoted in a warning with its line', () => {
  const { warnings } = read(
    withFrontmatter(
      'title: T',
      'One.\n\n<script>\nlet shown = 1 < 2;\n</script>\n\nUse <script> and *then* </script> here.\n\n<object data="https://a.example/x.pdf"><p>instead &amp; more</p></object>\n\n<iframe src="https://a.example/"></iframe>\n\n<script src="https://a.example/x.js"></script>\n',
    ),
  );
  const removed = warnings.filter(({ code }) => code === 'text_removed');
  assert.deepEqual(
    removed.map(({ line, path }) => [line, path]),
    [
      [7, 'content'],
      [11, 'content'],
      [13, 'content'],
    ],
  );
  assert.match(removed[0]?.message ?? '', /“let shown = 1 < 2;”.*<script>.*backticks/);
  assert.match(removed[1]?.message ?? '', /“and then”/);
  assert.match(removed[2]?.message ?? '', /“instead & more”.*<object>/);
});

test('warnings quote the beginning of long texts, and count texts above the limit', () => {
  const body = `<style>${'a'.repeat(500)}</style>\n\n${'x <svg>word</svg>\n\n'.repeat(100)}`;
  const { warnings } = read(withFrontmatter('title: T', body));
  const removed = warnings.filter(({ code }) => code === 'text_removed');
  assert.equal(removed.length, 21);
  assert.ok(removed.every(({ message }) => message.length < 400));
  assert.match(removed.at(-1)?.message ?? '', /81 more/);
});

test('a tag that is shown as text causes no warning about a removal or a link', () => {
  const { warnings } = read(withFrontmatter('title: T', 'A <script> and an <iframe> in prose.\n'));
  assert.deepEqual(warnings, []);
});
