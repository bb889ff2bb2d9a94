import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Root } from 'mdast';
import { toString as toText } from 'mdast-util-to-string';
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import { unified } from 'unified';
import { visit } from 'unist-util-visit';
import { formatAnnotation, formatLogLine } from '../../action/runner.mjs';
import { formatSummary } from '../../action/summary.mjs';
import { runs } from '../support/property-runs.ts';
import { readAnnotations } from './support/annotations.ts';

/** Characters with a meaning for the runner, Markdown or HTML, and others. */
const hostile = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        ...'%:,=|\\`*_[]()<>!#&~$@"\'',
        '\n',
        '\r',
        '\r\n',
        '::',
        '##[error]',
        '::error::x',
        '%0A',
        '\u202e',
        '\u001b[',
      ),
      fc.constantFrom(
        'https://evil.example/',
        'www.evil.example',
        '<script>',
        '![x](y)',
        '&lt;',
        '<br>',
        '| a |',
        'a',
        ' ',
        'ß',
        '🙂',
      ),
    ),
    { minLength: 1, maxLength: 12 },
  )
  .map((parts) => parts.join(''));

test('an annotation is one command to the runner, for the given file', () => {
  fc.assert(
    fc.property(hostile, hostile, (file, message) => {
      const [annotation, ...others] = readAnnotations(
        formatAnnotation({ level: 'error', message, file, line: 3, column: 5 }),
      );
      assert.deepEqual(others, []);
      assert.equal(annotation?.level, 'error');
      assert.equal(annotation?.file, file);
      assert.deepEqual([annotation?.line, annotation?.col], ['3', '5']);
      assert.doesNotMatch(String(annotation?.message), /\p{Bidi_Control}|\r/u);
    }),
    { numRuns: runs(100) },
  );
});

test('a log line is never a command to the runner', () => {
  fc.assert(
    fc.property(hostile, (name) => assert.deepEqual(readAnnotations(formatLogLine(`created: ${name}`)), [])),
    { numRuns: runs(100) },
  );
});

test('in the summary, titles and file names are plain text', () => {
  fc.assert(
    fc.property(hostile, hostile, hostile, (file, title, message) => {
      const url = 'https://courant.example/a|b_c_(d)';
      const outcome = {
        file,
        what: 'created',
        title,
        url,
        status: 'PUBLISHED',
        notices: [{ level: 'warning', message, line: 2 }],
      } as const;
      const summary = formatSummary({
        headline: 'Done',
        reasons: [],
        outcomes: [{ ...outcome, notices: [...outcome.notices] }],
      });
      const links: string[] = [];
      const html: string[] = [];
      const cells: number[] = [];
      visit(unified().use(remarkParse).use(remarkGfm).parse(summary) as Root, (node) => {
        // Skips addresses that become links by themselves, because their text is their target.
        if (node.type === 'link' && !isLiteral(node.url, toText(node))) links.push(node.url);
        if (node.type === 'html') html.push(node.value);
        if (node.type === 'tableRow') cells.push(node.children.length);
        assert.ok(node.type !== 'image' && node.type !== 'emphasis' && node.type !== 'inlineCode');
      });
      assert.deepEqual([links, html, cells], [['https://courant.example/a%7Cb_c_(d)'], ['<br>'], [3, 3]]);
    }),
    { numRuns: runs(100) },
  );
});

function isLiteral(url: string, text: string): boolean {
  return text !== '' && ['', 'http://', 'mailto:'].some((scheme) => url === scheme + text);
}

test('an address that is not http(s) is not a link, and a long summary ends with the number of omitted files', () => {
  const one = {
    file: 'a.md',
    what: 'created',
    title: 'A',
    url: 'javascript:alert(1)',
    status: undefined,
    notices: [],
  } as const;
  const outcomes = Array.from({ length: 20_000 }, () => ({ ...one, notices: [] }));
  const summary = formatSummary({ headline: 'Done', reasons: [], outcomes });
  assert.doesNotMatch(summary, /javascript|\]\(/);
  assert.ok(Buffer.byteLength(summary) < 2 ** 20);
  assert.match(summary, /\n\d+ more: see the log\.\n$/);
});
