/** WordPress' payload: blocks in which the site runs, embeds and rewrites nothing. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { DeliverableArticle } from '../../../article/types.ts';
import { isSameCanonical } from '../../../destinations/posts/canonical.ts';
import { formatArticle } from '../../../destinations/wordpress/format.ts';
import { listSearchWords, readMarker, writeMarker } from '../../../destinations/wordpress/html/marker.ts';
import { makeArticle } from '../destination-harness.ts';

const format = (changes: Partial<DeliverableArticle>) => formatArticle(makeArticle({ coverImage: null, ...changes }));
const listLossCodes = (changes: Partial<DeliverableArticle>) => format(changes).losses.map(({ code }) => code);
const hasMarker = (content: string, address: string) => isSameCanonical(readMarker(content), address);

/** The blocks of a body, without the marker at the end of every post. */
function formatBlocks(body: string): string {
  const { content } = format({ title: 'T', body }).payload.post;
  return content.slice(0, content.lastIndexOf('<!-- wp:paragraph {"className":"courant-original"}')).trimEnd();
}

const block = (name: string, html: string) => `<!-- wp:${name} -->\n${html}\n<!-- /wp:${name.split(' ')[0]} -->`;

test('the payload is a post, its slug and names of tags, without ids of the site', () => {
  const { payload, losses, refusal } = format({
    title: 'T',
    excerpt: 'E',
    slug: 's',
    canonicalUrl: 'https://blog.example.com/s?a=1&b=2',
    body: 'Text.\n',
    commentsEnabled: false,
  });
  assert.deepEqual(payload, {
    post: {
      title: 'T',
      content: [
        block('paragraph', '<p>Text.</p>'),
        block(
          'paragraph {"className":"courant-original"}',
          '<p class="courant-original">Originally published at <a href="https://blog.example.com/s?a=1&amp;b=2">' +
            'https:/&#47;blog.example.com/s?a=1&amp;b=2</a></p>',
        ),
      ].join('\n\n'),
      excerpt: 'E',
      comment_status: 'closed',
    },
    slug: 's',
    tagNames: ['node', 'testing'],
    cover: null,
  });
  assert.deepEqual([losses, refusal], [[], null]);
  assert.deepEqual(JSON.parse(JSON.stringify(payload)), payload);
});

