/** Tests where texts are split into sentences and cut. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cutAtSentence, cutAtWord, joinSentences } from '../../../article/describe/cut-text.ts';
import { dropAddresses, endsInAbbreviation, splitSentences } from '../../../article/describe/sentences.ts';

test('a text is split at the ends of sentences, and not at abbreviations or within words', () => {
  for (const [text, ...sentences] of [
    ['One. Two? Three! ', 'One.', 'Two?', 'Three!'],
    ['See e.g. This. And vs. That.', 'See e.g. This.', 'And vs. That.'],
    ['Node.js runs. It is fast.', 'Node.js runs.', 'It is fast.'],
    ['Wait... what? Yes.', 'Wait... what?', 'Yes.'],
    ['Ask Dr. Who. Mr. X. Fig. 3 shows it.', 'Ask Dr. Who.', 'Mr. X.', 'Fig. 3 shows it.'],
    ['今日は。明日も。', '今日は。', '明日も。'],
    ['  '],
  ] as [string, ...string[]][])
    assert.deepEqual(splitSentences(text), sentences, text);
  const abbreviations = `e.g. E.g. i.e. I.e. vs. cf. viz. approx. incl. resp. Mr. Mrs. Ms. Dr. Prof. Jr. vol. Vol. fig. Figs.
    z.B. d.h. u.a. bzw. ca. evtl. ggf. vgl. Vgl. z. Z. d.`;
  for (const word of abbreviations.split(/\s+/)) {
    assert.equal(endsInAbbreviation(`a ${word}`), true, word);
    assert.equal(endsInAbbreviation(`(${word} `), true, word);
  }
  for (const text of ['et al.', 'z. B.', 'p. ej.']) assert.equal(endsInAbbreviation(text), true, text);
  for (const text of ['a word.', 'xe.g.', 'e.g', 'xvs.', 'Dr']) assert.equal(endsInAbbreviation(text), false, text);
});

test('addresses of the web are removed', () => {
  assert.equal(dropAddresses('See HTTPS://x.example/a?b or www.y.example, mailto:a@b'), 'See   or   mailto:a@b');
  assert.equal(dropAddresses('wwwx. and x://y'), 'wwwx. and x://y');
});

test('a text is cut at a word, without an open bracket or punctuation before the ellipsis', () => {
  for (const [text, length, cut] of [
    ['one two three', 13, 'one two three'],
    ['one two three', 12, 'one two…'],
    ['one two three', 8, 'one two…'],
    ['one two, three', 10, 'one two…'],
    ['one two (three four', 16, 'one two…'],
    ['abcdefghijklmnop', 8, 'abcdefg…'],
    ['a bcdefghijklmnop', 10, 'a bcdefgh…'],
    ['👩‍👩‍👧👩‍👩‍👧', 10, '👩‍👩‍👧…'],
  ] as const)
    assert.equal(cutAtWord(text, length), cut, text);
});

test('as many whole sentences are kept as fit, or the first is cut', () => {
  assert.equal(cutAtSentence('One. Two. Three.', 9), 'One. Two.');
  assert.equal(cutAtSentence('One. Two. Three.', 8), 'One.');
  assert.equal(cutAtSentence('One two three. Four.', 10), 'One two…');
  assert.equal(cutAtSentence('今日は。明日も。', 8), '今日は。明日も。');
  assert.deepEqual(
    [joinSentences('A.', 'B.'), joinSentences('', 'B.'), joinSentences('A.', ''), joinSentences('甲。', '乙。')],
    ['A. B.', 'B.', 'A.', '甲。乙。'],
  );
  for (const end of '！？；：」』】）') assert.equal(joinSentences(`甲${end}`, '乙'), `甲${end}乙`);
});
