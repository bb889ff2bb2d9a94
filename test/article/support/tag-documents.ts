/** Generates documents with HTML tags in any order; each paragraph has words of its own. */
import fc from 'fast-check';

const NAMES =
  'script style template svg math title textarea noscript iframe object video audio xmp plaintext noembed noframes select button form canvas picture table details summary div p li td ul b i a span head body html pre h2 T applet marquee br img'.split(
    ' ',
  );

const tag = fc
  .tuple(
    fc.constantFrom(...NAMES),
    fc.constantFrom(
      '<N>',
      '<N>',
      '</N>',
      '</N>',
      '<N />',
      '<N/>',
      '<N title="a>b">',
      "<N src='https://a.example/x' />",
    ),
    fc.boolean(),
  )
  .map(([name, shape, isUpper]) => shape.replace('N', isUpper ? name.toUpperCase() : name));
const odd = fc.constantFrom(
  '<!-- never',
  '<!-- c -->',
  '<?php',
  '<? x ?>',
  '<![CDATA[',
  '<![CDATA[ x ]]>',
  '<!X',
  '<x y="',
  '</',
  '<',
);
const WORD = 'WORD';
const pieces = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.constant(WORD) },
    { weight: 3, arbitrary: tag },
    odd,
    fc.constantFrom(`*${WORD}*`, `\`${WORD}\``),
  ),
  {
    minLength: 1,
    maxLength: 6,
  },
);
const lines = pieces.map((parts) => parts.join(' '));
const block = fc.oneof(
  { weight: 5, arbitrary: fc.tuple(lines, fc.constantFrom(WORD, '')).map((parts) => parts.join(' ')) },
  fc.tuple(lines, lines).map((parts) => parts.join('\n')),
  lines.map((line) => `- ${line}\n- ${WORD}`),
  lines.map((line) => `> ${line}\n>\n> ${WORD}`),
  lines.map((line) => `## ${line}`),
  lines.map((line) => `| a | b |\n|---|---|\n| ${line.replaceAll('|', '')} | ${WORD} |`),
  fc.constant(`\`\`\`js\n${WORD}\n\`\`\``),
  fc.tuple(tag, fc.constantFrom('\n', ' ')).map(([start, gap]) => `${start}${gap}${WORD}`),
);

/** Words are `qw1x`, `qw2x` … in order. */
export const tagDocuments = fc.array(block, { minLength: 1, maxLength: 7 }).map((blocks) => {
  let count = 0;
  return blocks.join('\n\n').replaceAll(WORD, () => {
    count += 1;
    return `qw${count}x`;
  });
});

export function listWords(text: string): string[] {
  return [...new Set(text.match(/qw\d+x/g) ?? [])];
}
