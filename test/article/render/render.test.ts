import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deriveArticle } from '../../../article/derive.ts';
import { codeColours } from '../../../article/render/code/code-colours.ts';
import { derive, read, SITE, withFrontmatter } from '../support/documents.ts';
import { findDangers } from '../support/walk-html.ts';

test('CommonMark and GFM are rendered: tables, footnotes, task lists, strikethrough, autolinks', async () => {
  const { html } = await derive(
    '| a | b |\n|:--|--:|\n| 1 | ~~2~~ |\n\n- [x] done\n- [ ] open\n\nSee https://a.example and[^n].\n\n[^n]: A note.\n',
  );
  assert.match(html, /<table>.*<th align="left">a<\/th>.*<del>2<\/del>/s);
  assert.match(html, /<li class="task-list-item"><input[^>]*checked[^>]*> done/);
  assert.match(html, /<a href="https:\/\/a\.example" rel="nofollow ugc noopener">/);
  assert.match(html, /<section data-footnotes class="footnotes"><h2[^>]*id="footnote-label"/);
  assert.match(html, /<a href="#user-content-fn-n" id="user-content-fnref-n"/);
  assert.match(html, /<li id="user-content-fn-n">/);
});

test('a checkbox is labelled with its task, and the label is not text of the article', async () => {
  const { html, plainText } = await derive(
    '- [x] done *well*\n  - [ ] and more\n\n| a |\n|---|\n| <input type="checkbox" aria-label="theirs"> |\n',
  );
  assert.match(html, /<input[^>]* aria-label="done well"> done/);
  assert.match(html, /<input[^>]* aria-label="and more"> and more/);
  assert.match(html, /<td><input[^>]* aria-label="☐"><\/td>/);
  assert.doesNotMatch(plainText, /☐/);
});

test('the label of a checkbox has at most 200 characters, across nested elements', async () => {
  const { html } = await derive(
    `- [ ] ${'a'.repeat(150)}*${'b'.repeat(40)}**${'c'.repeat(30)}**${'d'.repeat(30)}* end\n`,
  );
  assert.ok(html.includes(` aria-label="${'a'.repeat(150)}${'b'.repeat(40)}${'c'.repeat(9)}"`), html);
});

test('only lists are left out of the label of a checkbox', async () => {
  const { html } = await derive('- [ ] one <ruby>two</ruby> <s>three</s>\n\n  1. four\n  - five\n');
  assert.match(html, / aria-label="one two three">/);
});

test('figures, details, kbd and pictures are kept; other elements lose their tags but not their text', async () => {
  const { html, plainText } = await derive(
    '<figure><img src="https://a.example/x.png" alt="X" width="10"><figcaption>Cap</figcaption></figure>\n\n<details><summary>More</summary>\n\n**in**\n\n</details>\n\n<kbd>Ctrl</kbd> <blink>old</blink> <noscript>plain</noscript>\n',
  );
  assert.match(html, /<figure><img [^>]*loading="lazy"[^>]*><figcaption>Cap<\/figcaption><\/figure>/);
  assert.match(html, /<details><summary>More<\/summary>\s*<p><strong>in<\/strong><\/p>\s*<\/details>/);
  assert.match(html, /<kbd>Ctrl<\/kbd> old plain/);
  assert.match(plainText, /old plain/);
});

test('outbound links are nofollow ugc noopener; links to the site and fragments are not', async () => {
  const { html } = await derive(
    `[a](https://elsewhere.example/) [b](${SITE}/other) [c](#x) <a href="https://elsewhere.example/" rel="follow" target="_blank">d</a>\n`,
  );
  const links = [...html.matchAll(/<a [^>]*>/g)].map(([link]) => link);
  assert.deepEqual(
    links.map((link) => /rel="nofollow ugc noopener"/.test(link)),
    [true, false, false, true],
  );
  assert.doesNotMatch(html, /target/);
});

test('a scheme is recognised in any case and with surrounding blanks, for links, images and quotations', async () => {
  const { html, outboundReferences } = await derive(
    'See [a](HTTPS://One.example/Path), <Https://two.example/>, HTTP://three.example/x, [m](MailTo:me@x.example), ![i](HTTPS://img.example/I.png), [r].\n\n[r]: HTTP://four.example/\n\n<a href=" HTTPS://five.example/ ">f</a> <q cite="HTTPS://six.example/">g</q>\n',
  );
  for (const address of [
    'href="https://One.example/Path"',
    'href="https://two.example/"',
    'href="http://three.example/x"',
    'href="mailto:me@x.example"',
    'src="https://img.example/I.png"',
    'href="http://four.example/"',
    'href="https://five.example/"',
    'cite="https://six.example/"',
  ])
    assert.ok(html.includes(address), `${address} in ${html}`);
  assert.equal(html.match(/rel="nofollow ugc noopener"/g)?.length, 5);
  assert.equal(outboundReferences.length, 5);
});

