import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { toHtml } from 'hast-util-to-html';
import rehypeParse from 'rehype-parse';
import { unified } from 'unified';
import { deriveArticle } from '../../../article/derive.ts';
import { readDocument } from '../../../article/read-document.ts';
import { sanitise } from '../../../article/render/render-tree.ts';
import { runs } from '../../support/property-runs.ts';
import { NOW, SITE } from '../support/documents.ts';
import { findDangers } from '../support/walk-html.ts';

const fragments = fc.constantFrom(
  ...[
    '---\n',
    '+++\n',
    'title: x\n',
    'tags: [a]\n',
    'draft: yes\n',
    '\n\n',
    '# H\n',
    '> ',
    '- ',
    '1. ',
    '```js\n',
    '```\n',
    '**',
    '_',
    '`',
    '[a](b)',
    '![](',
    ')',
    '<b>',
    '</b>',
    '<script>',
    '<img src=x onerror=1>',
  ],
  ...[
    '{x}',
    '<Foo>',
    '</Foo>',
    '<Foo/>',
    'import a from "b"\n',
    'export const a = 1\n',
    '{/* */}',
    '| a | b |\n|---|---|\n',
    '[^1]',
    '[^1]: n\n',
    '\t',
    '    ',
    '\r\n',
    '\u0000',
    '\u202e',
    '\ud800',
    '日本',
    '&lt;',
    '\\',
    '\u001b[31m',
    'text ',
    '...\n',
    '[r]: /u\n',
    '<details>',
    'https://a.b ',
    '~~',
    '- [ ] ',
  ],
);
const documents = fc.oneof(
  fc.array(fragments, { maxLength: 40 }).map((parts) => parts.join('')),
  fc.string({ unit: 'binary', maxLength: 300 }),
);

test('reading never throws, and every problem has a place', () => {
  fc.assert(
    fc.property(documents, fc.option(fc.constantFrom('a.md', 'a.mdx')), (content, fileName) => {
      const result = readDocument({ content, now: NOW, fileName: fileName ?? undefined });
      if (!result.ok)
        for (const problem of result.problems) assert.ok((problem.line ?? 0) >= 1 && problem.message.length > 10);
    }),
    { numRuns: runs(1_000) },
  );
});

test('rendering never throws, gives no active content, and gives the same result from the body alone', async () => {
  await fc.assert(
    fc.asyncProperty(documents, fc.constantFrom('a.md', 'a.mdx'), async (content, fileName) => {
      const result = readDocument({ content, now: NOW, fileName, canonicalUrl: 'https://me.example/p/x' });
      if (!result.ok) return;
      const derived = await deriveArticle(result.draft, { siteOrigin: SITE, highlight: false });
      assert.deepEqual(findDangers(derived.html), []);
      assert.deepEqual(await deriveArticle({ ...result.draft }, { siteOrigin: SITE, highlight: false }), derived);
    }),
    { numRuns: runs(500) },
  );
});

test('sanitising is idempotent', () => {
  const parser = unified().use(rehypeParse, { fragment: true });
  fc.assert(
    fc.property(documents, (html) => {
      const once = sanitise(parser.parse(html));
      assert.equal(toHtml(sanitise(once)), toHtml(once));
    }),
    { numRuns: runs(500) },
  );
});

test('a document reads the same with CRLF and with LF', () => {
  fc.assert(
    fc.property(
      fc.array(fragments, { maxLength: 30 }).map((parts) => parts.join('').replace(/\r/g, '')),
      (content) => {
        const lf = readDocument({ content, now: NOW });
        const crlf = readDocument({ content: content.replace(/\n/g, '\r\n'), now: NOW });
        assert.deepEqual(crlf, lf);
      },
    ),
    { numRuns: runs(300) },
  );
});
