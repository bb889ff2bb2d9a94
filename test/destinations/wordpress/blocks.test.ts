/** Images, embeds and alerts as core's own blocks. Content that shows nothing becomes no block. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { formatArticle } from '../../../destinations/wordpress/format.ts';
import { makeArticle } from '../destination-harness.ts';

const format = (body: string) => formatArticle(makeArticle({ coverImage: null, title: 'T', body }));
const losses = (body: string) => format(body).losses.map(({ code, line }) => [code, line]);

/** The blocks of a body, without the marker at the end of every post. */
function formatBlocks(body: string): string {
  const { content } = format(body).payload.post;
  return content.slice(0, content.lastIndexOf('<!-- wp:paragraph {"className":"courant-original"}')).trimEnd();
}

const block = (name: string, html: string) => `<!-- wp:${name} -->\n${html}\n<!-- /wp:${name.split(' ')[0]} -->`;
const figure = (inner: string, classes = '') => `<figure class="wp-block-image${classes}">${inner}</figure>`;
const IMG = '<img src="https://x.example/a.png" alt="A">';

describe('images', () => {
  test('a single image, with attributes that core’s editor supports, is an image block', () => {
    for (const [body, sent] of [
      ['![A](https://x.example/a.png)', block('image', figure(IMG))],
      ['![A](https://x.example/a.png "Ti")', block('image', figure(IMG.replace('>', ' title="Ti">')))],
      ['<img src="https://x.example/a.png" alt="A">', block('image', figure(IMG))],
      ['<div align="center"><img src="https://x.example/a.png" alt="A"></div>', block('image', figure(IMG))],
      [
        '[![A](https://x.example/a.png)](https://x.example/?a=1&b--c)',
        block('image {"linkDestination":"custom"}', figure(`<a href="https://x.example/?a=1&#x26;b--c">${IMG}</a>`)),
      ],
      [
        '<img src="https://x.example/a.png" alt="A" width="300" height="200" align="left">',
        block(
          'image {"width":"300px","height":"200px","align":"left"}',
          figure(IMG.replace('>', ' style="width:300px;height:200px">'), ' alignleft is-resized'),
        ),
      ],
    ] as const) {
      assert.equal(formatBlocks(body).replaceAll('&amp;', '&#x26;'), sent);
    }
  });

  test('several images with nothing between them are a block each', () => {
    const both = block('image', figure(IMG));
    assert.equal(formatBlocks('![A](https://x.example/a.png)\n![A](https://x.example/a.png)'), `${both}\n\n${both}`);
  });

  test('a figure with a caption is an image block with a caption, including its Markdown', () => {
    const sent = block('image', figure(`${IMG}<figcaption class="wp-element-caption">A <em>word</em></figcaption>`));
    assert.equal(
      formatBlocks(
        '<figure><img src="https://x.example/a.png" alt="A"><figcaption>A <em>word</em></figcaption></figure>',
      ),
      sent,
    );
    assert.equal(
      formatBlocks('<figure>\n\n![A](https://x.example/a.png)\n\n<figcaption>\n\nA *word*\n\n</figcaption>\n</figure>'),
      sent,
    );
  });

  test('an image in a line of text stays in its paragraph, and images without a core block stay HTML', () => {
    assert.match(formatBlocks('Words ![A](https://x.example/a.png)'), /^<!-- wp:paragraph -->\n<p>Words <img/);
    for (const body of [
      '<figure><img src="https://x.example/a.png" alt="A"><img src="https://x.example/b.png" alt="B"></figure>',
      '<figure><figcaption>Above</figcaption><img src="https://x.example/a.png" alt="A"></figure>',
      '<figure><pre><code>x</code></pre><figcaption>Code</figcaption></figure>',
    ])
      assert.match(formatBlocks(body), /^<!-- wp:html -->\n<figure>/, body);
  });
});

