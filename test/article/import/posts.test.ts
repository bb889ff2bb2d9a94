/** Tests the document that a post becomes, field by field, and the pictures of a text. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TooComplexError } from '../../../article/errors.ts';
import { convertPost } from '../../../article/import/convert-post.ts';
import { findImages, replaceDocumentImages, replaceImages } from '../../../article/import/post-images.ts';
import type { SourceBody, SourcePost } from '../../../article/import/source-post.ts';
import { read, withFrontmatter } from '../support/documents.ts';

const BODY: SourceBody = { format: 'markdown', text: 'Text.', base: null, isExcerpt: false };
const POST: SourcePost = {
  ...{ remoteId: '1', url: 'https://a.example/1', title: 'One', subtitle: null, excerpt: null, tags: [] },
  ...{ slug: null, canonicalUrl: null, coverImage: null, series: null, language: null, publishedAt: null },
  ...{ updatedAt: null, body: BODY },
};
const convert = (parts: Partial<SourcePost> = {}, body: Partial<SourceBody> = {}) =>
  convertPost({ ...POST, ...parts, body: { ...BODY, ...body } }, { isDraft: false });
/** The value of a field of the document. */
const readField = ({ document }: { document: string }, name: string) =>
  new RegExp(`^${name}: "(.*)"$`, 'm').exec(document)?.[1] ?? null;

test('a post becomes a document with its fields', () => {
  const post = {
    ...POST,
    ...{ title: 'A\ntitle', subtitle: 'Sub', excerpt: 'Ex', tags: ['#a', ' b ', 'a', ''], slug: 'My_slug' },
    ...{
      canonicalUrl: 'https://c.example/1',
      coverImage: ' https://i.example/ä.png ',
      series: 'Row',
      language: 'de-AT',
    },
    body: { ...BODY, text: '\nText.\n\n', isExcerpt: true },
  };
  assert.deepEqual(convertPost(post, { isDraft: true }), {
    document: `---
title: "A title"
subtitle: "Sub"
excerpt: "Ex"
tags:
  - "a"
  - "b"
canonical_url: "https://c.example/1"
cover_image: "https://i.example/%C3%A4.png"
lang: "de-AT"
series_id: "Row"
status: "DRAFT"
---

Text.
`,
    canonicalUrl: 'https://c.example/1',
    slug: 'my_slug',
    warnings: [
      {
        ...{ code: 'excerpt_only', path: 'content' },
        message: 'The source contains only the beginning of this post. Publish the full text.',
      },
    ],
    images: [],
  });
  assert.deepEqual(convert(), {
    ...{ document: '---\ntitle: "One"\ncanonical_url: "https://a.example/1"\n---\n\nText.\n' },
    ...{ canonicalUrl: 'https://a.example/1', slug: null, warnings: [], images: [] },
  });
});

test('texts, tags and series of a post are cut at their limits', () => {
  for (const [name, field, limit] of [
    ['title', 'title', 300],
    ['subtitle', 'subtitle', 1_000],
    ['excerpt', 'excerpt', 5_000],
    ['series', 'series_id', 200],
  ] as const) {
    assert.equal(readField(convert({ [name]: 'x'.repeat(limit) }), field), 'x'.repeat(limit));
    assert.equal(readField(convert({ [name]: 'x'.repeat(limit + 1) }), field), `${'x'.repeat(limit - 1)}…`);
  }
  const { document } = convert({ tags: ['x'.repeat(101), ...Array.from({ length: 50 }, (_, index) => `t${index}`)] });
  assert.ok(document.includes(`- "${'x'.repeat(99)}…"\n`));
  assert.ok(document.includes('- "t48"') && !document.includes('- "t49"'));
});

test('a language that is no language tag is left out', () => {
  for (const [language, shown] of [
    ['de', 'de'],
    ['yue-Hant-HK', 'yue-Hant-HK'],
    ['de-12345678', 'de-12345678'],
    ['d', null],
    ['deut', null],
    ['de-', null],
    ['de-123456789', null],
    ['xx de', null],
    ['de_AT', null],
    ['de!', null],
  ] as const)
    assert.equal(readField(convert({ language }), 'lang'), shown, language);
});

test('a post without a title is titled with its first words', () => {
  const title = (text: string, body: Partial<SourceBody> = {}) =>
    readField(convert({ title: ' ' }, { text, ...body }), 'title');
  assert.equal(title(''), 'Untitled');
  assert.equal(title('x'.repeat(80)), 'x'.repeat(80));
  assert.equal(title('x'.repeat(81)), `${'x'.repeat(40)}…`);
  assert.equal(title(`${'word '.repeat(15)}abcdef`), `${'word '.repeat(14)}word…`);
  assert.equal(title('<p>A <b>b</b></p>', { format: 'html' }), 'A b');
  assert.equal(title('---\ntitle: T\nseries: S\n---\n\nText.'), 'Text.');
});

