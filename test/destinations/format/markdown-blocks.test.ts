/** Compares the block and inline scanners with remark: code, and where blocks begin. */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import { unified } from 'unified';
import { visit } from 'unist-util-visit';
import { END_HTML_BLOCKS, parseWithin } from '../../../article/markdown/html/html-blocks.ts';
import { extendSyntax } from '../../../article/markdown/parse-markdown.ts';
import { scanBlocks } from '../../../destinations/format/markdown/blocks.ts';
import { readProse } from '../../../destinations/format/markdown/prose.ts';
import { runs } from '../../support/property-runs.ts';
import { sharedPath } from '../../support/shared-data.ts';

const LINES = [
  ...['', '', '', 'text', 'a `b` c', '`open', '``y ` z``', '\\`esc` x', '<a href="`">`', 'x *y* `z', 'end`'],
  ...['> q', '> > qq', '>', '>\tq', '> ```', '> `a', '- item', '  cont', '* star', '- - x', '-\tt', '- ```', '1) x'],
  ...[
    '1. one',
    '1. two',
    '    four',
    '      six',
    '\ttab',
    '   three',
    '```',
    '```js',
    '````',
    '  ```',
    '~~~',
    '~~~ `i`',
  ],
  ...[
    '<div>',
    '</div>',
    '<b>bold</b>',
    '<!-- c',
    '-->',
    '<pre>',
    'x</pre>',
    '<style>',
    'x</style>',
    '---',
    '***',
    '===',
    '# H',
    '## H `c` ##',
    '#no',
  ],
  ...['| a | b |', '|---|:-:|', '|`c`|d', 'a | b', '[^1]: note', 'x[^1]', '[^2]:', '`a | b`', '    - deep'],
];
const documentArbitrary = fc
  .array(fc.constantFrom(...LINES), { minLength: 1, maxLength: 14 })
  .map((lines) => lines.join('\n'));
const remark = unified().use(remarkParse).use(remarkGfm).use(extendSyntax, [END_HTML_BLOCKS]);

interface Found {
  fences: string[];
  spans: string[];
  paragraphs: number[];
}

function scanWithRemark(source: string): Found {
  const found: Found = { fences: [], spans: [], paragraphs: [] };
  const tree = parseWithin(source, () => remark.parse(source));
  visit(tree, (node) => {
    const start = node.position?.start.offset ?? -1;
    const end = node.position?.end.offset ?? -1;
    if (node.type === 'code' && /^[`~]/.test(source.slice(start))) found.fences.push(`${start} ${words(node.value)}`);
    if (node.type === 'inlineCode') found.spans.push(`${start}-${end}`);
    if (node.type === 'paragraph') found.paragraphs.push(start);
  });
  return found;
}

function scan(source: string): Found {
  const blocks = scanBlocks(source);
  const found: Found = { fences: [], spans: [], paragraphs: [] };
  for (const block of blocks) {
    if (block.kind === 'paragraph') found.paragraphs.push(block.lines[0]?.start ?? -1);
    if (block.kind !== 'fence') continue;
    const lines = block.lines.map(({ start, end }) => source.slice(start, end));
    found.fences.push(`${block.open.start} ${words(lines.join('\n'))}`);
  }
  for (const prose of readProse(source, blocks)) {
    for (const region of prose.regions) {
      if (region.kind !== 'code') continue;
      found.spans.push(`${prose.toSource(region.start)}-${prose.toSource(region.end - 1) + 1}`);
    }
  }
  return found;
}

/**
 * Compares white space as such, because a tab that is partly indentation has no separate position.
 */
function words(text: string): string {
  return text.split(/\s+/).join(' ').trim();
}

test('fences, code spans and paragraphs are where remark finds them', () => {
  fc.assert(
    fc.property(documentArbitrary, (source) => {
      assert.deepEqual(scan(source), scanWithRemark(source));
    }),
    { numRuns: runs(1_000) },
  );
});

const corpus = sharedPath('corpus');
test('the same holds for the corpus of real articles', { skip: corpus.skip }, () => {
  const files = globSync('**/*.{md,mdx,markdown}', { cwd: corpus.path });
  assert.ok(files.length > 20);
  for (const file of files) {
    const body = readFileSync(join(corpus.path, file), 'utf8').replace(/^\uFEFF?---\r?\n[\s\S]*?\n---\r?\n/, '');
    // The scanner reads link definitions as paragraphs, with code in their labels.
    const source = body.replace(/^\[(?!\^).*\]:.*$/gm, '');
    const [ours, theirs] = [scan(source), scanWithRemark(source)];
    assert.deepEqual([ours.fences, ours.spans], [theirs.fences, theirs.spans], file);
  }
});

test('an empty list item contains the indented text below it, but not after a blank line', () => {
  assert.deepEqual(
    scanBlocks('-\n  text\n\n-\n\n  text').map(({ kind }) => kind),
    ['paragraph', 'paragraph'],
  );
  assert.equal(scanBlocks('-\n      code').at(0)?.kind, 'indented');
});

test('nested marks cost time in proportion to their length (A25)', () => {
  const started = performance.now();
  for (const mark of ['> ', '- ', '1. ', '>- '])
    scanBlocks(`${mark.repeat(200_000)}x\n\n`.repeat(2) + '\n'.repeat(200_000));
  assert.ok(performance.now() - started < 10_000);
});
