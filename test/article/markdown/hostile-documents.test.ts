import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { EditMap } from 'micromark-util-edit-map';
import { findExcess } from '../../../article/markdown/complexity.ts';
import { applyEventEdits } from '../../../article/markdown/edit-events.ts';
import { parseMarkdown } from '../../../article/markdown/parse-markdown.ts';
import { looksLikeMdx } from '../../../article/mdx/recognise-mdx.ts';
import { readDocument } from '../../../article/read-document.ts';
import { runs } from '../../support/property-runs.ts';
import { derive, NOW } from '../support/documents.ts';

const MIB = 2 ** 20;
const fill = (text: string, size = MIB - 10): string => text.repeat(Math.floor(size / text.length));

const row = (cells: number): string => `${'| a '.repeat(cells)}|\n`;

/** Documents that no author writes. Each would take parser or renderer more than a second. */
const REFUSED: Record<string, string> = {
  'bare addresses': fill('https://example.com/a '),
  'addresses that begin with www': fill('www.example.com '),
  'e-mail addresses': fill('ada@example.com '),
  'one address with 12,000 entities behind it': `https://example.com/${'&amp;'.repeat(12_000)}`,
  'one address with 100,000 marks behind it': `https://example.com/${'!'.repeat(100_000)}`,
  entities: fill('&amp;'),
  'formulas that touch': fill('$a$', 200_000),
  formulas: fill('$a$ ', 200_000),
  'highlighted words': fill('==a== '),
  'inline HTML': fill('<b>a</b> '),
  'backslashes that escape backslashes': fill('\\'),
  'runs of backticks of a thousand lengths': Array.from({ length: 1_000 }, (_, n) => '`'.repeat(n + 1)).join(' a '),
  'code spans': fill('`a` '),
  'emphasis that never ends': `${'*a_'.repeat(900)}\n\n`.repeat(40),
  'touching marks of emphasis of three kinds': '*~_'.repeat(4_000),
  'links that never end': fill('[a](<b ', 120_000),
  'short paragraphs in quotations': fill('> a\n>\n> b\n\n'),
  'items of a list': '- a\n'.repeat(100_000),
  'quotations with a list in each': '> - a\n\n'.repeat(40_000),
  headings: fill('# a\n\n'),
  tables: '| a | b |\n|---|---|\n| c | d |\n\n'.repeat(20_000),
  'blank lines': fill('\n'),
  images: fill(`${'![a](b)'.repeat(20)}\n\n`),
  'lines that are broken': fill(`${'a  \n'.repeat(100)}\n`),
  'tiny lists': '- a\n\nb\n\n'.repeat(18_000),
  'emphasis that is indented in a list': `- a\n\n    ${'*a_'.repeat(4_000)}`,
  'emphasis that is indented in a note': `[^1]: a\n\n    ${'*a_'.repeat(4_000)}`,
  'emphasis that is indented in a directive': `   :::note\n\n    ${'*a_'.repeat(4_000)}\n   :::`,
  'emphasis that is indented in MDX': `import a from 'a'\n\n    ${'*a_'.repeat(4_000)}`,
  'references to a definition': `[a]: /x\n\n${`${'[a] '.repeat(20)}\n\n`.repeat(2_500)}`,
  'headings that refer to a definition': `[a]: /x\n\n${fill('# [a]\n', 200_000)}`,
  'full references to a definition': `[a]: /x\n\n${`${'[b][a] '.repeat(20)}\n\n`.repeat(1_400)}`,
  definitions: Array.from({ length: 22_000 }, (_, n) => `[${n}]: /x\n\n`).join(''),
  'references to one footnote': `[^a]: A note.\n\n${`${'[^a] '.repeat(20)}\n\n`.repeat(2_000)}`,
  links: `${'[a](b) '.repeat(20)}\n\n`.repeat(1_700),
  'links in a list': '- [a](b)\n'.repeat(22_000),
  'deep lists': `${Array.from({ length: 99 }, (_, n) => `${'  '.repeat(n)}- a\n`).join('')}\n`.repeat(34),
  'paragraphs of 9,990 lines': `${'a\n'.repeat(9_990)}\n`.repeat(10),
  ...Object.fromEntries(
    ['<!--', '<?', '<!A', '<![CDATA[', '[a](b (', '[a](b\n('].map((mark) => [
      `${JSON.stringify(mark)} that never ends`,
      `a${fill(mark, 20_000)}`,
    ]),
  ),
  ...Object.fromEntries(
    [
      ['|', ''],
      ['#', ''],
      ['2. ', 'a\n'],
      ['|', '|a|\n|-|-|\n'],
      ['|', '|a|\n|-|\n> b\n'],
      ['|', '|a|\n|-|\n# b\n'],
    ].map(([start, before]) => [
      `emphasis that goes on over lines that begin with ${start}, behind ${JSON.stringify(before)}`,
      `${before}${`${start}${'*a_'.repeat(250)}\n`.repeat(20)}`,
    ]),
  ),
  'MDX with many lists': `import a from 'a'\n\n${'- [ ] a\n    - [x] b\n        - c\n'.repeat(8_000)}`,
};

