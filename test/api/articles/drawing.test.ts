import assert from 'node:assert/strict';
import { test } from 'node:test';
import { drawCard } from '../../../api/articles/cards/worker.ts';
import { buildCardPath, type Card, cleanCardText, hashCard, readCardName } from '../../../article/cards/card.ts';
import { buildCardTree, fitsTitle } from '../../../article/cards/card-tree.ts';
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
  for (const name of ['a.png', `${hash}.png`, `a-${hash}`, `a-${hash.toUpperCase()}!.png`]) {
    assert.equal(readCardName(name), null);
  }
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
  assert.equal(fitsTitle('a title', lines(5, 46)), false);
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
  await same('हिन्दी में लिखना', '');
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
