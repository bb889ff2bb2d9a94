/** Tests the limits of a text: each is accepted at its limit, and rejected above it with its line. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findExcess } from '../../../article/markdown/complexity.ts';
import { weighContainers, weighLine, weighMarks } from '../../../article/markdown/weigh-line.ts';
import { read } from '../support/documents.ts';

const repeat = (part: string, count: number, between = '') => Array(count).fill(part).join(between);

/** By the limits alone: the weight of the work is tested below. */
const find = (body: string) => findExcess(body, { maxWork: Number.MAX_SAFE_INTEGER });

const EMPHASIS = 'One paragraph has too many emphasis marks (* _ ~).';
const UNDERLINES = 'Too many underlined headings follow each other without a blank line.';
const DEEP = 'Lists and quotations are nested more than 100 deep.';

const LIMITS: [name: string, limit: number, build: (count: number) => string, line: number, message: string][] = [
  ['quotations', 100, (count: number) => `${repeat('> ', count)}x`, 1, DEEP],
  ['items', 100, (count: number) => `${repeat('- ', count)}x`, 1, DEEP],
  ['numbered items', 100, (count: number) => `${repeat('1) ', count)}x`, 1, DEEP],
  ['stars', 3_000, (count: number) => repeat('a* ', count), 1, EMPHASIS],
  ['underscores', 3_000, (count: number) => repeat('a_ ', count), 1, EMPHASIS],
  ['tildes', 3_000, (count: number) => repeat('a~ ', count), 1, EMPHASIS],
  ['emphasis over lines', 3_000, (count: number) => repeat('a*', count, '\n'), 3_001, EMPHASIS],
  ['brackets', 20_000, (count: number) => repeat('[', count), 1, 'One paragraph has too many square brackets.'],
  ['closing brackets', 20_000, (count: number) => repeat(']', count), 1, 'One paragraph has too many square brackets.'],
  [
    ...([
      'backticks',
      20,
      (count: number) => Array.from({ length: count }, (_, at) => `a${'`'.repeat(at + 1)}`).join(' '),
    ] as const),
    ...([1, 'One paragraph has code between backticks of too many different lengths.'] as const),
  ],
  [
    ...(['unclosed comments', 20, (count: number) => repeat('<!-- ', count), 1] as const),
    'One paragraph has too many unclosed comments, tags or link titles.',
  ],
  [
    ...(['lines', 10_000, (count: number) => repeat('x', count, '\n'), 10_001] as const),
    'One paragraph has more than 10000 lines, which is the maximum.',
  ],
  ['underlines of dashes', 1_000, (count: number) => repeat('x\n--', count, '\n'), 2_002, UNDERLINES],
  ['underlines of equals signs', 1_000, (count: number) => repeat('x\n==', count, '\n'), 2_002, UNDERLINES],
  [
    ...(['footnotes', 5_000, (count: number) => repeat('[^a]: x\n', count, '\n'), 10_001] as const),
    'The article has more than 5000 footnotes, which is the maximum. Publish it in parts.',
  ],
  [
    ...(['rows of two cells', 30_000, (count: number) => `|a|b|\n|-|-|\n${repeat('|c|d|\n', count)}`, 30_003] as const),
    'The article has more than 60000 table cells, which is the maximum. Publish it in parts, or offer the table as a file to download.',
  ],
];

for (const [name, limit, build, line, message] of LIMITS) {
  test(`a text may have ${limit} ${name}`, () => {
    assert.equal(find(build(limit)), null);
    assert.deepEqual(find(build(limit + 1)), { line, message });
  });
}

test('a body may have 4 MiB', () => {
  assert.equal(find('x'.repeat(4 * 2 ** 20)), null);
  assert.deepEqual(find('x'.repeat(4 * 2 ** 20 + 1)), {
    line: 1,
    message: 'The body is too long: about 4096 KiB; the maximum is 4096 KiB.',
  });
  assert.match(find('x'.repeat(5 * 2 ** 20))?.message ?? '', /about 5120 KiB/);
});

test('what ends a paragraph, its counts end with', () => {
  const half = repeat('a*', 2_000, '\n');
  for (const between of ['', '# Heading', '#', '1. item', '- item', '|a|b|\n|-|-|'])
    assert.equal(
      find(`${half}\n${between === '1. item' || between === '- item' ? '\n' : ''}${between}\n${half}`),
      null,
      between,
    );
  for (const between of ['#tag', 'text', '| a |', '7. not an item', '--x', '***'])
    assert.deepEqual(find(`${half}\n${between}\n${half}`)?.message, EMPHASIS, between);
});

test('code has none of the limits of text', () => {
  const marks = repeat('a* [', 12_000);
  for (const body of [
    `\`\`\`\n${marks}\n\`\`\``,
    `~~~\n${marks}\n~~~`,
    `    ${marks}`,
    `\`\`\`\`\n\`\`\`\n${marks}\n\`\`\`\``,
  ])
    assert.equal(find(body), null, body.slice(0, 12));
  assert.equal(find(`\`\`\`\nx\n\`\`\`\n${marks}`)?.line, 4);
  assert.equal(findExcess(`    ${marks}`, { maxWork: Number.MAX_SAFE_INTEGER, isMdx: true })?.message, EMPHASIS);
});

test('a text that takes too long names the kind of work that takes most', () => {
  const message = (kind: string) => `The article is too complex, mainly because of its ${kind}. Publish it in parts.`;
  assert.equal(findExcess(repeat('> x\n\n', 40_000))?.message, message('list items and quoted lines'));
  assert.equal(findExcess(repeat('x\n\n', 60_000))?.message, message('paragraphs, headings and other blocks'));
  assert.equal(
    findExcess(repeat(`${repeat('[a](b) ', 100)}\n\n`, 600))?.message,
    message('links, formulas, emphasis and other marks'),
  );
  // A block of one line weighs 11, and a little more by its length.
  assert.deepEqual(findExcess('x', { maxWork: 11 }), {
    line: 1,
    message: message('paragraphs, headings and other blocks'),
  });
  assert.equal(findExcess('x', { maxWork: 12 }), null);
});

test('containers weigh by depth, and items also by indentation', () => {
  assert.equal(weighContainers({ depth: 2, indent: 4, isItem: true }, false), 36);
  assert.equal(weighContainers({ depth: 2, indent: 4, isItem: false }, false), 30);
  assert.equal(weighContainers({ depth: 2, indent: 4, isItem: true }, true), 0);
});

test('a line weighs more if it begins a block or breaks', () => {
  const line = { isInContainer: false, isAfterBlank: false, isCode: false };
  for (const [text, weight] of [
    ...([
      ['x', 1],
      ['x  ', 5],
      ['x\\', 5],
      ['x ', 1],
      ['# x', 11],
      ['  | x', 11],
      ['[a]: b', 11],
      ['[a] b', 1],
    ] as const),
    ...([
      ['<p>', 11],
      ['---', 11],
      ['--', 1],
      [':::x', 11],
      ['::x', 1],
      ['x #', 1],
    ] as const),
  ])
    assert.equal(weighLine(text, line), weight, text);
  assert.equal(weighLine('x', { ...line, isAfterBlank: true }), 11);
  assert.equal(weighLine('', { ...line, isAfterBlank: true }), 1);
  assert.equal(weighLine('# x', { ...line, isInContainer: true }), 1);
  assert.equal(weighLine('# x  ', { ...line, isCode: true }), 1);
});

test('each mark has its weight', () => {
  const paragraph = { runs: 0, brackets: 0, lines: 0, hasDefinitions: false };
  for (const [text, weight] of [
    ...([
      ['plain', 0],
      ['$$', 24],
      ['x $', 6],
      ['@', 8],
      ['&amp;', 3],
      ['& b', 0],
      ['a == b', 3],
    ] as const),
    ...([
      ['![', 7],
      ['! x', 0],
      ['**', 2],
      ['__', 2],
      ['~~', 2],
      ['``', 2],
      ['<', 4],
      ['|', 4],
      ['{', 1],
      ['\\', 1],
    ] as const),
    ...([
      ['[a](b', 14],
      ['[^a', 15],
      ['[a]: b', 22],
      ['[a][b]', 3],
      ['[a]', 2],
    ] as const),
    ...([
      ['https://a', 12 + 1 + 1 / 64],
      ['www.a', 12 + 1 + 1 / 64],
      ['HTTP://a.b', 12 + 2 + 4 / 64],
      ['xhttp://a', 0],
    ] as const),
  ])
    assert.equal(weighMarks(text, paragraph), weight, text);
  const defined = { ...paragraph, hasDefinitions: true };
  assert.equal(weighMarks('[a][b]', defined), 3 + 6 + 8);
  assert.equal(weighMarks('[a]', defined), 10);
  assert.equal(weighMarks('', { ...paragraph, lines: 500 }), 0.5);
  assert.equal(weighMarks('*', { ...paragraph, runs: 40 }), 4);
  assert.equal(weighMarks('[', { ...paragraph, brackets: 400 }), 3);
});

test('syntax that pages do not show gives a warning at its first line', () => {
  for (const [body, code, message] of [
    [
      '!!! note\n    Text',
      'admonition_as_text',
      'An MkDocs admonition (!!! note) is not supported and is shown as written. Write > [!NOTE] for an alert.',
    ],
    ['Text\n{: .class}', 'attributes_removed', 'An attribute list ({: … }) is not supported and is left out.'],
    [
      'Text ^block-id',
      'block_id_removed',
      'A word like ^this at the end of a block is an Obsidian block id and is left out. To show it, write \\^.',
    ],
    [
      'a %%hidden%% b',
      'comment_removed',
      'Text between %% and %% is an Obsidian comment and is left out. To show it, write \\%%.',
    ],
    [
      ':::unknown\nText\n:::',
      'container_as_text',
      'A container (::: name) is not supported; its contents are shown without it.',
    ],
    [
      '[TOC]',
      'contents_removed',
      'A placeholder for a table of contents ([TOC]) is left out. To show one above the text, set generate_toc: true.',
    ],
    [
      '```mermaid\na\n```',
      'diagram_as_code',
      'A diagram (mermaid, plantuml) is shown as source code, because pages run no scripts. To show the diagram, add a picture of it.',
    ],
    [
      '{{< unknown x >}}',
      'shortcode_removed',
      'A shortcode ({{< … >}}) or a widget (%%[…]) is not supported and is left out; text between two shortcodes is shown.',
    ],
    ['{% include a.html %}', 'template_as_text', 'A template tag ({% … %}) is not supported and is shown as written.'],
    [
      '[a]({% post_url x %})',
      'template_link_as_text',
      'A link or image with a template address ({% post_url … %}, {{< ref … >}}) does not work here, so only its text is shown. Write the full address.',
    ],
    [
      '[[Page]]',
      'wiki_link_as_text',
      'A wiki link ([[…]]) works only inside its vault, so its text is shown without a link. Write [text](address) for a link.',
    ],
  ] as const) {
    const { warnings } = read(`---\ntitle: T\n---\n\nFirst.\n\n${body}\n\n${body}\n`);
    assert.deepEqual(warnings, [{ code, message, path: 'content', line: code === 'attributes_removed' ? 8 : 7 }], body);
  }
});
