/** Forem's payload, except the body. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { DeliverableArticle } from '../../../article/types.ts';
import { formatArticle } from '../../../destinations/forem/format.ts';
import { makeArticle } from '../destination-harness.ts';

const format = (changes: Partial<DeliverableArticle>) => formatArticle(makeArticle(changes));
const listLossCodes = (changes: Partial<DeliverableArticle>) => format(changes).losses.map(({ code }) => code);

test('the payload uses JSON keys only, is published, and always contains the tags', () => {
  const { payload, losses, refusal } = format({
    title: 'T',
    subtitle: 'Sub',
    tags: [],
    body: 'Text.\n',
    coverImage: null,
  });
  assert.deepEqual(payload, {
    title: 'T',
    body_markdown: 'Text.\n',
    published: true,
    tags: [],
    canonical_url: payload.canonical_url,
    description: 'Sub',
    main_image: null,
  });
  assert.deepEqual([losses, refusal], [[], null]);
});

describe('tags', () => {
  test('tags are mapped to ASCII letters and digits, once each', () => {
    const tags = ['Machine-Learning', 'C#', 'c++', 'machine learning'];
    assert.deepEqual(format({ tags }).payload.tags, ['machinelearning', 'csharp', 'cpp']);
    assert.deepEqual(format({ tags: ['#Réseau', '.NET'] }).payload.tags, ['reseau', 'dotnet']);
    assert.deepEqual(listLossCodes({ tags }), []);
  });

  test('a fifth tag, one too long and one without letters are dropped and reported', () => {
    const result = format({ tags: ['日本語', 'x'.repeat(31), 'a', 'b', 'c', 'd', 'e'] });
    assert.deepEqual(result.payload.tags, ['a', 'b', 'c', 'd']);
    assert.deepEqual(
      result.losses.map(({ code, path }) => [code, path]),
      Array(3).fill(['tag_dropped', 'tags']),
    );
  });
});

test('a title over 128 characters is cut at a word and reported', () => {
  const { payload, losses } = format({ title: 'word '.repeat(40) });
  assert.ok([...payload.title].length <= 128 && payload.title.endsWith('word…'));
  assert.deepEqual(
    losses.map(({ code }) => code),
    ['title_cut'],
  );
  assert.equal([...format({ title: '😀'.repeat(200) }).payload.title].length, 128);
});

test('a cover that is not a web address, a table of contents and closed comments are losses', () => {
  assert.deepEqual(listLossCodes({ coverImage: '/cover.png', generateToc: true, commentsEnabled: false }), [
    'cover_dropped',
    'toc_dropped',
    'comments_open',
  ]);
});

test('an article that Forem would certainly refuse is refused here', () => {
  assert.equal(format({ body: 'é'.repeat(410 * 1024) }).refusal?.code, 'body_too_large');
  assert.equal(format({ body: 'e'.repeat(800 * 1024) }).refusal, null);
  assert.equal(format({ title: ' \u0007 ' }).refusal?.code, 'title_missing');
  assert.equal(format({ canonicalUrl: 'https://a.io/with space' }).refusal?.code, 'canonical_invalid');
  assert.equal(format({ canonicalUrl: 'ftp://a.io/' }).refusal?.code, 'canonical_invalid');
});

test('Liquid that is not run is a loss with its first line, except in code and addresses', () => {
  const listLossLines = (body: string) =>
    format({ body }).losses.flatMap(({ code, line }) => (code === 'liquid_as_text' ? [line] : []));
  assert.deepEqual(listLossLines('Text.\n\nA {{ x }} and\n{% youtube abc %}.\n\n{{ y }}\n'), [3]);
  assert.deepEqual(listLossLines('`{{ x }}`\n\n```\n{% raw %}\n```\n\n[a](https://example.com/{{x}})\n'), []);
});