/** Large documents of kinds that people write. */
const PUBLISHED: Record<string, string> = {
  'a changelog of 4,000 lists': '## 1.2.3\n\n- Mends a thing.\n- Adds another.\n- Drops a third.\n\n'.repeat(4_000),
  '4,000 quotations': '> What she said.\n\nWhat it means.\n\n'.repeat(4_000),
  'a list of 10,000 links': '- [A link](https://example.com/) and a word\n'.repeat(10_000),
  'a list of 10,000 bare addresses': '- https://example.com/a\n'.repeat(10_000),
  'a book': fill(`${'The *quick* fox [jumps](https://example.com/a) over the `lazy` dog. '.repeat(6)}\n\n`),
  '5,000 headings that are underlined': 'A heading\n=========\n\nA sentence.\n\n'.repeat(5_000),
  'a notebook with 10,000 formulas': 'It follows that $a_1 = b$ and so on.\n\n'.repeat(10_000),
  'an album of 10,000 images': '![A picture](https://example.com/a.jpg)\n\nWhat it shows.\n\n'.repeat(10_000),
  'a poem of 30,000 lines': 'A line of it  \nand the next\\\nand the last.\n\n'.repeat(10_000),
  'a book in Chinese': fill(`${'他说：“这是一个很长的故事。”**重要**的是，'.repeat(12)}\n\n`, MIB / 3),
  'a book in MDX': `import a from 'a'\n\n${fill(`${'The *quick* fox [jumps](https://example.com/a) over the dog. '.repeat(6)}\n\n`, MIB - 100)}`,
  '5,000 footnotes': Array.from({ length: 5_000 }, (_, n) => `So it was.[^${n}]\n\n[^${n}]: A book.\n\n`).join(''),
  '6,000 formulas that stand alone': '$$\na = b\n$$\n\nWords.\n\n'.repeat(6_000),
  'a table of 5,000 rows': `${row(10)}${'|---'.repeat(10)}|\n${row(10).repeat(5_000)}`,
  'a log of 18,000 lines that is indented': `The log:\n\n${'    12:00:00 GET /a_b?c=*&d=_1_ [200] `ok`\n'.repeat(18_000)}`,
  'posts of a block editor': '<!-- wp:paragraph -->\n<p>A sentence.</p>\n<!-- /wp:paragraph -->\n'.repeat(3_000),
  'comments over several lines': `Words\n${'<!-- one\ntwo -->\nmore words\n'.repeat(1_000)}`,
  'links with titles in parentheses':
    `${'[a link](https://example.com/ (What it is)) and words '.repeat(100)}\n\n`.repeat(50),
  'a numbered list of 4,000 bold terms': Array.from({ length: 4_000 }, (_, n) => `${n + 1}. **Term**: words.\n`).join(
    '',
  ),
  'a table of 3,000 bold terms': `| a | b |\n|---|---|\n${'| **Term** | words |\n'.repeat(3_000)}`,
  'a quoted table of 3,000 bold terms': `> | a | b |\n> |---|---|\n${'> | **Term** | words |\n'.repeat(3_000)}`,
  'a changelog of 3,000 definitions': `${'- Mends [a thing][1] and [another][2].\n'.repeat(3_000)}\n${'[1]: https://example.com/1\n'.repeat(3_000)}`,
  'a log between fences': `~~~\n${fill('12:00:00 GET https://example.com/?a=b&c=d 200 *\n')}\n~~~\n`,
};

for (const [name, body] of Object.entries(REFUSED)) {
  test(`${name}: the document is rejected before it is parsed, with the line`, () => {
    const result = readDocument({ content: `# T\n\n${body}`, now: NOW });
    assert.equal(result.ok, false);
    const [problem] = result.ok ? [] : result.problems;
    assert.equal(problem?.code, 'too_complex');
    assert.ok((problem?.line ?? 0) >= 3);
  });
}

for (const [name, body] of Object.entries(PUBLISHED)) {
  test(`${name}: no limit is exceeded`, () => assert.equal(findExcess(body), null));
}