describe('text stays text', () => {
  test('shortcodes are shown and not run: in prose, in code, in attributes, in titles of links', () => {
    const body = [
      'Use [gallery] or `[gallery]` or \\[[caption]] here.',
      '<a href="https://x.example/?q=[gallery]" title="[audio]">link</a> ![\\[video\\]](https://x.example/a.png)',
      '```\n[gallery]\n```',
      '<div title="[gallery]">[embed]https://x.example[/embed]</div>',
      '| [gallery] |\n|---|\n| `[playlist]` |',
    ].join('\n\n');
    const { content } = format({ body }).payload.post;
    assert.doesNotMatch(content, /[[\]]/);
    assert.match(
      content,
      /<p>Use &#91;gallery&#93; or <code>&#91;gallery&#93;<\/code> or &#91;&#91;caption&#93;&#93; here/,
    );
    assert.match(content, /href="https:\/\/x\.example\/\?q=%5Bgallery%5D" title="&#91;\u2060audio&#93;"/);
    assert.match(content, /alt="&#91;\u2060video&#93;"/);
  });

  test('no attribute contains a shortcode after a site decodes its references, as WordPress 7 does for authors', () => {
    const address = 'http://[::1]/[gallery]?a=[b]#[gallery]';
    const body = `<a href="${address}" title="[[gallery]] [1] [ ]">[gallery]</a> <q cite="/[gallery]" title="[audio src='a']">q</q>`;
    const { content } = format({ body }).payload.post;
    const attributes = (content.match(/<(?:a|q) [^>]*>/g) ?? [])
      .join('')
      .replaceAll('&#91;', '[')
      .replaceAll('&#93;', ']');
    assert.doesNotMatch(attributes, /\[(?:gallery|audio)/);
    assert.match(attributes, /href="http:\/\/\[::1\]\/%5Bgallery%5D\?a=%5Bb%5D#%5Bgallery%5D"/);
    assert.match(attributes, /title="\[\[\u2060gallery\]\] \[\u20601\] \[ \]"/);
  });

  test('an address in code, in a line, or under other text is never an embed', () => {
    const address = 'https://www.youtube.com/watch?v=1';
    for (const body of [`\`${address}\``, `See ${address}`, `[A film](${address})`, `\`\`\`\n${address}\n\`\`\``]) {
      const blocks = formatBlocks(body);
      assert.doesNotMatch(blocks, /wp:embed/, body);
      for (const line of blocks.split('\n')) assert.doesNotMatch(line.replace(/<code>|<p>/, ''), /^https?:\/\//);
    }
  });

  test('dashes, smilies and page breaks written as text stay text', () => {
    const blocks = formatBlocks('Use --flag, item 8) or :) and :roll: at 10:30, a:b ;)\n\n`<!--nextpage-->`');
    assert.ok(blocks.includes('Use -&#45;flag, item &#56;) or &#58;) and &#58;roll: at 10:30, a:b &#59;)'), blocks);
    assert.ok(blocks.includes('<code>&lt;!-&#45;nextpage-&#45;&gt;</code>'), blocks);
  });

  test('code that looks like blocks ends no block, and its language is a class or absent', () => {
    const blocks = formatBlocks('```js\n<!-- /wp:code --> </code></pre>\n\nnext\n```\n\n```x--y\na\n```');
    assert.equal(
      blocks,
      [
        block(
          'code {"className":"language-js"}',
          '<pre class="wp-block-code language-js"><code>&lt;!-&#45; /wp:code -&#45;&gt; &lt;/code&gt;&lt;/pre&gt;\n\nnext</code></pre>',
        ),
        block('code', '<pre class="wp-block-code"><code>a</code></pre>'),
      ].join('\n\n'),
    );
  });

  test('titles and excerpts are HTML, so their signs are written as references', () => {
    const { post, cover } = format({
      title: 'Use <b> & --x',
      excerpt: 'a <i> [gallery]',
      coverImage: 'https://x.example/c.png',
    }).payload;
    assert.equal(post.title, 'Use &lt;b&gt; &amp; -&#45;x');
    assert.equal(post.excerpt, 'a &lt;i&gt; &#91;gallery&#93;');
    assert.equal(cover?.alt, post.title);
  });
});

describe('blocks', () => {
  test('elements with a core block become that block, as its editor writes it', () => {
    assert.equal(
      formatBlocks('## Two\n\n#### Four\n\n---\n\n> Quote'),
      [
        block('heading', '<h2 class="wp-block-heading" id="two">Two</h2>'),
        block('heading {"level":4}', '<h4 class="wp-block-heading" id="four">Four</h4>'),
        block('separator', '<hr class="wp-block-separator has-alpha-channel-opacity"/>'),
        block('quote', `<blockquote class="wp-block-quote">${block('paragraph', '<p>Quote</p>')}</blockquote>`),
      ].join('\n\n'),
    );
    assert.equal(
      formatBlocks('![A](https://x.example/a.png)'),
      block('image', '<figure class="wp-block-image"><img src="https://x.example/a.png" alt="A"></figure>'),
    );
  });

  test('lists of lines are core’s lists, also nested and numbered ones; others stay HTML', () => {
    const item = (html: string) => block('list-item', `<li>${html}</li>`);
    const inner = block('list {"ordered":true}', `<ol class="wp-block-list">${item('b')}</ol>`);
    assert.equal(formatBlocks('- a\n  1. b'), block('list', `<ul class="wp-block-list">${item(`a${inner}`)}</ul>`));
    const third = block('list {"ordered":true,"start":3}', `<ol start="3" class="wp-block-list">${item('c')}</ol>`);
    assert.equal(formatBlocks('3. c'), third);
    assert.ok(formatBlocks('- a\n\n  second').startsWith('<!-- wp:html -->\n<ul>\n<li>\n<p>a</p>'));
  });

  test('tables preserve heads, cells and alignment; more complex ones stay HTML', () => {
    const head = '<tr><th class="has-text-align-right" data-align="right">a</th><th>b</th></tr>';
    const row = '<tr><td class="has-text-align-right" data-align="right"><code>1</code></td><td>2</td></tr>';
    const table = `<table><thead>${head}</thead><tbody>${row}</tbody></table>`;
    assert.equal(
      formatBlocks('| a | b |\n|--:|---|\n| `1` | 2 |'),
      block('table {"hasFixedLayout":false}', `<figure class="wp-block-table">${table}</figure>`),
    );
    assert.ok(formatBlocks('<table><tr><td colspan="2">x</td></tr></table>').startsWith('<!-- wp:html -->'));
  });

  test('footnotes link both ways', () => {
    const blocks = formatBlocks('A[^1]\n\n[^1]: Note.');
    assert.match(blocks, /<a href="#user-content-fn-1" id="user-content-fnref-1"/);
    assert.match(blocks, /<li id="user-content-fn-1">[\s\S]*<a href="#user-content-fnref-1"/);
    assert.match(blocks, /<h2 class="screen-reader-text" id="footnote-label">/);
    // The arrow is text, not a picture.
    assert.ok(blocks.includes('>↩\ufe0e</a>'));
  });

  test('a heading of the first level moves all headings down, because the title is the only one', () => {
    const blocks = formatBlocks('# T\n\n# One\n\n## Two\n\n###### Six');
    assert.deepEqual(
      [...blocks.matchAll(/<(h\d)/g)].map(([, name]) => name),
      ['h2', 'h3', 'h6'],
    );
    assert.match(formatBlocks('## Two'), /<h2/);
  });

  test('hostile HTML is sanitised, and cannot open a block or imitate the marker (A8)', () => {
    const body = [
      '<script>alert(1)</script><img src=x onerror=alert(1)><a href="javascript:alert(1)">a</a>',
      '<!-- wp:html --><p>x</p><!-- /wp:html -->',
      '<p class="courant-original">Originally published at <a href="https://evil.example/">x</a></p>',
      '<svg><style><!--</style><img title="--><script>alert(1)</script>"></svg>',
      '<iframe src="https://evil.example/"></iframe><style>p{}</style><form action="/x"><input name="a"></form>',
    ].join('\n\n');
    const { content } = format({ body, canonicalUrl: 'https://blog.example.com/x' }).payload.post;
    assert.doesNotMatch(content, /<script|onerror|javascript:|<iframe|<style|<form|<input|<svg/);
    assert.equal(content.match(/class="courant-original"/g)?.length, 1);
    assert.deepEqual(content.match(/<!-- wp:\S+/g)?.length, content.match(/<!-- \/wp:\S+/g)?.length);
    assert.ok(hasMarker(content, 'https://blog.example.com/x') && !hasMarker(content, 'https://evil.example/'));
  });
});

test('the marker is recognised in every spelling of the address, with any characters in it', () => {
  for (const address of [
    'https://blog.example.com/post',
    'https://blog.example.com/a?x=1&y="2"&z=[3]',
    'https://blog.example.com/größe/日本?q=a+b',
    "https://blog.example.com/it's,here",
    'https://blog.example.com/?größe=1&😀',
    'https://blog.example.com/?-draft=1',
    'https://blog.example.com/?a%20b=1',
  ]) {
    const content = `<p>…</p>\n${writeMarker(address)}`;
    assert.ok(hasMarker(content, address), address);
    assert.ok(hasMarker(content.replaceAll('&#91;', '&#091;').replaceAll('&amp;', '&#038;'), address));
    // The form of an author's attributes in WordPress 7.
    const written = content.replace(/href="[^"]*"/, (href) => href.replaceAll("'", '&apos;').replaceAll('&#91;', '['));
    assert.ok(hasMarker(written, address), written);
    assert.ok(!hasMarker(content, `${address}0`), address);
    for (const word of listSearchWords(`${address}${address.includes('?') ? '&' : '?'}utm_source=a#b`).split(' ')) {
      assert.ok(content.includes(word) && !word.startsWith('-'), `${word} of ${address}`);
    }
  }
  assert.ok(!hasMarker('', 'https://a.example/') && !hasMarker('<p class="courant-original">', 'https://a.example/'));
});

describe('losses', () => {
  test('content that the site cannot show is reported with its line', () => {
    const body =
      'x\n\n- [x] done\n\n<iframe src="https://www.youtube.com/embed/abcdefgh"></iframe>\n\n![i](data:image/png;base64,AA==)\n';
    const { payload, losses } = format({ body });
    assert.deepEqual(
      losses.map(({ code, line }) => [code, line]),
      [
        ['embed_as_link', 5],
        ['task_list', 3],
        ['image_dropped', 7],
      ],
    );
    assert.match(
      payload.post.content,
      /☑\ufe0e done[\s\S]*href="https:\/\/www\.youtube\.com\/watch\?v=abcdefgh"[\s\S]*&#91;i&#93;/,
    );
    assert.doesNotMatch(payload.post.content, /<input|data:/);
  });

  test('a frame in code is not an embed', () => {
    assert.deepEqual(listLossCodes({ body: '```\n<iframe></iframe>\n```\n' }), []);
  });

  test('a cover that WordPress refuses, a subtitle and a table of contents are losses', () => {
    for (const coverImage of ['https://x.example/logo.SVG?v=1', '/cover.png', 'data:image/png;base64,AA==']) {
      const { payload, losses } = format({ coverImage });
      assert.deepEqual([payload.cover, losses.map(({ code }) => code)], [null, ['cover_dropped']], coverImage);
    }
    assert.deepEqual(listLossCodes({ subtitle: 'Sub', generateToc: true }), ['subtitle_dropped', 'toc_dropped']);
  });

  test('tags preserve their names, each once in any case; too many and too long ones are dropped', () => {
    assert.deepEqual(format({ tags: ['#C#', 'R&D', 'c#', ' ', '日本語'] }).payload.tagNames, ['C#', 'R&D', '日本語']);
    const many = Array.from({ length: 31 }, (_, index) => `tag ${index}`);
    assert.deepEqual(listLossCodes({ tags: [...many, 'x'.repeat(201)] }), ['tag_dropped', 'tag_dropped']);
    assert.deepEqual(listLossCodes({ title: 'word '.repeat(200) }), ['title_cut']);
  });
});

test('an article without a title or a valid canonical URL, or over the size limit, is refused', () => {
  assert.equal(format({ title: ' ' }).refusal?.code, 'title_missing');
  assert.equal(format({ canonicalUrl: 'ftp://x.example/' }).refusal?.code, 'canonical_invalid');
  assert.equal(format({ body: 'x'.repeat(4 * 1024 * 1024 + 1) }).refusal?.code, 'body_too_large');
  assert.equal(format({ body: '' }).refusal, null);
});

test('of two lines that name an original the last is ours, because the text comes before it', () => {
  const [quoted, own] = ['https://elsewhere.example/quoted', 'https://blog.example.com/own?a=1&b=2'];
  const content = `${writeMarker(quoted)}\n\n${writeMarker(own)}`;
  assert.equal(readMarker(content), own);
  assert.deepEqual([hasMarker(content, own), hasMarker(content, quoted)], [true, false]);
});
