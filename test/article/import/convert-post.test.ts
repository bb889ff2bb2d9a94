/**
 * Any post of a source converts to a document in the requested state, or is rejected with a reason.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { convertPost } from '../../../article/import/convert-post.ts';
import type { SourcePost } from '../../../article/import/source-post.ts';
import { readDocument } from '../../../article/read-document.ts';
import { runs } from '../../support/property-runs.ts';
import { NOW } from '../support/documents.ts';
import { frontmatterArbitrary, textArbitrary } from '../support/frontmatter-arbitrary.ts';

const text = fc.oneof(
  textArbitrary,
  fc.string({ unit: 'binary' }),
  fc.constantFrom('', '\u200b', '\u0000', '../..', 'a'.repeat(6_000)),
);
const maybe = fc.option(text);
const address = fc.option(fc.oneof(fc.webUrl({ withQueryParameters: true }), text));
/** Starts of frontmatter, code, comments, MDX and templates, among other text. */
const piece = fc.constantFrom(
  ...[
    '---\n',
    '+++\n',
    ';;;\n',
    '...\n',
    'title: x\n',
    'draft: true\n',
    'Status: draft\n',
    '{"a": 1}',
    '\n\n',
    'text ',
  ],
  ...['<p>', '</p>', '<h1>T</h1>', '<pre><code>', '</code></pre>', '<!--', '-->', '&lt;', '&#45;&#45;&#45;', '```\n'],
  ...['{% raw %}', 'import a from "b"\n', '> ', '- ', '# H\n', '<table><tr><td>a</td></tr></table>', '\u202e'],
);
const posts: fc.Arbitrary<SourcePost> = fc.record({
  remoteId: fc.string(),
  url: fc.option(fc.webUrl()),
  title: text,
  subtitle: maybe,
  excerpt: maybe,
  tags: fc.array(text, { maxLength: 60 }),
  slug: maybe,
  canonicalUrl: fc.option(fc.webUrl()),
  coverImage: address,
  series: maybe,
  language: fc.option(fc.oneof(fc.constantFrom('de', 'en-US', 'zh-Hant', 'xx-'), text)),
  publishedAt: fc.constant(null),
  updatedAt: fc.constant(null),
  body: fc.record({
    format: fc.constantFrom('markdown', 'html', 'medium', 'text'),
    text: fc.oneof(
      fc.array(piece, { maxLength: 15 }).map((parts) => parts.join('')),
      frontmatterArbitrary,
      text,
    ),
    base: fc.option(fc.webUrl()),
    isExcerpt: fc.boolean(),
  }),
});

test('no text of a source changes the state of its article, and a second frontmatter is rejected', () => {
  fc.assert(
    fc.property(posts, fc.boolean(), (post, isDraft) => {
      const { document, canonicalUrl } = convertPost(post, { isDraft });
      const result = readDocument({ content: document, now: NOW });
      if (!result.ok) {
        assert.ok(post.body.format === 'markdown');
        assert.match(result.problems[0]?.message ?? '', /^A second frontmatter begins here/);
        return;
      }
      const { draft } = result;
      assert.equal(draft.status, isDraft ? 'DRAFT' : 'PUBLISHED');
      assert.equal(draft.canonicalUrl, canonicalUrl && new URL(canonicalUrl).href);
      assert.ok(draft.tags.length <= post.tags.length);
      assert.ok(draft.title !== '' && draft.title.length <= 300);
      assert.equal(draft.coverImage === null || /^https?:/.test(draft.coverImage), true);
    }),
    { numRuns: runs(100) },
  );
});
