/** Documents for property tests: lines that open, continue, close and break each other. */
import fc from 'fast-check';

const LINES = [
  ...[
    '',
    '',
    'text',
    'more text  ',
    'a `b` c',
    '`open',
    'end`',
    '\\`',
    '> quote',
    '> > deep',
    '- item',
    '  goes on',
    '1. one',
  ],
  ...[
    '    indented',
    '\ttab',
    '```',
    '```js',
    '````',
    '~~~',
    '~~~ruby',
    '> ~~~',
    '- ```',
    '  ~~~',
    '<div>',
    '<!-- c',
    '-->',
  ],
  ...[
    '---',
    '***',
    '===',
    '# Head',
    '| a | b |',
    '|---|---|',
    '[^1]: note',
    'see[^1]',
    '[a]: https://a.io',
    '@ann',
    'a@b.co',
  ],
  ...[
    '%[https://x.io]',
    '%%[w]',
    '100%[link](https://x.io)',
    '{{ x }}',
    '{% y %}',
    '{%',
    '}}',
    '# A title',
    '[^two]: two',
    '[^two]',
  ],
];

export const markdownArbitrary = fc
  .array(fc.constantFrom(...LINES), { maxLength: 16 })
  .map((lines) => lines.join('\n'));

/** Blocks that no destination changes. */
export const prosePieces = [
  'One line of prose, with *emphasis*, **strength** and a [link](https://a.io/b_c_d?e=f&g=100%25).',
  '## A heading',
  '- an item\n- another\n  - nested',
  '1. one\n2. two',
  '> A quote.',
  '```js\nconst a = `x $1`;\n```',
  '| a | b |\n| --- | --- |\n| 1 | 2 |',
  '![alt](https://a.io/b.png "title")',
  'Ünïcödé, 日本語, 😀 and a hard  \nbreak.',
  '<details>\n<summary>More</summary>\n</details>',
  '5 % of 10 { and }',
];
