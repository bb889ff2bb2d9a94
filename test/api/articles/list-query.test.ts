/** Tests which queries a list of articles accepts, and the errors of others. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readListQuery } from '../../../api/articles/listing/list-query.ts';
import { readListCursor, toEntry, toEntryList } from '../../../api/articles/listing/read-list.ts';
import { createAbsenceProblem } from '../../../api/articles/page/absence.ts';
import { catchProblem } from '../../support/api/catch-problem.ts';
import { buildCard } from './support/rendered.ts';

test('a query has its defaults, and its search text and tag are normalised', () => {
  assert.deepEqual(readListQuery({}), { terms: null, q: null, tag: null, author: null, first: 20, after: null });
  const { terms, ...query } = readListQuery({ q: ' a\nb ', tag: '#Web Dev', author: 'ada', first: '050', after: 'x' });
  assert.deepEqual(query, { q: 'a b', tag: 'web dev', author: 'ada', first: 50, after: 'x' });
  assert.deepEqual(
    terms?.map(({ words }) => words),
    [['a'], ['b']],
  );
  assert.deepEqual(readListQuery({ q: '!' }).terms, []);
  assert.equal(readListQuery({ first: '1' }).first, 1);
});

test('the values at a limit are accepted, and those above it are named with the limit', () => {
  assert.equal(readListQuery({ q: 'x'.repeat(200) }).q?.length, 200);
  assert.equal(readListQuery({ after: 'x'.repeat(500) }).after?.length, 500);
  const problem = catchProblem(() =>
    readListQuery({
      ...{ q: 'x'.repeat(201), tag: '\0', author: '\0', first: '51', after: 'x'.repeat(501) },
      ...{ [`l${'o'.repeat(60)}ng`]: '1' },
    }),
  );
  assert.deepEqual(
    [problem.statusCode, problem.code, problem.message],
    [400, 'bad_parameter', 'Some parameters of the address are not valid; see errors.'],
  );
  assert.deepEqual(problem.errors, [
    {
      path: `l${'o'.repeat(49)}`,
      message: 'is not a parameter of this list; the parameters are q, tag, author, first, after.',
    },
    { path: 'q', message: 'has more than 200 characters.' },
    { path: 'tag', message: 'is not a tag.' },
    { path: 'author', message: 'is not a user name.' },
    { path: 'after', message: 'is not a cursor; use next of the previous page.' },
    { path: 'first', message: 'must be a whole number from 1 to 50.' },
  ]);
});

test('a repeated parameter and a number in another notation are rejected', () => {
  assert.deepEqual(catchProblem(() => readListQuery({ tag: ['a', 'b'] })).errors, [
    { path: 'tag', message: 'occurs more than once.' },
  ]);
  for (const first of ['0', '-1', '1.5', '1e1', '0x1', ' 1', '1 ', '0001', ''])
    assert.deepEqual(
      catchProblem(() => readListQuery({ first })).errors.map(({ path }) => path),
      ['first'],
      first,
    );
  assert.deepEqual(
    catchProblem(() => readListQuery({ toString: '1', tag: ' ' })).errors.map(({ path }) => path),
    ['toString', 'tag'],
  );
});

test('a cursor that is no cursor, or of another list, is rejected with what to do', () => {
  const own = { q: null, tag: 'a', author: null };
  const problem = catchProblem(() => readListCursor(own, 'x'));
  assert.deepEqual(
    [problem.statusCode, problem.code, problem.message, problem.errors],
    [
      ...[400, 'bad_cursor', 'The list cannot be continued with this cursor; see errors.'],
      [{ path: 'after', message: 'is not a cursor; use next of the previous page.' }],
    ],
  );
});

test('an article that is not shown gives 404, or 410 after a withdrawal', () => {
  const [withdrawn, absent] = [createAbsenceProblem({ kind: 'withdrawn' }), createAbsenceProblem({ kind: 'nothing' })];
  assert.deepEqual(
    [withdrawn, absent].map(({ statusCode, code, message }) => [statusCode, code, message]),
    [
      [410, 'withdrawn', 'This article is no longer published.'],
      [404, 'not_found', 'No published canonical article has this slug.'],
    ],
  );
});

const SITE = 'https://courant.example';

test('an entry of a list has the metadata and the addresses of an article', () => {
  const url = `${SITE}/gr%C3%B6%C3%9Fe`;
  const document = `${SITE}/api/geo/posts/gr%C3%B6%C3%9Fe`;
  const entry = {
    ...{ slug: 'größe', title: 'On <size>', subtitle: null, excerpt: 'What fits.', url, tags: ['c#', '..'] },
    ...{ language: 'ar', readingTimeMinutes: 3, coverImage: null, canonicalUrl: url, series: null },
    author: { name: 'Ada & Co', username: 'ada', url: `${SITE}/authors/ada` },
    ...{ publishedAt: '2026-11-20T10:00:00.000Z', updatedAt: '2026-11-21T10:00:00.000Z' },
    links: { markdown: `${url}.md`, document, description: `${document}/description` },
  };
  assert.deepEqual(toEntry(buildCard(), SITE), entry);
  const series = { seriesId: 's1', seriesTitle: 'A series', seriesPart: 2 };
  const full = toEntry(buildCard({ ...series, givenCanonicalUrl: 'https://elsewhere.example/x' }), SITE);
  assert.deepEqual(
    [full.series, full.canonicalUrl],
    [{ id: 's1', title: 'A series', part: 2 }, 'https://elsewhere.example/x'],
  );
  assert.equal(toEntry(buildCard({ ...series, seriesTitle: null }), SITE).series, null);
  const snippet = [
    { text: 'a ', isMatch: false },
    { text: 'b', isMatch: true },
  ];
  const page = { cards: [buildCard(), { ...buildCard(), snippet }], next: 'more', lastModified: null };
  assert.deepEqual(toEntryList(page, SITE), {
    data: [
      entry,
      {
        ...entry,
        snippet: [
          { text: 'a ', match: false },
          { text: 'b', match: true },
        ],
      },
    ],
    next: 'more',
  });
});
