/** Medium's payload: fields, body, losses and refusals. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { DeliverableArticle } from '../../../article/types.ts';
import { formatArticle } from '../../../destinations/medium/format.ts';
import { medium } from '../../../destinations/medium/index.ts';
import { runs } from '../../support/property-runs.ts';
import { makeArticle } from '../destination-harness.ts';
import { markdownArbitrary } from '../format/markdown-arbitrary.ts';

const CANONICAL = 'https://blog.example.com/post';
const ENDING = `<p><em>Originally published at <a href="${CANONICAL}">${CANONICAL}</a>.</em></p>`;

const format = (changes: Partial<DeliverableArticle>) =>
  formatArticle(makeArticle({ title: 'A title', canonicalUrl: CANONICAL, coverImage: null, ...changes }));

/** The formatted body, without the title before it and the attribution after it. */
function formatBody(body: string): string {
  const { content } = format({ body }).payload;
  assert.ok(content.startsWith('<h1>A title</h1>') && content.endsWith(ENDING), content);
  return content.slice('<h1>A title</h1>'.length, -ENDING.length).trim();
}

const listLosses = (body: string) => format({ body }).losses.map(({ code, line }) => [code, line]);

test('title, subtitle and cover precede the text, and the canonical address follows it', () => {
  const { payload, losses, refusal } = format({
    title: 'Tom & Jerry <3',
    subtitle: 'Sub',
    coverImage: 'https://blog.example.com/c.png?a=1&b=2',
    tags: ['node', 'testing'],
    body: '# Tom & Jerry <3\n\nText.\n',
  });
  assert.deepEqual(payload, {
    title: 'Tom & Jerry <3',
    contentFormat: 'html',
    content: `<h1>Tom &#x26; Jerry &#x3C;3</h1><h4>Sub</h4><figure><img src="https://blog.example.com/c.png?a=1&#x26;b=2"></figure>\n<p>Text.</p>${ENDING}`,
    tags: ['node', 'testing'],
    canonicalUrl: CANONICAL,
    publishStatus: 'public',
  });
  assert.deepEqual([losses, refusal], [[], null]);
  assert.deepEqual(JSON.parse(JSON.stringify(payload)), payload);
});

test('headings are reduced to the two levels of Medium', () => {
  const body = ['# One', '## Two', '### Three', '#### Four', '###### Six'].join('\n\n');
  assert.equal(formatBody(body), '<h3>One</h3>\n<h3>Two</h3>\n<h4>Three</h4>\n<h4>Four</h4>\n<h4>Six</h4>');
  assert.deepEqual(listLosses(body), [['headings_flattened', 7]]);
});

describe('tables', () => {
  test('they become aligned text, which is a loss with its line', () => {
    const body = [
      'Before.',
      '',
      '| Name | Count | 日本 |',
      '|:-----|------:|:----:|',
      '| a `x` [l](https://l.io) | 2 | 語 |',
      '| ![pic](https://a.io/i.png)<br>two | 12345 | |',
    ].join('\n');
    assert.equal(
      formatBody(body),
      [
        '<p>Before.</p>',
        '<pre>Name                 | Count | 日本',
        '---------------------|-------|-----',
        'a x l (https://l.io) |     2 |  語',
        'pic two              | 12345</pre>',
      ].join('\n'),
    );
    assert.deepEqual(listLosses(body), [['table_as_text', 3]]);
  });

  test('a table with a thousand columns, or with very long cells, is limited in size', () => {
    const wide = [Array(1000).fill('x'), Array(1000).fill('-'), ...Array(80).fill(['a'.repeat(200)])];
    const source = wide.map((cells) => `|${cells.join('|')}|`).join('\n');
    assert.ok(formatBody(source).length < 20 * source.length);
    const long = `| a | b |\n|---|---|\n| ${'long '.repeat(20_000)} | x |\n${'| y | z |\n'.repeat(2000)}`;
    assert.ok(formatBody(long).length < 3 * long.length);
  });
});

test('footnotes become numbered notes at the end, without back links', () => {
  const body = 'A[^b] and B[^a], again[^b].\n\n[^a]: First *note*.\n\n[^b]: Second.\n\n    Goes on.\n\nEnd.\n';
  assert.equal(
    formatBody(body).replaceAll('\n', ''),
    '<p>A[1] and B[2], again[1].</p><p>End.</p><hr><h4>Notes</h4><ol><li>Second.<br>Goes on.</li><li>First <em>note</em>.</li></ol>',
  );
  assert.deepEqual(listLosses(body), [['footnotes_flattened', 3]]);
});

