/** Forem's body for an author's text: lines, fences and mentions. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { scanBlocks } from '../../../destinations/format/markdown/blocks.ts';
import { runs } from '../../support/property-runs.ts';
import { markdownArbitrary, prosePieces } from '../format/markdown-arbitrary.ts';
import { format, formatBody, shown } from './support/format-body.ts';

describe('the start of the body', () => {
  test('an H1 that repeats the title in any case or emphasis is removed', () => {
    for (const heading of ['# A title', '# a *TITLE* #', 'A title\n===', '\n\n# A  title']) {
      assert.equal(formatBody(`${heading}\n\nText.\n`).trimStart(), 'Text.\n', heading);
    }
  });

  test('another H1, an H2, or a title further down stays', () => {
    for (const body of ['# Another\n\nText.', '## A title\n\nText.', 'Text.\n\n# A title\n', '> # A title\n'])
      assert.equal(formatBody(body), body);
  });

  test('a body that begins with --- is not read as front matter', () => {
    assert.equal(formatBody('---\ntitle: evil\n---\n'), '***\ntitle: evil\n---\n');
    assert.equal(formatBody('# A title\n\n---\nx\n\n---\n'), '***\nx\n\n---\n');
    assert.equal(formatBody('---x'), '\\---x');
    assert.equal(formatBody('\n\n  ---\nx'), '\n\n  ***\nx');
  });
});

describe('lines', () => {
  test('soft-wrapped lines are joined, also in quotes, lists and headings', () => {
    assert.equal(formatBody('one\ntwo \n  three'), 'one two three');
    assert.equal(formatBody('> one\n> two\nthree'), '> one two three');
    assert.equal(formatBody('- one\n  two\n- three\nfour'), '- one two\n- three four');
    assert.equal(formatBody('Head\nline\n---\n\nx'), 'Head line\n---\n\nx');
    assert.equal(formatBody('one\r\ntwo\r\n'), 'one two\r\n');
    assert.equal(formatBody('[^1]\n\n[^1]: one\n    two'), '[^1]\n\n[^1]: one two');
  });

  test('a removed line leaves no space that indents the next one into a fence', () => {
    assert.equal(formatBody('- ```\n%%[w]\n%%[w]\n|---|---|'), '- ```\n|---|---|');
    assert.equal(formatBody('a\n%%[w]\nb'), 'a b');
  });

  test('intended breaks, and lines of tables, code, HTML and link definitions stay', () => {
    for (const body of [
      'one  \ntwo',
      'one\\\ntwo',
      '| a |\n|---|\n| b |\n| c |',
      '    a\n    b',
      '```\na\nb\n```',
      '<div>\na\nb\n</div>',
      '[a]: https://a.io\n[b]: https://b.io\n',
      '`a\nb`',
    ]) {
      assert.equal(formatBody(body), body);
    }
  });
});

describe('fences', () => {
  test('tildes become backticks, more than any inside, and the content stays', () => {
    assert.equal(formatBody('~~~js\nlet a\n~~~\n'), '```js\nlet a\n```\n');
    assert.equal(formatBody('- ~~~\n  a\n  ~~~~\n'), '- ```\n  a\n  ```\n');
    assert.equal(formatBody('~~~\n```\nx\n```\n~~~'), '````\n```\nx\n```\n````');
    assert.equal(formatBody('~~~ a`b\nx\n~~~'), '``` ab\nx\n```');
    assert.equal(formatBody('> ~~~\n> x\n\nafter'), '> ```\n> x\n> ```\n\nafter');
  });

  test('a fence is no longer than its content needs', () => {
    assert.equal(formatBody('````md\n{{ x }}\n`````\n'), '```md\n{{ x }}\n```\n');
    assert.equal(formatBody('`````\n````\n`````\n'), '`````\n````\n`````\n');
  });

  test('code with three backticks is reported as a loss', () => {
    assert.deepEqual(
      format({ body: 'x\n\n````\n```\n````' }).losses.map(({ code, line }) => [code, line]),
      [['nested_fence', 3]],
    );
  });
});

test('names after @ notify no one; in addresses and code they are unchanged', () => {
  assert.equal(formatBody('Ask @ann, (@bob) or a@b.co'), 'Ask @\u2060ann, (@\u2060bob) or a@b.co');
  for (const body of [
    '`@ann`',
    '```\n@ann\n```',
    '[x](https://medium.com/@ann)',
    'https://x.io/@ann',
    '<a@b.co>',
    '    @ann',
  ]) {
    assert.equal(formatBody(body), body);
  }
});

test('formatting never throws, for any article', () => {
  const article = fc.record({
    title: fc.string({ unit: 'binary' }),
    subtitle: fc.option(fc.string({ unit: 'binary' })),
    excerpt: fc.string({ unit: 'binary' }),
    tags: fc.array(fc.string({ unit: 'binary' })),
    canonicalUrl: fc.oneof(fc.string(), fc.webUrl()),
    coverImage: fc.option(fc.oneof(fc.string(), fc.webUrl())),
    body: fc.oneof(fc.string({ unit: 'binary', maxLength: 300 }), markdownArbitrary),
  });
  fc.assert(
    fc.property(article, (changes) => {
      format(changes);
    }),
    { numRuns: runs(700) },
  );
});

test('the number of fences and their content stay byte for byte', () => {
  const contents = (body: string) =>
    scanBlocks(body).flatMap((block) =>
      block.kind === 'fence' ? [block.lines.map(({ start, end }) => body.slice(start, end))] : [],
    );
  fc.assert(
    fc.property(markdownArbitrary, (body) => {
      // An unclosed fence may end in blank lines; closing it makes those part of it.
      const trim = (lines: string[][]) => lines.map((fence) => fence.join('\n').trimEnd());
      assert.deepEqual(trim(contents(formatBody(body))), trim(contents(body)));
    }),
    { numRuns: runs(1_000) },
  );
});

test('formatting is idempotent for text without Liquid', () => {
  fc.assert(
    fc.property(markdownArbitrary, (body) => {
      fc.pre(!/[{%]/.test(body));
      const once = formatBody(body, 'Another title');
      assert.equal(formatBody(once, 'Another title'), once);
    }),
    { numRuns: runs(700) },
  );
});

test('prose without anything special to Forem stays byte for byte', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...prosePieces)), (pieces) => {
      const body = pieces.join('\n\n');
      assert.equal(formatBody(body), body);
    }),
    { numRuns: runs(100) },
  );
});

for (const [name, body] of [
  [
    'dense Markdown',
    'Some *text* `code` [l](https://a.b/c)\nwrapped {{ x }}.\n\n- item\n\n```js\na\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n',
  ],
  ['brackets', '['],
  ['links that never end', '[a]('],
  ['emphasis', '*a_'],
  ['tags', '<a b="'],
  ['bars and dashes', '|-|\n'],
  ['list marks', '- '],
  ['open comments', '<!--'],
  ['quotes', '> '],
  ['ticks', '` `` '],
  ['braces', '{{'],
] as const) {
  test(`a MiB of ${name} is formatted in bounded time (A25)`, () => {
    const text = body.repeat(Math.ceil(1_048_576 / body.length));
    const started = performance.now();
    formatBody(text);
    assert.ok(performance.now() - started < 10_000, `${Math.round(performance.now() - started)} ms`);
  });
}

describe('lines of dashes, which Forem lengthens from the third on', () => {
  const yaml = (documents: number) => `\`\`\`yaml\n${'---\na: 1\n'.repeat(documents)}\`\`\`\n`;
  const dashLosses = (body: string) => format({ body }).losses.map(({ code, line }) => [code, line]);

  test('rules are rewritten if code needs their dashes', () => {
    const body = `Text\n\n---\n\n${yaml(2)}\n---\n\nEnd\n`;
    assert.equal(formatBody(body), `Text\n\n***\n\n${yaml(2)}\n***\n\nEnd\n`);
    assert.deepEqual(dashLosses(body), []);
  });

  test('code that Forem still changes is reported with its line', () => {
    assert.deepEqual(dashLosses(`Text\n\n${yaml(3)}`), [['code_changed', 8]]);
    assert.deepEqual(dashLosses(`One\n---\n\n${yaml(2)}`), [['code_changed', 7]]);
  });

  test('without such code, rules and underlines stay as they are', () => {
    const body = 'Text\n\n---\n\nHead\n---\n\n---\n\n---\n';
    assert.equal(formatBody(body), body);
    assert.deepEqual(dashLosses(body), []);
  });
});

test('attributes after the address of an image are removed, because Forem would show the image as text', () => {
  assert.equal(
    formatBody('![a](https://x.example/a.png align="center") `![b](b.png align="left")`\n'),
    '![a](https://x.example/a.png) `![b](b.png align="left")`\n',
  );
});

describe('pipes in cells of a table', () => {
  const table = (cell: string) => `| ${cell} | b |\n| - | - |\n| ${cell} | 2 |\n`;

  test('in code they are written so that Forem neither ends a column nor shows a backslash', () => {
    assert.equal(formatBody(table('`a \\|\\| b`')), table('<code>a &#124;&#124; b</code>'));
    assert.equal(formatBody(table('`` `a\\|*b*` ``')), table('<code>&#96;a&#124;&#42;b&#42;&#96;</code>'));
  });

  test('in text they are entities; code without a pipe, and code outside of tables, is unchanged', () => {
    assert.equal(formatBody(table('a \\| b `c`')), table('a &#124; b `c`'));
    assert.equal(formatBody('A `a \\| b` c.\n'), 'A `a \\| b` c.\n');
  });

  test('Liquid in such code is text too', () => {
    assert.match(formatBody(table('`{{ x \\| y }}`')), /^\| <code>\{% raw %\}&#123;/);
    assert.match(shown(table('`{{ x \\| y }}`')), /^\| <code>&#123;&#123; x &#124; y &#125;&#125;<\/code> \|/);
  });
});
