import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { drawCard } from '../../../api/articles/cards/worker.ts';
import {
  buildCardPath,
  type Card,
  cleanCardText,
  describeCard,
  hashCard,
  readCardName,
} from '../../../article/cards/card.ts';
import { buildCardTree, type CardElement, fitsTitle } from '../../../article/cards/card-tree.ts';
import { buildStoredArticle, derivedArticle } from '../../article/support/stored-article.ts';
import { startProcessorWatch } from '../../support/processor-time.ts';

const CARD: Card = {
  site: 'Courant',
  title: 'A title',
  author: 'An Author',
  facts: 'November 20, 2026 · 4 min read',
  tags: ['one'],
  language: 'en',
};

test('a changed card text changes the address, from which slugs with any letters and dashes are parsed', () => {
  const hash = hashCard(CARD);
  for (const change of [{ title: 'B' }, { author: 'B' }, { facts: 'B' }, { tags: [] }, { language: null }]) {
    assert.notEqual(hashCard({ ...CARD, ...change }), hash);
  }
  for (const slug of ['a', 'a-b', 'größe', '日本語', `a-${hash}`]) {
    const name = decodeURIComponent(buildCardPath(slug, hash).slice('/cards/'.length));
    assert.deepEqual(readCardName(name), { slug, hash });
  }
  for (const name of [
    ...['a.png', `${hash}.png`, `-${hash}.png`, `a-${hash}`, `a-${hash}.pngx`, `a-${hash}xpng`],
    ...[`a-${hash.toUpperCase()}!.png`, `a-${hash.slice(1)}.png`, `a-0${hash}.png`],
  ]) {
    assert.equal(readCardName(name), null, name);
  }
});

test('a card shows the title, author, date, reading time and first three tags of an article', () => {
  const article = buildStoredArticle({ title: 'A\ntitle', tags: ['a', 'b'.repeat(25), 'c', 'd'] });
  const facts = 'November 20, 2026 · 1 min read';
  const shown = { site: 'Courant', title: 'A title', author: 'Ada', facts, language: 'en' };
  const card = describeCard(article, 'https://courant.example');
  assert.deepEqual(card, { ...shown, tags: ['a', `${'b'.repeat(24)}…`, 'c'] });
  const { author } = article;
  const long = buildStoredArticle({
    ...{ title: 't'.repeat(221), author: { ...author, name: 'n'.repeat(41) }, tags: ['x'.repeat(24)] },
    derived: { ...derivedArticle, language: null },
  });
  assert.deepEqual(describeCard(long, 'https://courant.example'), {
    ...{ site: 'Courant', title: `${'t'.repeat(220)}…`, author: `${'n'.repeat(40)}…`, facts },
    ...{ tags: ['x'.repeat(24)], language: null },
  });
  assert.equal(describeCard({ ...long, title: 't'.repeat(220) }, 'x').title, 't'.repeat(220));
});

test('the stored default card is what this code draws', async () => {
  const title = 'Articles by people who write in Markdown and publish here first';
  const drawn = await drawCard({ ...CARD, title, author: 'Courant', facts: '', tags: [] });
  const stored = await readFile(new URL('../../../api/articles/cards/default-card.png', import.meta.url));
  assert.ok(Buffer.from(drawn).equals(stored));
});

test('a card has its site and tags above the title, its author and facts below', () => {
  const tags = ['one', 'עברית'];
  const tree = buildCardTree({ ...CARD, tags, author: 'élan' }, { titleSize: 46, fontFamily: 'Inter' });
  const [head, middle, foot] = tree.props.children as [CardElement, CardElement, CardElement];
  const label = { display: 'flex', color: '#62625c', fontSize: 26 };
  assert.deepEqual(head.props.children, [
    {
      type: 'div',
      props: { style: { display: 'flex', color: '#1a5fb4', fontSize: 34, fontWeight: 700 }, children: 'Courant' },
    },
    {
      type: 'div',
      props: {
        style: { display: 'flex', gap: 24 },
        children: [
          { type: 'div', props: { style: { ...label, direction: 'ltr' }, children: '#one' } },
          { type: 'div', props: { style: { ...label, direction: 'rtl' }, children: '#עברית' } },
        ],
      },
    },
  ]);
  const [disc, author, facts] = foot.props.children as [CardElement, CardElement, CardElement];
  assert.deepEqual([disc.props.children, author.props.children], ['É', 'élan']);
  assert.deepEqual(facts.props, {
    style: { display: 'flex', color: '#62625c', fontSize: 28, direction: 'ltr' },
    children: CARD.facts,
  });
  const [title] = middle.props.children as [CardElement];
  assert.deepEqual([title.props.style.lineClamp, title.props.style.textWrap], [4, undefined]);
});

test('a card without a title shows its author in that place, and without an author the site', () => {
  const show = (card: Card) => JSON.stringify(buildCardTree(card, { titleSize: 84, fontFamily: 'Inter' }));
  const titled = (text: string) => new RegExp(`"textWrap":"balance"(,"letterSpacing":0)?},"children":"${text}"`);
  assert.match(show({ ...CARD, title: '', author: 'مرحبا' }), titled('مرحبا'));
  assert.match(show({ ...CARD, title: '', author: '' }), titled('Courant'));
});

