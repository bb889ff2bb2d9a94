/** LinkedIn's payload: commentary, card, hashtags, losses and refusals. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { DeliverableArticle } from '../../../article/types.ts';
import { formatArticle } from '../../../destinations/linkedin/format.ts';
import { linkedin } from '../../../destinations/linkedin/index.ts';
import { escapeLittleText } from '../../../destinations/linkedin/little-text.ts';
import { readLittleText } from '../../../sandbox/linkedin/little-text.ts';
import { runs } from '../../support/property-runs.ts';
import { makeArticle } from '../destination-harness.ts';

const format = (changes: Partial<DeliverableArticle>) => formatArticle(makeArticle(changes));
const escapeAll = (text: string) => escapeLittleText(text, Number.POSITIVE_INFINITY).text;
const unescaped = (text: string) => text.replace(/\\([\\|{}@[\]()<>#*_~])/g, '$1');

/**
 * Texts with critical content: reserved signs, addresses, hashtags, halves of characters, several
 * scripts.
 */
const textArbitrary = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'binary', maxLength: 20 }),
      fc.string({ maxLength: 20 }),
      fc.constantFrom(
        ...['\\', '\\\\', '#tag', '@[Ann](urn:li:person:1)', '{hashtag|\\#|x}', 'https://x.io/a_b#c(d)', 'http://'],
        ...['(https://x.io)', '😀', '👩‍👩‍👧', 'नमस्ते', '\ud83d', ' ', '\n', 'word '],
      ),
    ),
    { maxLength: 40 },
  )
  .map((parts) => parts.join(''));

test('the payload is the request: text, hashtags and a card that links to the canonical page', () => {
  const { payload, losses, refusal } = format({
    title: 'A title',
    excerpt: 'What it is about.',
    canonicalUrl: 'https://blog.example.com/post',
    tags: ['C#', 'Machine learning', 'Node.js'],
  });
  assert.deepEqual(payload, {
    cover: 'https://blog.example.com/cover.png',
    commentary: 'A title\n\nWhat it is about.\n\n#csharp #machinelearning #nodejs',
    visibility: 'PUBLIC',
    distribution: { feedDistribution: 'MAIN_FEED', targetEntities: [], thirdPartyDistributionChannels: [] },
    content: {
      article: { source: 'https://blog.example.com/post', title: 'A title', description: 'What it is about.' },
    },
    lifecycleState: 'PUBLISHED',
    isReshareDisabledByAuthor: false,
  });
  assert.deepEqual([losses, refusal], [[], null]);
  assert.deepEqual(JSON.parse(JSON.stringify(payload)), payload);
});

