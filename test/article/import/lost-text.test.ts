/** Imports preserve the visible text of a post, and quote omitted text in a warning. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { toText } from 'hast-util-to-text';
import rehypeParse from 'rehype-parse';
import { unified } from 'unified';
import { visit } from 'unist-util-visit';
import { convertPost } from '../../../article/import/convert-post.ts';
import type { SourcePost } from '../../../article/import/source-post.ts';
import type { Notice } from '../../../article/types.ts';
import runTask from '../../../sources/conversion/worker.ts';
import { runs } from '../../support/property-runs.ts';
import { listWords } from '../support/tag-documents.ts';

const POST: SourcePost = {
  remoteId: '1',
  url: 'https://a.example/post',
  title: 'Title',
  subtitle: null,
  excerpt: null,
  tags: [],
  slug: null,
  canonicalUrl: null,
  coverImage: null,
  series: null,
  language: null,
  publishedAt: null,
  updatedAt: null,
  body: { format: 'html', text: '', base: null, isExcerpt: false },
};

/** Returns the text of the article and the warnings of the report. */
function convert(text: string, format: 'html' | 'markdown' | 'medium' = 'html'): { text: string; warnings: Notice[] } {
  const post = { ...POST, body: { ...POST.body, text, format } };
  const task = { post, isDraft: false, copies: null, siteOrigin: 'https://courant.example', now: new Date() };
  const result = runTask({ ...task, begun: new Int32Array(1) } as never);
  assert.ok('ok' in result && result.ok && 'warnings' in result, JSON.stringify(result));
  return { text: result.rendered.plainText, warnings: result.warnings };
}

for (const tag of [
  '<video src="https://a.example/v.mp4" controls />',
  '<script src="https://a.example/x.js" />',
  '<iframe src="https://a.example/" />',
  '<a name="x" />',
  '<p>A line with <template> in prose.</p>',
  '<p>A <script> tag in prose.</p>',
  '<p>A <title> or <textarea> or <select> in prose.</p>',
  '<p>An <object>, <svg>, <math>, <noscript>, <xmp>, <plaintext> in prose.</p>',
  '<!-- never closed',
]) {
  test(`an import preserves the text after ${tag}`, () => {
    const html = `<p>First.</p>${tag}<p>Second <em>paragraph</em>.</p><ul><li>an item</li></ul><pre><code>last();</code></pre>`;
    for (const format of ['html', 'medium'] as const) {
      const { text, warnings } = convert(html, format);
      assert.match(text, /^First\.[\s\S]*\n\nSecond paragraph\.\n\nan item\nlast\(\);$/);
      for (const [prose] of tag.matchAll(/A .*prose\./g)) assert.ok(text.includes(prose), text);
      assert.deepEqual(warnings, []);
    }
  });
}

test('the report quotes text that the article does not show', () => {
  const { text, warnings } = convert(
    '<p>One.</p><svg><text>in a drawing</text></svg><object data="https://a.example/x.pdf">in place of it</object><style>p { color: red }</style><script>run()</script><p>Two.</p>',
  );
  assert.equal(text, 'One.\n\nOpen on a.example\n\nTwo.');
  assert.deepEqual(
    warnings.map(({ code }) => code),
    ['text_removed', 'text_removed'],
  );
  assert.match(warnings[0]?.message ?? '', /^“in a drawing” .*<svg>/);
  assert.match(warnings[1]?.message ?? '', /^“in place of it” .*<object>/);
});

test('a post in Markdown is reported in the same way', () => {
  const { text, warnings } = convert('One <template> two.\n\nThree <svg>four</svg> five.\n', 'markdown');
  assert.equal(text, 'One <template> two.\n\nThree  five.');
  assert.match(warnings.map(({ message }) => message).join(), /^“four” /);
});

test('tags in a title are shown as text', () => {
  const { document } = convertPost(
    { ...POST, title: '', body: { ...POST.body, text: '<p>Why <template> is good</p>' } },
    { isDraft: false },
  );
  assert.match(document, /title: "Why <template> is good"/);
});

const NAMES =
  'script style template svg math title textarea noscript iframe object video audio xmp noembed noframes select button form canvas picture table details div p li ul b i a span pre code section'.split(
    ' ',
  );
const WORD = 'WORD';
const part = fc.oneof(
  { weight: 4, arbitrary: fc.constant(WORD) },
  fc
    .tuple(
      fc.constantFrom(...NAMES),
      fc.constantFrom('<N>', '</N>', '<N />', '<N title="a>b">', "<N src='https://a.example/x' />"),
    )
    .map(([name, shape]) => shape.replace('N', name)),
);
const posts = fc
  .array(fc.tuple(fc.constantFrom('p', 'h2', 'blockquote', 'div'), fc.array(part, { minLength: 1, maxLength: 6 })), {
    minLength: 1,
    maxLength: 6,
  })
  .map((blocks) => {
    let count = 0;
    return blocks
      .map(([name, parts]) => `<${name}>${parts.join(' ')} ${WORD}</${name}>`)
      .join('\n')
      .replaceAll(WORD, () => {
        count += 1;
        return `qw${count}x`;
      });
  });

test('every word that a browser shows is in the article or quoted in the report', () => {
  const parser = unified().use(rehypeParse, { fragment: true });
  fc.assert(
    fc.property(posts, (html) => {
      // Browsers read a script after these start tags as text. Imports show the unclosed start tag
      // as text, so the script stays a script.
      fc.pre(!/<(?:select|xmp|iframe|noembed|noframes|title|textarea)\b[\s\S]*<(?:script|style|template)\b/.test(html));
      const tree = parser.parse(html);
      visit(tree, 'element', (node) => {
        if (/^(?:script|style|template)$/.test(node.tagName)) node.children = [];
      });
      const { text, warnings } = convert(html);
      // Long texts are quoted by their beginning.
      fc.pre(!warnings.some(({ message }) => message.includes('…”')));
      const found = listWords(`${text} ${warnings.map(({ message }) => message).join(' ')}`);
      assert.deepEqual(
        listWords(toText(tree)).filter((word) => !found.includes(word)),
        [],
        text,
      );
    }),
    { numRuns: runs(150) },
  );
});
