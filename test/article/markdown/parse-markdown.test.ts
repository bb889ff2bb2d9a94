/** Tests that a parser without the constructs that cannot match returns the same tree. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseGfm } from '../../../article/markdown/parse-markdown.ts';
import { runs } from '../../support/property-runs.ts';

/** A paragraph with all required texts, so that no construct is disabled. */
const EVERYTHING = 'a@b | www.\n\n';
const UNITS = [
  'a',
  'b.c',
  '@',
  '|',
  '-',
  '\n',
  '\n\n',
  'www.',
  'WWW.',
  ':',
  ' ',
  '`',
  '*',
  '[',
  ']',
  '(',
  ')',
  '<',
  '>',
  '~',
  '# ',
];

test('a text without e-mail addresses, tables or “www.” has the same tree as with their constructs', () => {
  const texts = fc.array(fc.constantFrom(...UNITS), { maxLength: 30 }).map((units) => units.join(''));
  fc.assert(
    fc.property(texts, (text) => {
      const [, ...expected] = parseGfm(`${EVERYTHING}${text}`).children;
      assert.deepEqual(withoutPositions(parseGfm(text).children), withoutPositions(expected));
    }),
    { numRuns: runs(2_000) },
  );
});

/** `data` contains the positions of destinations. */
function withoutPositions(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, (key, field) => (key === 'position' || key === 'data' ? undefined : field)));
}