test('a note that ends with a quote, a list or code has no back link either', () => {
  for (const note of ['> quoted', '- a\n    - b', '```\n    code\n    ```']) {
    const formatted = formatBody(`See[^1].\n\n[^1]: ${note}\n`);
    assert.doesNotMatch(formatted, /↩|fnref/, formatted);
    assert.match(formatted, /<h4>Notes<\/h4><ol><li>/);
  }
});

test('code is preformatted text: nothing in it is run, linked or lost', () => {
  const code = 'const a = b < c && "{% youtube dQw4w9WgXcQ %}";\n\n\tindented `x`';
  assert.equal(
    formatBody(`\`\`\`js\n${code}\n\`\`\``),
    `<pre>${code.replaceAll('<', '&#x3C;').replaceAll('&&', '&#x26;&#x26;')}</pre>`,
  );
  assert.equal(formatBody('`{% youtube dQw4w9WgXcQ %}`'), '<p><code>{% youtube dQw4w9WgXcQ %}</code></p>');
  assert.equal(formatBody('<pre>one<br>two <b>three</b></pre>'), '<pre>one\ntwo three</pre>');
});

describe('embeds', () => {
  test('a Liquid tag that embeds something becomes a link, and a loss', () => {
    const youtube = 'https://www.youtube.com/watch?v=dQw4w9WgXcQ';
    for (const [body, address] of [
      ['{% embed https://x.io/a?b=1 %}', 'https://x.io/a?b=1'],
      ['{% youtube dQw4w9WgXcQ %}', youtube],
      ['{%- youtube dQw4w9WgXcQ -%}', youtube],
      ['{% link https://dev.to/a/b %}', 'https://dev.to/a/b'],
      ['{% github forem/forem no-readme %}', 'https://github.com/forem/forem'],
    ] as const) {
      assert.equal(formatBody(body), `<p><a href="${address}">${address}</a></p>`, body);
      assert.deepEqual(listLosses(`Text.\n\n${body}`), [['embed_linked', 3]]);
    }
  });

  test('other tags and braces stay text', () => {
    for (const body of [
      '{{ x }}',
      '{% cycle %}',
      '{% youtube %}',
      '{% youtube javascript:alert(1) %}',
      '{% %}',
      '{%',
    ]) {
      assert.equal(formatBody(body), `<p>${body}</p>`);
      assert.deepEqual(listLosses(body), []);
    }
  });

  test('a frame becomes a link to its content', () => {
    assert.match(
      formatBody('<iframe src="https://www.youtube.com/embed/dQw4w9WgXcQ" title="Film"></iframe>'),
      /^<p><a href="https:\/\/www\.youtube\.com\/watch\?v=dQw4w9WgXcQ">Film<\/a><\/p>$/,
    );
  });
});

test('addresses are absolute: links within the page lead to the canonical page, links without an address become text', () => {
  assert.equal(formatBody('[a](#part)'), `<p><a href="${CANONICAL}#part">a</a></p>`);
  assert.equal(formatBody('[m](mailto:a@b.co)'), '<p><a href="mailto:a@b.co">m</a></p>');
  assert.equal(formatBody('[r](other.md) ![alt](img.png) ![d](data:image/png;base64,AAAA)'), '<p>r alt d</p>');
  assert.deepEqual(listLosses('[r](other.md)\n![alt](img.png)'), [
    ['link_dropped', 1],
    ['image_dropped', 2],
  ]);
  assert.equal(formatBody('![a](https://a.io/b.png)'), '<figure><img src="https://a.io/b.png" alt="a"></figure>');
});

test('elements that Medium does not have are replaced by their content', () => {
  assert.equal(formatBody('<div>one</div><div>two <b>x</b></div>'), '<p>one</p><p>two <b>x</b></p>');
  assert.equal(formatBody('- [x] done\n- [ ] open').replaceAll('\n', ''), '<ul><li>☑ done</li><li>☐ open</li></ul>');
  const details = '<details><summary>More</summary>\n\nHidden.\n\n</details>';
  assert.equal(formatBody(details).replaceAll('\n', ''), '<p>More</p><p>Hidden.</p>');
  assert.deepEqual(listLosses(details), [['details_opened', 1]]);
});

