import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseSearch } from '../../../article/search/parse-search.ts';
import { buildSearchText, chooseRules } from '../../../article/search/search-text.ts';
import { cutSnippet } from '../../../article/search/snippet.ts';
import { foldWord, splitSearchWords } from '../../../article/search/words.ts';
import { runs } from '../../support/property-runs.ts';

const ANY_TEXT = fc.string({ unit: 'binary', maxLength: 400 });

test('words are lowercase letters and digits; scripts without spaces are segmented', () => {
  for (const [text, words] of [
    ['Node.js v1.2', ['node', 'js', 'v1', '2']],
    ['C++, C# and F#', ['cplusplus', 'csharp', 'and', 'fsharp']],
    ['ＦＵＬＬ width', ['full', 'width']],
    ['東京タワー', ['東京', 'タワー']],
    ['ภาษาไทย', ['ภาษา', 'ไทย']],
    ['हिन्दी', ['हिन्दी']],
    ['𠀀𑜝', ['𠀀']],
    ['🙂 !&| \u0000', []],
  ] as const)
    assert.deepEqual(splitSearchWords(text), words, text);
});

test('marks are removed unless they form another letter', () => {
  for (const [word, folded] of [
    ['größe', 'grosse'],
    ['crème', 'creme'],
    ['τίποτα', 'τιποτα'],
    ['мой', 'мой'],
    ['ガ', 'ガ'],
    ['हिन्दी', 'हिन्दी'],
  ] as const)
    assert.equal(foldWord(word), folded.normalize('NFC'), word);
});

test('any text is parsed as a search for words of letters, digits and marks only (A45)', () => {
  fc.assert(
    fc.property(ANY_TEXT, (text) => {
      const terms = parseSearch(text);
      assert.ok(terms.flatMap(({ words }) => words).length <= 16);
      for (const { words } of terms) {
        assert.ok(words.length > 0);
        for (const word of words) assert.match(word, /^[\p{L}\p{N}][\p{L}\p{N}\p{M}]{0,63}$/u);
      }
      assert.ok(terms.length === 0 || terms.some(({ isNegative }) => !isNegative));
    }),
    { numRuns: runs(100) },
  );
});

test('quotes make phrases, a minus excludes a word, and a search with only exclusions finds nothing', () => {
  const read = (text: string) =>
    parseSearch(text).map(
      ({ words, isPhrase, isNegative }) => `${isNegative ? '-' : ''}${isPhrase ? '"' : ''}${words.join(' ')}`,
    );
  assert.deepEqual(read('event loop -node "garbage collector" -“memory leak”'), [
    'event',
    'loop',
    '-node',
    '"garbage collector',
    '-"memory leak',
  ]);
  assert.deepEqual(read('web-dev -- "unpaired quote'), ['web dev', 'unpaired', 'quote']);
  assert.deepEqual(read('-only'), []);
  assert.deepEqual(read("'':* &|! \u0000"), []);
  assert.equal(parseSearch('x '.repeat(5_000)).length, 16);
});

test('the search text of an article is bounded, and keys are never words', () => {
  fc.assert(
    fc.property(ANY_TEXT, ANY_TEXT, fc.array(ANY_TEXT, { maxLength: 5 }), (title, plainText, tags) => {
      const headings = [{ level: 2, text: plainText, id: 'x' }];
      const derived = { plainText, excerpt: title, headings, language: 'en' };
      const { lexemes, rules } = buildSearchText({ title, subtitle: null, tags, derived });
      assert.equal(rules, 'english');
      for (const lexeme of lexemes) assert.ok(lexeme !== '' && lexeme.length <= 210);
      for (const word of splitSearchWords(plainText)) assert.ok(lexemes.includes(foldWord(word)));
    }),
    { numRuns: runs(100) },
  );
});

test('a language has its rules in every region; words of other languages are not stemmed', () => {
  assert.equal(chooseRules('de-AT'), 'german');
  for (const language of ['zh-Hant', 'xx', null, 'constructor']) assert.equal(chooseRules(language), 'simple');
});

test('a snippet is a piece of the text, and its marked parts match the search', () => {
  fc.assert(
    fc.property(ANY_TEXT, fc.string({ unit: 'grapheme', maxLength: 30 }), (text, search) => {
      const parts = cutSnippet(`${text} ${search} ${text}`, parseSearch(search));
      const whole = parts.map((part) => part.text).join('');
      assert.ok(whole.length <= 260);
      assert.ok(`${text} ${search} ${text}`.replace(/\s+/g, ' ').toWellFormed().includes(whole));
      assert.ok(whole.isWellFormed());
    }),
    { numRuns: runs(100) },
  );
  const long = `${'Filler text. '.repeat(100)}Here the runner ran <b>past</b> a loop.${' More filler.'.repeat(100)}`;
  const parts = cutSnippet(long, parseSearch('running loop'));
  assert.ok(parts.some(({ text, isMatch }) => isMatch && text === 'loop'));
  assert.ok(
    parts
      .map(({ text }) => text)
      .join('')
      .includes('<b>past</b>'),
  );
});
