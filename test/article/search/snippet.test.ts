import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseSearch } from '../../../article/search/parse-search.ts';
import { cutSnippet } from '../../../article/search/snippet.ts';
import { runs } from '../../support/property-runs.ts';

const PADDING = 'Lorem ipsum dolor sit amet. '.repeat(40);

test('a snippet shows the place where the search matches', () => {
  const thai = 'การเขียนโปรแกรมเป็นภาษาไทย'.repeat(30);
  for (const [q, text, marked] of [
    ['ช้างเผือก', `${thai}ช้างเผือก${thai}`, 'ช้างเผือก'],
    ['東京', `${'日本語の本文です'.repeat(100)}東京タワーは高い`, '東京'],
    ['grosse', `${PADDING}Die Größe der Dinge`, 'Größe'],
    ['creme', `${PADDING}la Cre\u0300me fraîche`, 'Cre\u0300me'],
    ['c++', `${PADDING}written in C++ today`, 'C++'],
    ['timer', `${PADDING}All Timers fire`, 'Timers'],
    ['cat', `${PADDING}A category, and a cat.`, 'cat'],
  ] as const)
    assert.equal(
      cutSnippet(text, parseSearch(q))
        .map(({ text: part, isMatch }) => (isMatch ? part : ''))
        .join(''),
      marked,
      q,
    );
});

test('in a text without spaces, all words of the search are marked, in any order', () => {
  for (const q of ['タワー 東京', '東京 タワー']) {
    const parts = cutSnippet('東京のタワーは高い', parseSearch(q));
    const shown = parts.map(({ text, isMatch }) => (isMatch ? `[${text}]` : text)).join('');
    assert.equal(shown, '[東京]の[タワー]は高い', q);
  }
});

test('a snippet prefers prose to a listing and begins with the paragraph', () => {
  const text = [
    'First words.',
    'with next as (\n  select id from jobs\n  for update skip locked\n)\ndelete from jobs',
    'Each worker locks a row that nobody else has locked.',
    'articles/\n  skip-locked/\n    index.md',
    'The last words.',
  ].join('\n\n');
  const cut = (q: string) =>
    cutSnippet(text, parseSearch(q))
      .map((part) => part.text)
      .join('');
  assert.equal(cut('locked'), 'Each worker locks a row that nobody else has locked.');
  assert.match(cut('skip'), /^with next as \( select id from jobs for update skip locked/);
  assert.equal(cut('nowhere'), 'First words.');
});

test('for any search, the pieces together are a piece of the text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 400 }), fc.string({ unit: 'grapheme' }), (text, q) => {
      const whole = text.replace(/\s+/g, ' ').trim().toWellFormed();
      const shown = cutSnippet(text, parseSearch(q)).map((part) => part.text);
      assert.ok(whole.includes(shown.join('')));
      assert.ok(shown.every((part) => part !== ''));
    }),
    { numRuns: runs(100) },
  );
});

test('fifty long texts without spaces are cut in bounded time', () => {
  const text = '日本語の本文です'.repeat(7_000);
  const terms = parseSearch('本 日 語 文 で す の 電 波 塔 に つ い て 書 き');
  const begin = performance.now();
  for (let n = 0; n < 50; n++) cutSnippet(text, terms);
  assert.ok(performance.now() - begin < 5_000);
});