test('a slug that is no name gives a warning with the slug', () => {
  const message = (slug: string) =>
    `The slug "${slug}" of the source is not valid for an article; the slug is derived from the title instead.`;
  for (const slug of ['a/b', 'a\\b', 'a%2Fb', 'a%5cb', '..', '.', '!!!']) {
    const { slug: read, warnings } = convert({ slug });
    assert.deepEqual([read, warnings], [null, [{ code: 'slug_ignored', path: 'slug', message: message(slug) }]], slug);
  }
  const [long] = convert({ slug: `/${'x'.repeat(60)}` }).warnings;
  assert.equal(long?.message, message(`/${'x'.repeat(58)}…`));
  assert.equal(convert({ slug: ' ' }).warnings[0]?.message, message(''));
  assert.deepEqual([convert({ slug: '.net' }).slug, convert({ slug: 'a' }).warnings], ['net', []]);
});

test('a cover that is no web address gives a warning with the address', () => {
  const { document, warnings } = convert({ coverImage: 'file:///etc/passwd' });
  assert.doesNotMatch(document, /cover_image/);
  assert.deepEqual(warnings, [
    {
      ...{ code: 'cover_ignored', path: 'cover_image' },
      message: 'The cover "file:///etc/passwd" of the source is not a web address and is left out.',
    },
  ]);
  assert.deepEqual(convert({ coverImage: 'xhttp://a.example/' }).warnings.length, 1);
  assert.deepEqual(convert({ coverImage: ' ' }).warnings, []);
  assert.equal(readField(convert({ coverImage: 'http://a.example/b' }), 'cover_image'), 'http://a.example/b');
});

test('frontmatter in a Markdown text is removed, and gives the series', () => {
  const series = (value: string) =>
    readField(convert({}, { text: `---\nseries: ${value}\n---\n\nText.` }), 'series_id');
  assert.deepEqual([series('A row'), series('null'), series('" "'), series('[a]')], ['A row', null, null, null]);
  const own = convert({ series: 'Own' }, { text: '---\nseries: Other\n---\n\nText.' });
  assert.equal(readField(own, 'series_id'), 'Own');
  assert.ok(convert({}, { text: '---\n\nText.\u0007' }).document.endsWith('---\n\n---\n\nText.\n'));
});

test('plain text has its paragraphs and line breaks, and no markup', () => {
  const { document } = convert({}, { format: 'text', text: 'a < b &amp; *c*\r\nd\n\n\ne' });
  assert.ok(document.endsWith('---\n\na < b \\&amp; \\*c\\*\\\nd\n\ne\n'), document);
});

test('a text that is nested too deeply is rejected', () => {
  assert.throws(
    () => convert({}, { format: 'html', text: '<div>'.repeat(50_000) }),
    new TooComplexError('The text is nested too deeply to be converted.'),
  );
});

const NOTE = '<p>Originally published at <a href="https://o.example/x">o.example</a> on May 1.</p>';
const convertMedium = (text: string) => convert({}, { format: 'medium', text });

test('the start and end of a Medium story give subtitle, cover and original address', () => {
  const story = convertMedium(
    `<h4>The\n subtitle</h4><figure><img src="https://i.example/1"><figcaption>By me</figcaption></figure><h3>Part</h3><h4>Detail</h4><p>Text.</p><hr>${NOTE}<img src="https://medium.com/_/stat?x">`,
  );
  assert.equal(
    story.document,
    `---
title: "One"
subtitle: "The subtitle"
canonical_url: "https://o.example/x"
cover_image: "https://i.example/1"
---

*By me*

## Part

### Detail

Text.
`,
  );
  const body = (html: string) => convertMedium(html).document.split('---\n\n')[1];
  assert.equal(body('<p>Text.</p><hr><p><a href="x">T</a> was originally published in <a>P</a></p>'), 'Text.\n');
  assert.equal(
    body('<p>It was originally published in May.</p><p>Text.</p>'),
    'It was originally published in May.\n\nText.\n',
  );
  assert.equal(body('<p>Text.</p><p>Originally published on <a href="/x">a path</a></p>')?.includes('a path'), true);
});

test('a text that only resembles the start or end of a Medium story stays', () => {
  for (const [html, field] of [
    ['<p>First.</p><h4>Later</h4>', 'subtitle'],
    ['<h4> </h4><p>T</p>', 'subtitle'],
    [`<h4>${'x'.repeat(301)}</h4>`, 'subtitle'],
    ['<p>First.</p><figure><img src="https://i.example/1"></figure>', 'cover_image'],
    ['<figure><p>No picture</p></figure>', 'cover_image'],
  ] as const)
    assert.equal(readField(convertMedium(html), field), null, html);
  assert.equal(readField(convertMedium(`<h4>${'x'.repeat(300)}</h4>`), 'subtitle'), 'x'.repeat(300));
  for (const html of [
    `${NOTE}<p>Text.</p>`,
    NOTE.replace('Originally', 'Not originally'),
    NOTE.replaceAll('p>', 'h3>'),
  ])
    assert.equal(convertMedium(html).canonicalUrl, POST.url, html);
});

