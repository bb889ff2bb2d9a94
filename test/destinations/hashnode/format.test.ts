/** Hashnode's payload: fields, body, footnotes, losses and refusals. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { DeliverableArticle } from '../../../article/types.ts';
import { scanBlocks } from '../../../destinations/format/markdown/blocks.ts';
import { formatArticle } from '../../../destinations/hashnode/format.ts';
import { REQUEST_BYTES } from '../../../destinations/hashnode/limits.ts';
import { PUBLISH_POST } from '../../../destinations/hashnode/operations.ts';
import { runs } from '../../support/property-runs.ts';
import { makeArticle } from '../destination-harness.ts';
import { markdownArbitrary, prosePieces } from '../format/markdown-arbitrary.ts';

const format = (changes: Partial<DeliverableArticle>) => formatArticle(makeArticle(changes));
const formatBody = (body: string) => format({ body, title: 'A title' }).payload.contentMarkdown;

test('the payload contains the common fields of both mutations, and our own slug', () => {
  const { payload, losses, refusal } = format({
    slug: 'my-slug',
    title: 'T',
    subtitle: 'Sub',
    tags: ['Node.js', 'C#'],
    body: 'Text.\n',
    generateToc: true,
    commentsEnabled: false,
  });
  assert.deepEqual(payload, {
    title: 'T',
    contentMarkdown: 'Text.\n',
    slug: 'my-slug',
    tags: [
      { slug: 'nodejs', name: 'Node.js' },
      { slug: 'csharp', name: 'C#' },
    ],
    originalArticleURL: payload.originalArticleURL,
    disableComments: true,
    enableToc: true,
    optional: {
      subtitle: 'Sub',
      coverImage: 'https://blog.example.com/cover.png',
      metaDescription: 'What it is about.',
    },
  });
  assert.deepEqual([losses, refusal], [[], null]);
});

test('a heading that repeats the title is removed', () => {
  assert.equal(formatBody('# A title\n\nText.\n'), 'Text.\n');
});

test('embed and widget signs become text in prose, and are unchanged in code', () => {
  assert.equal(formatBody('%[https://x.io] and %%[w]'), '&#37;[https://x.io] and %&#37;[w]');
  assert.equal(formatBody('100%[link](https://x.io)'), '100&#37;[link](https://x.io)');
  for (const body of ['`%[x]`', '```\n%[x] %%[w]\n```', '    %[x]', '5% [a](https://x.io)'])
    assert.equal(formatBody(body), body);
});

describe('footnotes', () => {
  test('they become a list of notes at the end, in order of use', () => {
    const { payload, losses } = format({
      body: 'A[^b] and B[^A], again[^B].\n\n[^a]: First *note*\n    goes on.\n\n[^b]: Second.\n\nEnd.\n',
    });
    assert.equal(
      payload.contentMarkdown,
      'A\\[1\\] and B\\[2\\], again\\[1\\].\n\n\n\nEnd.\n\n---\n\n**Notes**\n\n1. Second.\n2. First *note*\n   goes on.\n',
    );
    assert.deepEqual(
      losses.map(({ code, line }) => [code, line]),
      [['footnotes_flattened', 3]],
    );
  });

  test('text that only looks like a footnote, in code or without a definition, is unchanged', () => {
    for (const body of ['`[^1]` and [^2]\n', '```\n[^1]: x\n```\n', 'array[^1]\n'])
      assert.equal(formatBody(body), body);
  });

  test('a note without a reference is not shown, as on any page', () => {
    assert.equal(formatBody('Text.\n\n[^1]: hidden\n'), 'Text.');
  });
});

test('Liquid and MDX in the text are unchanged, and a self-closing element is closed', () => {
  const body = '{{ x }} {% y %}\n\nimport A from "a"\n\n<A b={1} />\n';
  assert.equal(formatBody(body), body.replace('/>', '></a>'));
});

test('at most fifteen tags are sent, and the others are losses', () => {
  const { payload, losses } = format({
    tags: Array.from({ length: 17 }, (_, index) => `tag ${index}`).concat('日本', 'Tag 3'),
  });
  assert.equal(payload.tags.length, 15);
  assert.deepEqual(payload.tags[0], { slug: 'tag-0', name: 'tag 0' });
  assert.deepEqual(
    losses.map(({ code }) => code),
    ['tag_dropped', 'tag_dropped', 'tag_dropped'],
  );
});

test('a request over 100 KB is refused before it is sent, counting the escapes', () => {
  assert.equal(format({ body: 'a'.repeat(98_000) }).refusal, null);
  assert.equal(format({ body: '"'.repeat(60_000) }).refusal?.code, 'body_too_large');
  assert.equal(format({ body: 'a'.repeat(1_000_000) }).refusal?.code, 'body_too_large');
  fc.assert(
    fc.property(fc.integer({ min: 90_000, max: 105_000 }), (length) => {
      const { payload, refusal } = format({ body: 'a'.repeat(length) });
      const { optional, ...required } = payload;
      const input = { publicationId: '0'.repeat(24), ...required, ...optional, isDelisted: false };
      const bytes = Buffer.byteLength(JSON.stringify({ query: PUBLISH_POST, variables: { input } }));
      assert.ok(refusal !== null || bytes <= REQUEST_BYTES);
    }),
    { numRuns: runs(100) },
  );
});

test('an empty text, an empty title or an invalid canonical URL is refused', () => {
  assert.equal(format({ body: ' \n' }).refusal?.code, 'body_empty');
  assert.equal(format({ title: '\u200e' }).refusal?.code, 'title_missing');
  assert.equal(format({ canonicalUrl: 'blog/x' }).refusal?.code, 'canonical_invalid');
});

test('formatting never throws, and preserves the content of fences byte for byte', () => {
  const contents = (body: string) =>
    scanBlocks(body).flatMap((block) =>
      block.kind === 'fence' ? block.lines.map(({ start, end }) => body.slice(start, end).trim()) : [],
    );
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: 'binary', maxLength: 300 }), markdownArbitrary), (body) => {
      // Notes without a reference are removed, with the code in them.
      if (!body.includes('[^')) assert.deepEqual(contents(formatBody(body)), contents(body));
      else formatBody(body);
    }),
    { numRuns: runs(1_000) },
  );
});

test('prose without anything special to Hashnode stays byte for byte', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...prosePieces)), (pieces) => {
      const body = pieces.join('\n\n');
      assert.equal(formatBody(body), body);
    }),
    { numRuns: runs(100) },
  );
});