describe('addresses alone in a paragraph', () => {
  const embed = (address: string) =>
    block(
      `embed {"url":"${address.replaceAll('&', '\\u0026').replaceAll('--', '\\u002d\\u002d')}"}`,
      `<figure class="wp-block-embed"><div class="wp-block-embed__wrapper">\n${address.replaceAll('&', '&amp;')}\n</div></figure>`,
    );

  const EMBEDDED = [
    'https://www.youtube.com/watch?v=dQw4w9--gXcQ&t=30s',
    'https://m.youtube.com/playlist?list=PL1',
    'https://youtu.be/dQw4w9WgXcQ',
    'https://vimeo.com/193110695',
    'https://www.dailymotion.com/video/x1',
    'https://dai.ly/x1',
    'https://www.flickr.com/photos/ann/1',
    'https://flic.kr/p/1',
    'https://soundcloud.com/ann/song',
    'https://open.spotify.com/track/5V4XZWqZQJvbddd31n56mf',
    'https://speakerdeck.com/ann/talk',
    'https://www.ted.com/talks/ann_on_tests',
    'https://www.mixcloud.com/ann/mix/',
    'https://www.tiktok.com/@ann/video/1',
    'https://www.reddit.com/r/test/comments/1/title/',
    'https://twitter.com/ann/status/1',
    'https://wordpress.tv/2026/01/01/talk/',
  ];

  test('an address that every site can embed becomes an embed block', () => {
    for (const address of EMBEDDED) {
      assert.equal(
        formatBlocks(`Before.\n\n${address}\n\nAfter.`).split('\n\n').slice(1, -1).join('\n\n'),
        embed(address),
      );
      assert.equal(formatBlocks(`<${address}>`), embed(address));
      assert.equal(formatBlocks(`%[${address}]`), embed(address));
    }
    assert.deepEqual(losses('https://youtu.be/dQw4w9WgXcQ'), []);
  });

  test('any other address stays a link, because the site would show it as text', () => {
    for (const address of ['https://example.com/a', 'https://www.youtube.com/@ann', 'https://evil.example/vimeo.com/1'])
      assert.equal(
        formatBlocks(address),
        block('paragraph', `<p><a href="${address}">${address.replace('://', ':/&#47;')}</a></p>`),
      );
    for (const address of EMBEDDED)
      assert.doesNotMatch(formatBlocks(`https://elsewhere.example/${address.slice('https://'.length)}`), /wp:embed/);
  });

  test('a Liquid tag becomes its embed if the site can show it, else a link, which is reported', () => {
    assert.equal(formatBlocks('{% youtube dQw4w9WgXcQ %}'), embed('https://www.youtube.com/watch?v=dQw4w9WgXcQ'));
    assert.equal(formatBlocks('{% embed https://youtu.be/dQw4w9WgXcQ %}'), embed('https://youtu.be/dQw4w9WgXcQ'));
    assert.deepEqual(losses('a\n\n{% youtube dQw4w9WgXcQ %}\n'), []);
    assert.match(formatBlocks('a\n\n{% github ann/repo %}\n'), /<p><a href="https:\/\/github\.com\/ann\/repo">/);
    assert.deepEqual(losses('a\n\n{% github ann/repo %}\n'), [['embed_as_link', 3]]);
    assert.deepEqual(losses('a\n\nsee {% youtube dQw4w9WgXcQ %}\n'), [['embed_as_link', 3]]);
    assert.doesNotMatch(formatBlocks('`{% youtube dQw4w9WgXcQ %}`'), /href/);
  });
});

test('content that shows nothing becomes no block, but link targets are preserved', () => {
  for (const body of [
    '<p></p>',
    '<p>&nbsp;</p>\n\n<div><p> </p></div>',
    '##\n\n-\n\n>\n',
    '![](data:image/png;base64,AA==)',
    '<!-- more -->\n\n<span></span>',
    '{{< toc >}}\n\n%%a comment%%',
    '| |\n|-|\n',
    '```\n```',
    '<ul></ul>\n\n<blockquote></blockquote>\n\n<figure></figure>',
  ])
    assert.equal(formatBlocks(body), '', body);
  assert.match(formatBlocks('[x](#part)\n\n<a id="part"></a>\n'), /id="user-content-part"/);
});

test('an alert is a quote of its kind', () => {
  assert.equal(
    formatBlocks('> [!TIP]\n> Words.'),
    block(
      'quote {"className":"alert-tip"}',
      `<blockquote class="wp-block-quote alert-tip">${block('paragraph', '<p><strong>Tip</strong></p>')}\n\n${block('paragraph', '<p>Words.</p>')}</blockquote>`,
    ),
  );
});

test('formulas are code, and this is reported once', () => {
  const body = 'a\n\nSo $x_1$ and $y_1$.\n\n$$\nx^2\n$$\n';
  assert.deepEqual(losses(body), [['math_as_code', 3]]);
  assert.match(formatBlocks(body), /<code class="language-math">x_1<\/code>[\s\S]*<code>x\^2<\/code><\/pre>/);
});