describe('little text', () => {
  test('every reserved sign is escaped, addresses are not', () => {
    assert.equal(
      escapeAll('a_b (c) [d] {e} <f> |g| \\ @h #i *j* ~k~'),
      String.raw`a\_b \(c\) \[d\] \{e\} \<f\> \|g\| \\ \@h \#i \*j\* \~k\~`,
    );
    assert.equal(escapeAll('See https://x.io/a_b?c=d#e~f.'), 'See https://x.io/a_b?c=d#e~f.');
    assert.equal(escapeAll('(https://x.io/a)'), String.raw`\(https://x.io/a\)`);
    assert.equal(escapeAll('https://[x](y)'), String.raw`https://\[x\]\(y\)`);
  });

  test('removing the escapes restores the text, and LinkedIn shows all of it', () => {
    fc.assert(
      fc.property(textArbitrary, (text) => {
        const escaped = escapeAll(text);
        assert.equal(unescaped(escaped), text.toWellFormed());
        assert.equal(readLittleText(escaped), text.toWellFormed().slice(0, readLittleText(escaped).length));
        if (escaped.length <= 3000) assert.equal(readLittleText(escaped), text.toWellFormed());
      }),
      { numRuns: runs(1_000) },
    );
  });

  test('a cut text respects its length, and does not end within an escape, a character or an address', () => {
    fc.assert(
      fc.property(textArbitrary, fc.integer({ min: 1, max: 80 }), (text, length) => {
        const cut = escapeLittleText(text, length);
        assert.ok(cut.text.length <= length);
        assert.ok(cut.text.isWellFormed());
        assert.equal(cut.isCut, escapeAll(text).length > length);
        if (!cut.isCut) return;
        assert.ok(cut.text.endsWith('…'));
        const visible = cut.text.slice(0, -1);
        assert.ok(escapeAll(text).startsWith(visible));
        assert.equal(readLittleText(visible), unescaped(visible));
        // Every backslash still precedes its sign: without such pairs no backslash remains.
        assert.ok(!visible.replace(/\\[\\|{}@[\]()<>#*_~]/g, '').includes('\\'));
      }),
      { numRuns: runs(700) },
    );
    assert.deepEqual(escapeLittleText('see https://x.io/a-long-address now', 20), { text: 'see…', isCut: true });
  });
});

test('no commentary has more than 3,000 characters, and its hashtags are never cut', () => {
  fc.assert(
    fc.property(textArbitrary, textArbitrary, fc.integer({ min: 1, max: 40 }), (title, excerpt, times) => {
      const { payload, losses } = format({ title: title.repeat(times), excerpt: excerpt.repeat(times), tags: ['tag'] });
      assert.ok(payload.commentary.length <= 3000);
      assert.ok(payload.commentary.endsWith('\n\n#tag'));
      assert.ok(payload.content.article.title.length <= 200);
      assert.ok((payload.content.article.description ?? '').length <= 256);
      assert.ok(JSON.stringify(payload).isWellFormed());
      const shown = readLittleText(payload.commentary);
      assert.ok(shown.endsWith('\n\n#tag'));
      // A title may leave no space for a word of the excerpt.
      const isAlone = payload.commentary.split('\n\n').length === 2;
      if (losses.some(({ code }) => code === 'text_cut')) assert.ok(isAlone || payload.commentary.includes('…'));
    }),
    { numRuns: runs(300), examples: [['a'.repeat(2994), '!', 1]] },
  );
  const long = format({ excerpt: 'word_ '.repeat(1000) });
  assert.ok(long.payload.commentary.length > 2900);
  assert.deepEqual(
    long.losses.map(({ code, path }) => [code, path]),
    [['text_cut', 'excerpt']],
  );
});

test('hashtags are one word of letters and digits, three of them, none twice', () => {
  const formatTags = (...tags: string[]) => {
    const { payload, losses } = format({ tags });
    return { line: payload.commentary.split('\n\n')[2], lost: losses.map(({ code }) => code) };
  };
  assert.deepEqual(formatTags('#Node.js', 'node js', 'हिन्दी', '日本語'), { line: '#nodejs #हिन्दी #日本語', lost: [] });
  assert.deepEqual(formatTags('a', 'b', 'c', 'd'), { line: '#a #b #c', lost: ['tag_dropped'] });
  assert.deepEqual(formatTags('❤️', '1️⃣', 'x'.repeat(101)), { line: '#1', lost: ['tag_dropped', 'tag_dropped'] });
  assert.deepEqual(formatTags(), { line: undefined, lost: [] });
});

test('hostile titles and excerpts are plain text, in the commentary and on the card', () => {
  const { payload } = format({ title: '\u001b[2J{hashtag|\\#|x}\u202e', excerpt: '@[Bill](urn:li:person:1)\r\n#spam' });
  assert.equal(
    readLittleText(payload.commentary),
    '{hashtag|\\#|x}\n\n@[Bill](urn:li:person:1) #spam\n\n#node #testing',
  );
  assert.doesNotMatch(payload.commentary, /(?<!\\)[@{[(|]/);
  assert.equal(payload.content.article.title, '{hashtag|\\#|x}');
});

test('a title too long for the card is a loss', () => {
  const { payload, losses } = format({ title: 'word '.repeat(50) });
  assert.ok(payload.content.article.title.length <= 200);
  assert.deepEqual(
    losses.map(({ code }) => code),
    ['title_cut'],
  );
});

test('a cover without a full web address is a loss', () => {
  const { payload, losses } = format({ coverImage: 'img/cover.png' });
  assert.equal(payload.cover, null);
  assert.deepEqual(
    losses.map(({ code, path }) => [code, path]),
    [['cover_dropped', 'cover_image']],
  );
  assert.deepEqual(format({ coverImage: null }).losses, []);
});

test('an excerpt that is empty or repeats the title is omitted', () => {
  assert.equal(format({ title: 'T', excerpt: 'T', tags: [] }).payload.commentary, 'T');
  const bare = format({ title: 'T', excerpt: ' ', tags: [] }).payload;
  assert.deepEqual([bare.commentary, 'description' in bare.content.article], ['T', false]);
});

test('an empty title or an invalid canonical URL is refused', () => {
  assert.equal(format({ title: '\u200e' }).refusal?.code, 'title_missing');
  assert.equal(format({ canonicalUrl: 'javascript:alert(1)' }).refusal?.code, 'canonical_invalid');
  assert.equal(format({ canonicalUrl: 'http://localhost:3000/post' }).refusal, null);
});

test('the URN of a post is read from its address', () => {
  for (const [url, urn] of [
    ['https://www.linkedin.com/feed/update/urn:li:share:7141138937766391808/', 'urn:li:share:7141138937766391808'],
    ['https://www.linkedin.com/feed/update/urn%3Ali%3AugcPost%3A71?x=y', 'urn:li:ugcPost:71'],
    ['https://www.linkedin.com/posts/ann_title-share-7141138937766391808-AbCd/', 'urn:li:share:7141138937766391808'],
    ['https://www.linkedin.com/feed/update/urn:li:activity:71/', null],
    ['https://www.linkedin.com/in/ann', null],
    ['', null],
    // Addresses of another post, of another site, or of no post.
    ['https://www.linkedin.com/feed/update/urn:li:activity:71/?commentUrn=urn:li:comment:(urn:li:share:99,1)', null],
    ['https://www.linkedin.com/feed/#urn:li:share:71', null],
    ['https://linkedin.com.example.org/feed/update/urn:li:share:71/', null],
    ['https://blog.example.com/feed/update/urn:li:share:71/', null],
    ['https://blog.example.com/market-share-71-up', null],
  ] as const) {
    assert.equal(linkedin.readPostUrl?.(url, 'https://api.linkedin.com'), urn, url);
  }
  const url = 'http://127.0.0.1:4100/linkedin/feed/update/urn:li:share:71/';
  assert.equal(linkedin.readPostUrl?.(url, 'http://127.0.0.1:4100/linkedin'), 'urn:li:share:71');
  assert.equal(linkedin.readPostUrl?.(url, 'http://127.0.0.1:4200/linkedin'), null);
});