test('headings have unique ids from github-slugger, and ids of authors cannot collide with them', async () => {
  const { html, headings } = await derive(
    '## Getting started\n\n## Getting started\n\n### `code` & *more*\n\n## 日本語\n\n## !!!\n\n<h2 id="own">Raw</h2>\n\n<a id="anchor"></a> [to anchor](#anchor) [to heading](#raw) [to own](#own)\n',
  );
  assert.deepEqual(
    headings.map(({ level, text, id }) => [level, text, id]),
    [
      [2, 'Getting started', 'getting-started'],
      [2, 'Getting started', 'getting-started-1'],
      [3, 'code & more', 'code--more'],
      [2, '日本語', '日本語'],
      [2, '!!!', 'section'],
      [2, 'Raw', 'raw'],
    ],
  );
  for (const { id } of headings) assert.ok(html.includes(`id="${id}"`), id);
  assert.match(html, /<a id="user-content-anchor"><\/a> <a href="#user-content-anchor">/);
  assert.match(html, /href="#raw"/);
});

test('a link to an author’s own id on a heading leads to that heading', async () => {
  const { html } = await derive('<h2 id="own">The heading</h2>\n\n[to it](#own)\n');
  assert.match(html, /<h2 id="the-heading">/);
  assert.match(html, /<a href="#the-heading">to it<\/a>/);
});

test('a body that begins with the title does not show it twice', async () => {
  const { html, headings } = await derive('# TITLE\n\nText.\n', 'title: Title');
  assert.equal(html.trim(), '<p>Text.</p>');
  assert.deepEqual(headings, []);
  assert.match((await derive('# Another\n\nText.\n')).html, /<h2 id="another">/);
});

test('only the title has level 1 on the page: if the text has such a heading, all its headings are lowered', async () => {
  const body = '# One\n\n## Two[^n]\n\n<h1>Raw</h1>\n\n> ###### Six\n\n[^n]: Note.\n';
  const { html, headings } = await derive(body);
  assert.deepEqual(
    headings.map(({ level, text }) => [level, text]),
    [
      [2, 'One'],
      [3, 'Two1'],
      [2, 'Raw'],
      [6, 'Six'],
    ],
  );
  assert.doesNotMatch(html, /<h1/);
  assert.match(html, /<h2[^>]* id="footnote-label"/);
  assert.equal(read(withFrontmatter('title: T', body)).draft.body, body, 'the Markdown is the author’s');
  const below = await derive('## Two\n\n### Three\n');
  assert.deepEqual(
    below.headings.map(({ level }) => level),
    [2, 3],
  );
});

test('code is highlighted by classes in known languages and stays plain in all others', async () => {
  const body =
    '```ts\nconst a: string = "x"; // note\n```\n\n```nonsense\nconst a\n```\n\n```\nplain\n```\n\n```html\n<script>alert(1)</script>\n```\n';
  const { draft } = read(withFrontmatter('title: T', body));
  const { html, plainText } = await deriveArticle(draft, { siteOrigin: SITE });
  assert.match(html, /<code class="language-ts"><span class="tok-keyword">const<\/span>/);
  assert.match(html, /<code class="language-nonsense">const a\n<\/code>/);
  assert.doesNotMatch(html, /style=/);
  assert.deepEqual(findDangers(html), []);
  assert.match(plainText, /const a: string = "x"; \/\/ note/);
  assert.match(plainText, /<script>alert\(1\)<\/script>/);
  for (const [, kind] of html.matchAll(/class="(tok-[a-z-]+)"/g)) assert.ok(codeColours.includes(`.${kind}{`), kind);
  assert.equal(plainText, (await deriveArticle(draft, { siteOrigin: SITE, highlight: false })).plainText);
});

test('outbound references are absolute, unique, in order, and on other sites', async () => {
  const { outboundReferences } = await derive(
    `[a](https://one.example/x) [b](https://two.example) [c](https://one.example/x) [d](${SITE}/own) [e](#f) [g](mailto:a@b.example) ![h](https://img.example/i.png)\n`,
  );
  assert.deepEqual(outboundReferences, ['https://one.example/x', 'https://two.example/']);
});

test('the content hash is the SHA-256 of the plain text, whatever the line ends, frontmatter and formatting', async () => {
  const one = await derive('Some *text*.\n\n- a\n- b\n', 'title: T\ntags: [a]');
  const two = await derive('Some **text**.\r\n\r\n* a\r\n* b\r\n', 'tags: [b, c]\ntitle: T\nlayout: x');
  assert.match(one.contentHash, /^sha256:[0-9a-f]{64}$/);
  assert.equal(one.contentHash, two.contentHash);
  assert.notEqual(one.contentHash, (await derive('Other text.')).contentHash);
});

test('plain text has blocks on separate lines and no footnote arrows', async () => {
  const { plainText } = await derive(
    '## Head\n\nOne *two*\nthree[^1].\n\n- a\n- b\n\n```\nx  y\n  z\n```\n\n[^1]: Note.\n',
  );
  assert.equal(plainText, 'Head\n\nOne two three1.\n\na\nb\nx  y\n  z\n\nNote.');
});
