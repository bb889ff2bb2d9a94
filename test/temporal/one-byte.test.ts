/** Tests that escaped programs behave as the originals. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runInNewContext } from 'node:vm';
import { escapeNonAscii } from '../../temporal/escape-non-ascii.ts';

const PROGRAMS = [
  `'a “quoted” word, a 😀 and a \\u00e9'`,
  `'an escaped \\“, a \\\\“ after a backslash, and \\\\\\…'`,
  '(([text]) => text)`“a” – 😀`',
  `'x”😀'.replace(/[”😀]/u, '.').replace(/😀/g, '-')`,
  `'a”😀b'.split(/[”]/)`,
  `'say „so“'.match(/(?<![^\\s"“”„«»])[“”„](?<word>[^“]*)/).groups.word`,
  `({ é: 1, '…': /* — */ 2 })`,
];

for (const program of PROGRAMS) {
  test(`an escaped program has the same result: ${program}`, () => {
    const written = escapeNonAscii(program);
    assert.match(written, /^\p{ASCII}+$/u);
    const answer = (text: string) => JSON.stringify(runInNewContext(text));
    assert.equal(answer(written), answer(program));
  });
}

test('a raw template with non-ASCII characters is rejected', () => {
  assert.throws(() => escapeNonAscii('String.raw`\\d“`'), /raw template/);
  assert.equal(escapeNonAscii('String.raw`\\d` + `“`'), 'String.raw`\\d` + `\\u201c`');
});
