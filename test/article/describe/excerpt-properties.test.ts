import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { cutAtSentence, cutAtWord } from '../../../article/describe/cut-text.ts';
import { countWords } from '../../../article/describe/keywords/count-words.ts';
import { runs } from '../../support/property-runs.ts';
import { derive } from '../support/documents.ts';

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });
const words = new Intl.Segmenter('en', { granularity: 'word' });

const texts = fc.array(
  fc.oneof(
    fc.constantFrom(
      'A queue keeps the orders safe. ',
      'Die Küche öffnet um sechs Uhr. ',
      '消息队列可以保证订单不会丢失。',
      'メッセージキューは注文を失いません。',
      'الطابور يحفظ الطلبات حتى الصباح. ',
      '👩‍👩‍👧‍👦👍🏽🇩🇪',
      'é̂̃ ',
      'Hello! ',
      'as follows: ',
      '\n\n',
    ),
    fc.string({ unit: 'grapheme', maxLength: 40 }),
  ),
  { maxLength: 30 },
);
const markers = fc.constantFrom(
  '{{< x >}}',
  '{{% y %}}',
  '{% z %}',
  '{{ a.b }}',
  '`{{ a.b }}`',
  ':::note\n',
  ':::',
  '[[page]]',
  '%[https://a.example/]',
  '[^1]',
  '[text](https://a.example/)',
  '[toc]',
  '<!-- c -->',
  '%%x%%',
  '{/* truncate */}',
);
const documents = fc.array(
  fc.oneof(
    texts.map((parts) => parts.join('')),
    markers,
    fc.constantFrom('\n\n', ' ', '\n- ', '\n# '),
  ),
  { maxLength: 20 },
);

test('an excerpt of any text is bounded, has one line and contains no marker', async () => {
  await fc.assert(
    fc.asyncProperty(documents, async (parts) => {
      const { excerpt, tldr } = await derive(parts.join(''));
      assert.ok(excerpt.length <= 500 && tldr.length <= 300, `${excerpt.length} ${tldr.length}`);
      assert.doesNotMatch(excerpt, /\{\{|\}\}|\{%|%\}|:::|\[\[|\]\]|%\[|\[\^|\]\(|<!--|-->|%%|\{\/\*|\n/, excerpt);
      assert.ok(excerpt.isWellFormed());
    }),
    { numRuns: runs(150) },
  );
});

test('a cut text respects its length and graphemes, and is a prefix of the text', () => {
  fc.assert(
    fc.property(texts, fc.integer({ min: 2, max: 200 }), (parts, length) => {
      const text = parts.join('');
      const cut = cutAtWord(text, length);
      assert.ok(cut.length <= length, `${cut.length} > ${length}`);
      if (cut === text) return;
      const prefix = cut.slice(0, -1);
      assert.ok(cut.endsWith('…') && text.startsWith(prefix));
      const ends = new Set([0, ...[...graphemes.segment(text)].map(({ index, segment }) => index + segment.length)]);
      assert.ok(ends.has(prefix.length), JSON.stringify({ text, cut }));
      assert.ok(cutAtSentence(text, length).length <= length);
    }),
    { numRuns: runs(500) },
  );
});

test('both ways of counting words follow Unicode', () => {
  const characters = fc.constantFrom(...`aZ09__.:,;'"-/@ \t\né’中文`);
  fc.assert(
    fc.property(fc.string({ unit: characters, maxLength: 20 }), (text) => {
      const lines = text.split('\n').flatMap((line) => [...words.segment(line)]);
      assert.equal(countWords(text), lines.filter(({ isWordLike }) => isWordLike === true).length);
    }),
    { numRuns: runs(700) },
  );
});
