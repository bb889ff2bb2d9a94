/** Tests what the search index has of an article, and how a search is read. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildTagKey, buildTitleSearchKey, writeKey } from '../../../article/search/keys.ts';
import { parseSearch } from '../../../article/search/parse-search.ts';
import { buildSearchText, chooseRules, MAX_SEARCH_BODY_LENGTH } from '../../../article/search/search-text.ts';
import { cutSnippet } from '../../../article/search/snippet.ts';
import { foldWord, readRun, splitSearchWords } from '../../../article/search/words.ts';

const derived = { plainText: 'Body text.', excerpt: 'An excerpt.', headings: [], language: null };
const source = { title: 'A title', subtitle: null, tags: [], derived };

test('the words of an article are weighed by where they occur, and each is a lexeme once', () => {
  const headings = [
    { level: 2, text: 'Größe one', id: 'a' },
    { level: 3, text: 'Two', id: 'b' },
  ];
  const article = { title: 'Crème C++', subtitle: 'Sub title', tags: ['Web Dev', 'c#'] };
  assert.deepEqual(buildSearchText({ ...article, derived: { ...derived, headings, language: 'de-AT' } }), {
    rules: 'german',
    title: 'crème cplusplus',
    labels: 'web dev csharp größe one two',
    summary: 'sub title an excerpt',
    body: 'body text',
    lexemes: [
      ...['creme', 'cplusplus', 'web', 'dev', 'csharp', 'grosse', 'one', 'two', 'sub', 'title', 'an', 'excerpt'],
      ...['body', 'text', 'named/creme', 'named/cplusplus', 'named/web', 'named/dev', 'named/csharp'],
      ...['title/creme cplusplus', 'tag/Web Dev', 'tag/c#', 'rules/german'],
    ],
  });
  const { summary, lexemes } = buildSearchText(source);
  assert.equal(summary, 'an excerpt');
  assert.ok(!lexemes.some((lexeme) => lexeme.startsWith('tag/')));
});

test('the body and the labels are cut at their limits', () => {
  const plainText = `${'x '.repeat(MAX_SEARCH_BODY_LENGTH / 2 - 1)}a b`;
  const text = buildSearchText({ ...source, derived: { ...derived, plainText } });
  assert.equal(MAX_SEARCH_BODY_LENGTH, 50_000);
  assert.ok(text.lexemes.includes('a') && !text.lexemes.includes('b'));
  const { labels } = buildSearchText({ ...source, tags: [`${'x '.repeat(9_999)}a`, 'b'] });
  assert.ok(labels.endsWith('x a') && labels.length === 19_999, `${labels.length}`);
});

test('keys are cut, without half a letter at the end', () => {
  assert.equal(writeKey('author', 'id'), 'author/id');
  assert.equal(buildTagKey('x'.repeat(201)), `tag/${'x'.repeat(200)}`);
  assert.equal(buildTagKey(`${'x'.repeat(199)}\u{20000}`), `tag/${'x'.repeat(199)}\ufffd`);
  assert.equal(buildTitleSearchKey(['größe', 'x'.repeat(300)]), `title/grosse ${'x'.repeat(193)}`);
  assert.equal(buildTitleSearchKey([`${'x'.repeat(199)}\u{20000}`]), `title/${'x'.repeat(199)}\ufffd`);
});

test('each language of PostgreSQL has its rules', () => {
  const rules = {
    ...{ ar: 'arabic', ca: 'catalan', da: 'danish', de: 'german', el: 'greek', en: 'english', es: 'spanish' },
    ...{ eu: 'basque', fi: 'finnish', fr: 'french', ga: 'irish', hi: 'hindi', hu: 'hungarian', hy: 'armenian' },
    ...{ id: 'indonesian', it: 'italian', lt: 'lithuanian', nb: 'norwegian', ne: 'nepali', nl: 'dutch' },
    ...{ nn: 'norwegian', no: 'norwegian', pt: 'portuguese', ro: 'romanian', ru: 'russian', sr: 'serbian' },
    ...{ sv: 'swedish', ta: 'tamil', tr: 'turkish', yi: 'yiddish', ja: 'simple', '': 'simple' },
  };
  for (const [language, expected] of Object.entries(rules)) assert.equal(chooseRules(language), expected, language);
  assert.equal(chooseRules('PT-br'), 'portuguese');
});

test('a search keeps what was typed, in lower case, up to sixteen words and 1,000 characters', () => {
  assert.deepEqual(parseSearch('Node.js -"Event Loop" "one"'), [
    { words: ['node', 'js'], typed: 'node.js', isPhrase: false, isNegative: false },
    { words: ['event', 'loop'], typed: 'event loop', isPhrase: true, isNegative: true },
    { words: ['one'], typed: 'one', isPhrase: false, isNegative: false },
  ]);
  const words = (text: string) => parseSearch(text).flatMap((term) => term.words);
  const numbers = Array.from({ length: 17 }, (_, index) => `w${index}`);
  assert.deepEqual(words(numbers.join(' ')), numbers.slice(0, 16));
  assert.deepEqual(words(`${numbers.slice(0, 15).join(' ')} a.b`), [...numbers.slice(0, 15), 'a']);
  assert.deepEqual(words(`${' '.repeat(998)}a b`), ['a']);
  assert.deepEqual(words(`${' '.repeat(999)}a b`), ['a']);
  assert.deepEqual(words(`${' '.repeat(1_000)}a`), []);
  assert.deepEqual(words('a"b c" „d e“ «f» “g”h -'), ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']);
});

test('words are cut at 64 characters, and letters are folded by their script', () => {
  assert.deepEqual(splitSearchWords(`${'x'.repeat(64)} ${'y'.repeat(65)}`), ['x'.repeat(64), 'y'.repeat(64)]);
  const pairs = { æther: 'aether', œuvre: 'oeuvre', øl: 'ol', łódź: 'lodz', đa: 'da', það: 'thad', kız: 'kiz' };
  for (const [word, folded] of Object.entries({ ...pairs, ёлка: 'елка' })) assert.equal(foldWord(word), folded, word);
  for (const [text, words] of [
    ['j# f++ c+++ c#x xc++ C++', ['jsharp', 'fplusplus', 'c', 'c', 'x', 'xc', 'cplusplus']],
    ['漢字kana', ['漢字', 'kana']],
    ['日本語テキスト2', ['日本語', 'テキスト', '2']],
    ['ខ្មែរ', ['ខ្មែរ']],
  ] as const)
    assert.deepEqual(splitSearchWords(text), words, text);
  assert.deepEqual(['Größe', 'ABC', 'C++', '東京タワー'].map(readRun), ['grosse', 'abc', 'cplusplus', null]);
});

const mark = (text: string, search: string) =>
  cutSnippet(text, parseSearch(search))
    .map((part) => (part.isMatch ? `[${part.text}]` : part.text))
    .join('');

test('a snippet marks the forms of the searched words: short ones exactly, long ones by their beginning', () => {
  for (const [text, search, marked] of [
    ['cats cat concat', 'cat', 'cats [cat] concat'],
    ['node nodes nod', 'node', '[node] [nodes] nod'],
    ['loops looping loo', 'loop', '[loops] [looping] loo'],
    ['timers timed tim', 'timers', '[timers] [timed] tim'],
    ['timers time', 'timing', 'timers time'],
    ['running runner runs', 'running', '[running] runner runs'],
    ['a b', '-a b', 'a [b]'],
    ['日本 東京 東京', '東京', '日本 [東京] [東京]'],
    ['年 東京年', '年', '[年] 東京[年]'],
  ] as const)
    assert.equal(mark(text, search), marked, search);
});

test('a snippet has about 240 characters, from 60 before the first match, cut between words', () => {
  const filler = 'filler '.repeat(60);
  const snippet = mark(`${filler}match ${filler}`, 'match');
  assert.match(snippet, /^filler .*\[match\] .* filler$/);
  assert.ok(snippet.indexOf('[match]') <= 60 && snippet.indexOf('[match]') > 50, snippet);
  assert.ok(snippet.length <= 242 && snippet.length > 232, `${snippet.length}`);
  assert.equal(mark(`${'x'.repeat(500)} match`, 'match'), `${'x'.repeat(59)} [match]`);
  const half = mark(`${'\u{20000}'.repeat(100)}match`, 'none');
  assert.equal(half.length, 205);
  assert.equal(mark('\u{20000}'.repeat(200), 'none').length, 240);
  assert.equal(mark(`x${'\u{20000}'.repeat(200)}`, 'none').length, 239);
});

test('a snippet is chosen where most different words occur, or else at the earlier place', () => {
  const gap = 'Lorem ipsum dolor. '.repeat(20);
  assert.match(mark(`event ${gap} event loop ${gap}`, 'event loop'), /\[event\] \[loop\]/);
  assert.match(mark(`event event ${gap} event loop`, 'event loop'), /\[event\] \[loop\]/);
  assert.match(mark(`first event ${gap} second event`, 'event'), /^first \[event\]/);
});

test('a snippet of prose ends before the next listing', () => {
  const listing = 'if (x) { y = [1]; }';
  assert.equal(mark(`Some match.\n\n${listing}`, 'match'), 'Some [match].');
  assert.equal(mark(`${listing}\n\nSome match.`, 'match'), 'Some [match].');
  assert.equal(mark('match in\n  code', 'match'), '[match] in code');
  assert.equal(mark('A match.\n\n \n\nMore   words.', 'match'), 'A [match]. More words.');
});