/** Documents of kinds that people write, but too long: the message states what to change. */
const EXPLAINED: Record<string, [body: string, reason: RegExp]> = {
  'a list of 36,000 nested tasks': [
    '- [ ] a\n    - [x] b\n        - c\n'.repeat(12_000),
    /list items .* Publish it in parts/,
  ],
  '18,000 tiny lists': [REFUSED['tiny lists'] ?? '', /list items .* Publish it in parts/],
  '5,001 footnotes': ['[^1]: A book.\n\n'.repeat(5_001), /more than 5000 footnotes.* Publish it in parts/],
  '10,000 formulas that stand alone': ['$$\na = b\n$$\n\n'.repeat(10_000), /formulas, .* Publish it in parts/],
  'a table of 9,000 rows of 10 cells': [
    `${row(10)}${'|---'.repeat(10)}|\n${row(10).repeat(9_000)}`,
    /more than 60000 table cells.* file to download/,
  ],
};

for (const [name, [body, reason]] of Object.entries(EXPLAINED)) {
  test(`${name}: the message states what exceeds the limit and what to do`, () => {
    assert.match(findExcess(body)?.message ?? '', reason);
  });
}

test('indented lines after a list are code, as in the parser', () => {
  const marks = '*a_'.repeat(4_000);
  const body = `- a\n\nb\n\n    ${marks}\n\n    ${marks}\n`;
  assert.equal(findExcess(body), null);
  assert.equal(parseMarkdown(body).children.at(-1)?.type, 'code');
});

test('4,000 quotations are read', () => {
  assert.equal(readDocument({ content: `# T\n\n${PUBLISHED['4,000 quotations']}`, now: NOW }).ok, true);
});

test('the end of a list or quotation moves only the events after it, whatever was read before', () => {
  const countMoved = (quotations: number): number => {
    const { consume } = EditMap.prototype;
    let moved = 0;
    EditMap.prototype.consume = function count(events) {
      const first = Math.min(...this.map.map(([at]) => at));
      if (this.map.length > 0) moved += events.length - first;
      return consume.call(this, events);
    };
    try {
      parseMarkdown('> a\n\nb\n\n- c\n- d\n\ne\n=\n\n'.repeat(quotations));
    } finally {
      EditMap.prototype.consume = consume;
    }
    return moved;
  };
  const few = countMoved(20);
  assert.ok(few > 0);
  assert.ok(countMoved(200) <= 11 * few);
});

test('edits of events have the same result as in the library, and write nothing before the first edit', () => {
  const edit = fc.tuple(fc.nat(30), fc.nat(5), fc.array(fc.integer({ min: 100, max: 199 }), { maxLength: 3 }));
  const edits = fc.uniqueArray(edit, { selector: ([at]) => at, maxLength: 6 });
  fc.assert(
    fc.property(edits, (drawn) => {
      const numbers = Array.from({ length: 31 }, (_, index) => index);
      const expected = editAsLibrary(numbers, drawn);
      const first = Math.min(...drawn.map(([at]) => at));
      const events = new Proxy([...numbers], {
        set(target, key, value) {
          if (typeof key === 'string' && /^\d+$/.test(key)) assert.ok(Number(key) >= first);
          return Reflect.set(target, key, value);
        },
      });
      applyEventEdits(events as never, structuredClone(drawn) as never);
      assert.deepEqual([...events], expected);
    }),
    { numRuns: runs(100) },
  );
});

/** Applies edits from the last to the first, as the library does. */
function editAsLibrary(numbers: number[], edits: [number, number, number[]][]): number[] {
  let rest = [...numbers];
  let end: number[] = [];
  for (const [at, removed, added] of [...edits].sort(([a], [b]) => b - a)) {
    end = [...added, ...rest.slice(at + removed), ...end];
    rest = rest.slice(0, at);
  }
  return [...rest, ...end];
}

test('braces that the MDX parser would read repeatedly make the text Markdown', () => {
  const esm = "import a from 'a'\n\n";
  assert.equal(looksLikeMdx(`${esm}{${'{a: 1}, '.repeat(200)}}`, undefined), true);
  assert.equal(looksLikeMdx(`${esm}${'{'.repeat(2_400)}${'}'.repeat(2_400)}`, undefined), false);
  assert.equal(looksLikeMdx(`${esm}{(${'}'.repeat(4_900)}`, 'a.mdx'), false);
  assert.equal(looksLikeMdx(`${esm}~~~\n{(${'}'.repeat(4_900)}\n~~~`, 'a.mdx'), true);
});

test('all items of a list are loose if one of them is, and items of other lists are not', async () => {
  const { html } = await derive('- a\n- b\n\n  c\n\n1. d\n2. e\n\n   - f\n   - g', 'title: T');
  assert.match(html, /<p>a<\/p>[\s\S]*<p>b<\/p>[\s\S]*<p>d<\/p>/);
  assert.match(html, /<li>f<\/li>\n<li>g<\/li>/);
});