test('a hostile title is limited in length, combining marks and direction overrides (A54)', () => {
  assert.equal(cleanCardText('x'.repeat(10_000), 220), `${'x'.repeat(220)}…`);
  assert.equal(cleanCardText(`Z${'\u0301'.repeat(9_000)}`, 220).normalize('NFD').length, 1 + 4);
  assert.equal(cleanCardText('a\u202eb\u200bc\u0000 \n d', 220), 'abc d');
  assert.equal(cleanCardText('👩‍👩‍👧👩‍👩‍👧', 1), '👩‍👩‍👧…');
});

test('a title is plain text in the drawing, and is set right to left if its first letter is', () => {
  const show = (title: string) =>
    JSON.stringify(buildCardTree({ ...CARD, title }, { titleSize: 84, fontFamily: 'Inter' }));
  assert.match(show('<img src=x>'), /"children":"<img src=x>"/);
  assert.doesNotMatch(show('<img src=x>'), /"type":"img"/);
  assert.match(show('«مرحبا» a'), /"direction":"rtl"/);
  assert.doesNotMatch(show('A مرحبا'), /"direction":"rtl"/);
});

test('a title gets the largest size at which it has at most four lines and no broken word', () => {
  const lines = (count: number, titleSize: number) => ({ titleSize, height: count * titleSize * 1.16 });
  assert.equal(fitsTitle('a title', lines(3, 84)), true);
  assert.equal(fitsTitle('a title', lines(4, 84)), false);
  assert.equal(fitsTitle('a title', lines(4, 72)), true);
  assert.equal(fitsTitle('a title', lines(4, 46)), true);
  assert.equal(fitsTitle('a title', lines(5, 46)), false);
  assert.equal(fitsTitle('a title', { titleSize: 84, height: 350 }), true);
  assert.equal(fitsTitle('a title', { titleSize: 84, height: 351 }), false);
  assert.equal(fitsTitle('x'.repeat(21), lines(1, 84)), true);
  assert.equal(fitsTitle('x'.repeat(22), lines(1, 84)), false);
  assert.equal(fitsTitle('x'.repeat(40), lines(1, 84)), true, 'too long for every size');
  assert.equal(fitsTitle(`${'x'.repeat(15)}-${'y'.repeat(15)} ${'z'.repeat(15)}`, lines(1, 84)), true);
  assert.equal(fitsTitle('pg_try_advisory_xact_lock', lines(1, 84)), false);
  assert.equal(fitsTitle('漢'.repeat(60), lines(3, 84)), true);
});

test('a card is a PNG of 1200 × 630, and letters without a font are omitted without a box', async () => {
  const png = Buffer.from(await drawCard(CARD));
  assert.equal(png.subarray(1, 4).toString(), 'PNG');
  assert.deepEqual([png.readUInt32BE(16), png.readUInt32BE(20)], [1200, 630]);
  const same = async (title: string, as: string) =>
    assert.deepEqual(
      Buffer.from(await drawCard({ ...CARD, title })),
      Buffer.from(await drawCard({ ...CARD, title: as })),
    );
  await same('A 🚀 title 👩‍👩‍👧', 'A title');
  await same('A 🚀  🚀 title', 'A title');
  await same('हिन्दी में लिखना', '');
  // Seven of ten letters are enough.
  await same('abcdefg हिन', 'abcdefg');
  await same('abcdef हिनग', '');
});

test('titles in Arabic, Hebrew, Cyrillic, Greek, Japanese, Chinese and Korean are drawn completely', async () => {
  const nothing = Buffer.from(await drawCard({ ...CARD, title: '' }));
  const titles = {
    ar: 'مرحبا بالعالم',
    he: 'שלום עולם',
    ru: 'Привет, мир',
    el: 'Γειά σου',
    vi: 'Tiếng Việt',
    ja: '日本語の題名',
    zh: '中文标题',
    ko: '한국어 제목',
  };
  for (const [language, title] of Object.entries(titles)) {
    const drawn = Buffer.from(await drawCard({ ...CARD, title, language }));
    assert.notDeepEqual(drawn, nothing, language);
  }
});

test('the slowest drawing takes far less than the thread’s time limit (A54)', async () => {
  const hostile = [
    'W'.repeat(10_000),
    '漢'.repeat(10_000),
    'क्'.repeat(5_000),
    `Z${'\u0301\u0323'.repeat(5_000)}`,
    '🚀'.repeat(5_000),
  ];
  for (const title of hostile) {
    const readUsedMs = startProcessorWatch(process.cpuUsage);
    await drawCard({ ...CARD, title: cleanCardText(title, 220) });
    const usedMs = readUsedMs();
    assert.ok(usedMs < 4_000, `${title.slice(0, 4)}: ${usedMs} ms`);
  }
});