test('script in links, images, attributes and elements does not reach Medium (A8)', () => {
  const hostile = [
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    '<img src="javascript:alert(1)">',
    '<a href="java&#x0A;script:alert(1)" onclick="alert(1)">a</a>',
    '[b](javascript:alert(1))',
    '![c](data:image/svg+xml;base64,PHN2Zz4=)',
    '<svg onload=alert(1)><text>x</text></svg>',
    '<details open ontoggle=alert(1)><summary>s</summary>d</details>',
    '<p style="background:url(javascript:alert(1))" class="x" id="y">styled</p>',
    '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
    '</p></body><style>*{}</style><base href="https://evil.example">',
  ];
  for (const body of [...hostile, hostile.join('\n\n'), `| ${hostile.slice(0, 6).join(' | ')} |\n|-|-|-|-|-|-|`]) {
    const { content } = format({ body }).payload;
    assert.doesNotMatch(
      content,
      /<(?:script|style|svg|iframe|base|object)|\son\w+\s*=|(?:href|src)="(?!https:)/i,
      body,
    );
    assert.doesNotMatch(content, /\s(?:style|class|id|srcdoc)=/);
  }
  const { content } = format({
    title: '<script>alert(1)</script>',
    subtitle: '<img src=x onerror=y>',
    body: 'x',
  }).payload;
  assert.doesNotMatch(content, /<script|<img/);
  const cover = format({ coverImage: 'javascript:alert(1)', body: 'x' });
  assert.doesNotMatch(cover.payload.content, /javascript/);
  assert.deepEqual(
    cover.losses.map(({ code }) => code),
    ['cover_dropped'],
  );
});

test('a title over 100 characters is cut for lists, and complete in the text', () => {
  const title = 'word '.repeat(30).trim();
  const { payload, losses } = format({ title, body: 'x' });
  assert.ok(payload.title.length <= 100 && payload.title.endsWith('…'));
  assert.ok(payload.content.startsWith(`<h1>${title}</h1>`));
  assert.deepEqual(
    losses.map(({ code }) => code),
    ['title_cut'],
  );
});

test('three tags of at most 25 characters are sent, the others are losses', () => {
  const { payload, losses } = format({ tags: ['#Node.js', 'a'.repeat(26), 'node.js', 'C#', 'x y', 'z'] });
  assert.deepEqual(payload.tags, ['Node.js', 'C#', 'x y']);
  assert.deepEqual(
    losses.map(({ code, message }) => [code, /25|limit is 3/.exec(message)?.[0]]),
    [
      ['tag_dropped', '25'],
      ['tag_dropped', 'limit is 3'],
    ],
  );
});

test('settings that Medium does not have are losses', () => {
  const { losses } = format({ generateToc: true, commentsEnabled: false, coverImage: 'img/c.png' });
  assert.deepEqual(
    losses.map(({ code, path }) => [code, path]),
    [
      ['cover_dropped', 'cover_image'],
      ['toc_dropped', 'generate_toc'],
      ['comments_open', 'comments_enabled'],
    ],
  );
});

test('an empty text, an empty title or an invalid canonical URL is refused', () => {
  assert.equal(format({ body: ' \n' }).refusal?.code, 'body_empty');
  assert.equal(format({ title: '\u200e' }).refusal?.code, 'title_missing');
  for (const canonicalUrl of ['blog/x', 'javascript:alert(1)', '']) {
    assert.equal(format({ canonicalUrl, body: '[a](#b)' }).refusal?.code, 'canonical_invalid');
  }
});

test('formatting never throws, and one article always results in the same bytes', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: 'binary', maxLength: 200 }), markdownArbitrary), (body) => {
      const article = makeArticle({ body });
      assert.equal(JSON.stringify(formatArticle(article)), JSON.stringify(formatArticle({ ...article })));
    }),
    { numRuns: runs(500) },
  );
});

test('the id of a post is read from its address', () => {
  for (const [url, id] of [
    ['https://medium.com/@ann/a-title-1a2b3c4d5e6f', '1a2b3c4d5e6f'],
    ['https://ann.medium.com/a-title-1a2b3c4d5e6f?source=rss-x------2', '1a2b3c4d5e6f'],
    ['https://blog.example.com/a-title-1a2b3c4d5e/', '1a2b3c4d5e'],
    ['https://medium.com/p/1a2b3c4d5e6f#top', '1a2b3c4d5e6f'],
    ['https://medium.com/@ann', null],
    ['https://medium.com/@ann/about-a-decade', null],
    ['https://blog.example.com/notes-20261122', null],
    ['https://blog.example.com/commit/0123456789abcdef', null],
    ['1a2b3c4d5e6f', null],
    ['', null],
  ] as const) {
    assert.equal(medium.readPostUrl?.(url, 'https://api.medium.com/v1'), id, url);
  }
});
