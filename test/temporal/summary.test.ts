/** Tests the summaries of workflows: short, one line, and without users' Markdown. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import remarkParse from 'remark-parse';
import { unified } from 'unified';
import { summarise } from '../../temporal/visibility/summary.ts';

const article = { authorName: 'Ann', title: 'One file, many places', platforms: {} };

test('a summary names the author, the title and the connected or possible platforms', () => {
  const ghost = { cms_site: 'ghost' };
  assert.equal(summarise(article), 'Ann: One file, many places');
  assert.equal(summarise(article, 'blogsite_a'), 'Ann: One file, many places → DEV');
  assert.equal(summarise({ ...article, platforms: ghost }, 'cms_site'), 'Ann: One file, many places → Ghost');
  assert.equal(summarise(article, 'cms_site'), 'Ann: One file, many places → WordPress or Ghost');
});

test('a long title is cut at a word', () => {
  assert.match(summarise({ ...article, title: 'Words and more '.repeat(20) }), /^Ann: (?:\w+ )+\w+…$/);
});

for (const text of [
  '# A heading',
  '> quoted',
  '- item',
  '+ item',
  '12. item',
  '1) item',
  '---',
  '===',
  '**bold** _soft_ `code` ~~gone~~ $x$',
  '[here](https://phish.example)',
  '![](https://track.example/p.png)',
  '<img src=x onerror=alert(1)>',
  '<https://auto.example>',
  '&lt;b&gt; \\*',
  '[x]: /y',
  'line\n\n# next\u2028line',
  '\u202eabc',
]) {
  test(`${JSON.stringify(text)} as a name or title is plain text on one line`, () => {
    const plain = text.replace('\u202e', '').replace(/[\n\u2028]+/g, ' ');
    for (const summary of [
      summarise({ ...article, authorName: text.slice(0, 24) }),
      summarise({ ...article, title: text }),
    ]) {
      assert.doesNotMatch(summary, /[\n\u2028\u202e]/);
      const [paragraph, ...more] = unified().use(remarkParse).parse(summary).children;
      assert.ok(paragraph?.type === 'paragraph' && more.length === 0, summary);
      const [words, ...others] = paragraph.children;
      assert.ok(words?.type === 'text' && others.length === 0, summary);
      assert.ok(words.value.includes(plain.slice(0, 20)), words.value);
    }
  });
}

test('no summary exceeds the server’s limit', () => {
  for (const character of ['\\', '*', '"', '漢', '😀']) {
    const summary = summarise(
      { authorName: character.repeat(200), title: character.repeat(500), platforms: {} },
      'cms_site',
    );
    assert.ok(Buffer.byteLength(JSON.stringify(summary)) <= 400, character);
  }
});