test('pictures of a post are listed once, the cover first, and get their new addresses', () => {
  const copies = new Map([
    ['https://i.example/c.png', 'https://new.example/c'],
    ['https://a.example/p.png', 'https://new.example/p'],
  ]);
  const text = '![p](/p.png) ![p](https://a.example/p.png) ![c](https://i.example/c.png) ![o](https://o.example/)';
  const post = { ...POST, coverImage: 'https://i.example/c.png', body: { ...BODY, text } };
  const { document, images } = convertPost(post, { isDraft: false, copies });
  assert.deepEqual(images, ['https://i.example/c.png', 'https://a.example/p.png', 'https://o.example/']);
  assert.equal(readField({ document }, 'cover_image'), 'https://new.example/c');
  assert.ok(
    document.endsWith(
      '![p](https://new.example/p) ![p](https://new.example/p) ![c](https://new.example/c) ![o](https://o.example/)\n',
    ),
  );
  const uncopied = convertPost(post, { isDraft: false, copies: new Map() });
  assert.equal(readField(uncopied, 'cover_image'), 'https://i.example/c.png');
});

test('every way to write a picture is found, and only pictures with web addresses', () => {
  const bases = { baseUrl: null, canonicalUrl: 'https://a.example/x' };
  const body = [
    '![a](<1.png> "t") ![b][ref] ![c][unused2] [d][link]',
    '<img src="/2.png?a=1&amp;b=2"> <img src=/3.png> <img srcset="/4.png 1x, /5.png 2x"><source srcset="/6.png"><video src="/no.mp4"></video><source src="/no2.mp4">',
    '[ref]: /7.png\n[ref]: /8.png\n[link]: /9.png',
    '![e](data:image/png;base64,x) ![f](mailto:a@b.example) `![g](/10.png)`',
  ].join('\n\n');
  const images = findImages(body, bases);
  const file = (name: string) => `https://a.example/${name}.png`;
  assert.deepEqual(
    images.map(({ address }) => address),
    [file('1'), `${file('2')}?a=1&b=2`, ...['3', '4', '5', '6', '7'].map(file)],
  );
  const copies = new Map(images.map(({ address }, index) => [address, `https://n.example/"${index + 1}`]));
  assert.equal(
    replaceImages(body, images, copies).split('\n\n').slice(0, 3).join('\n'),
    `![a](<https://n.example/"1> "t") ![b][ref] ![c][unused2] [d][link]
<img src="https://n.example/%222"> <img src="https://n.example/%223"> <img srcset="https://n.example/%224 1x, https://n.example/%225 2x"><source srcset="https://n.example/%226"><video src="/no.mp4"></video><source src="/no2.mp4">
[ref]: https://n.example/"7
[ref]: /8.png
[link]: /9.png`,
  );
  assert.deepEqual(findImages(`${'> '.repeat(200)}x\n\n![a](/1.png)`, bases), []);
});

test('pictures of a document are replaced in its text and its frontmatter', () => {
  const document = withFrontmatter('title: T\ncover_image: https://i.example/c.png', '![p](https://i.example/p.png)\n');
  const { draft } = read(document);
  const replace = (copies: Record<string, string>, changed = draft) =>
    replaceDocumentImages(document, changed, new Map(Object.entries(copies)));
  const images = ['https://i.example/c.png', 'https://i.example/p.png'];
  assert.deepEqual(replace({}), { document, images });
  assert.deepEqual(replace({ 'https://i.example/p.png': 'https://n.example/p' }), {
    document: document.replace('i.example/p.png', 'n.example/p'),
    images,
  });
  const both = replace({
    'https://i.example/p.png': 'https://n.example/p',
    'https://i.example/c.png': 'https://n.example/c',
  });
  assert.match(both.document, /cover_image: "?https:\/\/n\.example\/c"?\n[\s\S]*!\[p\]\(https:\/\/n\.example\/p\)/);
  const other = { ...draft, body: 'Another text.', coverImage: 'no address' };
  assert.deepEqual(replace({ 'https://i.example/p.png': 'https://n.example/p' }, other), { document, images: [] });
  const onlyCover = replace({ 'https://i.example/c.png': 'https://n.example/c' }, { ...draft, body: 'Another text.' });
  assert.match(onlyCover.document, /n\.example\/c[\s\S]*i\.example\/p\.png/);
  assert.deepEqual(onlyCover.images, ['https://i.example/c.png']);
});
