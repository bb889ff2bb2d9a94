/** The filter of the desk's list: read from a query, written into links and cursors. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import {
  buildListPath,
  type GridFilter,
  isEmptyFilter,
  readFilter,
  readPages,
  toStoreFilter,
  writePosition,
} from '../../../api/deliveries/grid/read-filter.ts';
import { nameList, writeCursor } from '../../../api/web/lists/cursor.ts';

const ALL: GridFilter = { view: 'all', tag: '', seriesId: '', search: '' };
const SERIES = randomUUID();

test('a filter is read from the query; invalid values do not filter', () => {
  const query = { state: 'drafts', tag: ' a\n tag ', series: SERIES, q: 'words' };
  assert.deepEqual(readFilter(query), { view: 'drafts', tag: 'a tag', seriesId: SERIES, search: 'words' });
  assert.deepEqual(readFilter({}), ALL);
  assert.deepEqual(readFilter({ state: 'x', tag: ['a'], series: 'x', q: 7 }), ALL);
  assert.deepEqual(readFilter({ q: 'x'.repeat(201), tag: `${' '.repeat(300)}${'x'.repeat(200)}` }), {
    ...{ ...ALL, search: 'x'.repeat(200), tag: 'x'.repeat(100) },
  });
});

for (const [filter, stored, path] of [
  [{}, {}, '/desk'],
  [{ view: 'needs-attention' }, { needsAuthor: true }, '/desk?state=needs-attention'],
  [{ view: 'published' }, { status: 'PUBLISHED' }, '/desk?state=published'],
  [{ view: 'scheduled' }, { status: 'SCHEDULED' }, '/desk?state=scheduled'],
  [{ view: 'drafts' }, { status: 'DRAFT' }, '/desk?state=drafts'],
  [{ tag: 'c&a' }, { tag: 'c&a' }, '/desk?tag=c%26a'],
  [{ seriesId: SERIES }, { seriesId: SERIES }, `/desk?series=${SERIES}`],
  [{ search: 'two words' }, { search: 'two words' }, '/desk?q=two+words'],
] satisfies [Partial<GridFilter>, object, string][]) {
  test(`the link ${path} filters by ${JSON.stringify(stored)}`, () => {
    const complete = { ...ALL, ...filter };
    assert.deepEqual(toStoreFilter(complete), stored);
    assert.equal(buildListPath(complete), path);
    assert.equal(isEmptyFilter(complete), path === '/desk');
    assert.deepEqual(readFilter(Object.fromEntries(new URL(path, 'http://x').searchParams)), complete);
  });
}

test('the link of a page has the filter and a cursor', () => {
  assert.equal(buildListPath({ ...ALL, tag: 'a' }, { after: 'x' }), '/desk?tag=a&after=x');
  assert.equal(buildListPath(ALL, { before: 'y' }), '/desk?before=y');
});

const ARTICLE = { id: randomUUID(), createdMicros: 1_790_000_000_000_001, partPosition: 3 };
const BY_TIME = { createdAt: ARTICLE.createdMicros, id: ARTICLE.id };

test('a list is continued after or before an article, by time or by the part of a series', () => {
  const cursor = writePosition(ALL, ARTICLE);
  assert.deepEqual(readPages({ after: cursor }, ALL), { after: BY_TIME, before: null });
  assert.deepEqual(readPages({ before: cursor }, ALL), { after: null, before: BY_TIME });
  assert.deepEqual(readPages({ after: cursor, before: cursor }, ALL), { after: BY_TIME, before: null });
  const ofSeries = { ...ALL, seriesId: SERIES };
  for (const partPosition of [3, -7]) {
    const after = writePosition(ofSeries, { ...ARTICLE, partPosition });
    assert.deepEqual(readPages({ after }, ofSeries).after, { partPosition, id: ARTICLE.id });
  }
  const first = writePosition(ofSeries, { ...ARTICLE, partPosition: null });
  assert.deepEqual(readPages({ after: first }, ofSeries).after, { partPosition: 0, id: ARTICLE.id });
});

test('an invalid cursor, or one of another list, gives the first page', () => {
  const ofSeries = { ...ALL, seriesId: SERIES };
  const none = { after: null, before: null };
  const write = (filter: GridFilter, position: object, list: unknown[] = ['desk', filter]) =>
    writeCursor(nameList(list), position);
  const { id } = ARTICLE;
  assert.ok(readPages({ after: write(ofSeries, { place: 2 ** 31 - 1, id }) }, ofSeries).after);
  for (const [filter, after] of [
    [ALL, undefined],
    [ALL, 'x'],
    [ALL, [write(ALL, BY_TIME)]],
    [ALL, write(ofSeries, BY_TIME)],
    [ALL, write(ALL, BY_TIME, ['other', ALL])],
    [ALL, write(ALL, { ...BY_TIME, id: 'x' })],
    [ALL, write(ALL, { ...BY_TIME, createdAt: '7' })],
    [ALL, write(ALL, { place: 1, id })],
    [ofSeries, write(ofSeries, BY_TIME)],
    [ofSeries, write(ofSeries, { place: 2 ** 31, id })],
    [ofSeries, write(ofSeries, { place: -(2 ** 31), id })],
    [ofSeries, write(ofSeries, { place: 1.5, id })],
    [ofSeries, write(ofSeries, { place: 1, id: 'x' })],
    [ofSeries, write(ofSeries, { place: 1, id: 7 })],
  ] as const) {
    assert.deepEqual(readPages({ after }, filter), none, String(after));
  }
});
