/** Numbers, durations and days of statistics in words, and the complete HTML of both pages. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  formatCompactNumber,
  formatDaySpan,
  formatNumber,
  formatReadingTime,
  formatShare,
  nameStep,
  renderChange,
} from '../../../api/readers/statistics/describe.ts';
import { renderArticleStatisticsPage, renderStatisticsPage } from '../../../api/readers/statistics/page.ts';
import type { Html } from '../../../api/web/html.ts';
import { layOutRange } from '../../../store/calendar/ranges.ts';
import type { Counts, Metric } from '../../../store/statistics/count-steps.ts';
import type { Sources } from '../../../store/statistics/list-sources.ts';
import type { RankedArticle } from '../../../store/statistics/rank-articles.ts';
import { recordHtml } from '../../support/api/record-html.ts';

const NOW = new Date('2026-11-22T12:00:00Z');
const WEEK = layOutRange('7d', { zone: 'UTC', now: NOW });
const YEAR = layOutRange('12m', { zone: 'UTC', now: NOW });

test('durations have at most two units', () => {
  for (const [seconds, text] of [
    [0, '0 s'],
    [59.4, '59 s'],
    [59.6, '60 s'],
    [60, '1 min'],
    [89, '1 min'],
    [90, '2 min'],
    [3_569, '59 min'],
    [3_570, '1 h'],
    [3_660, '1 h 1 min'],
    [7_500, '2 h 5 min'],
    [10_740, '2 h 59 min'],
    [4_334_400, '1,204 h'],
  ] as const) {
    assert.equal(formatReadingTime(seconds), text);
  }
});

test('numbers are grouped or short, and a share of nothing is zero', () => {
  assert.deepEqual(
    [formatNumber(1_234_567), formatCompactNumber(1_250), formatCompactNumber(999)],
    ['1,234,567', '1.3K', '999'],
  );
  assert.deepEqual([formatShare(1, 3), formatShare(0, 0), formatShare(2, 2)], ['33%', '0%', '100%']);
});

test('steps are named by day or month, a span by its first and last day', () => {
  const [day, month] = [WEEK.steps[0], YEAR.steps[0]];
  assert.ok(day && month);
  assert.deepEqual(nameStep(WEEK, day), { name: 'Mon, Nov 16, 2026', short: 'Nov 16' });
  assert.deepEqual(nameStep(YEAR, month), { name: 'December 2025', short: 'Dec' });
  assert.equal(formatDaySpan(WEEK.total), 'Nov 16, 2026 to Nov 22, 2026');
});

test('a change is a signed percentage with a tone, unless the previous range counted nothing', () => {
  const change = (total: number, before: number) => renderChange({ total, before }, (value) => `${value} s`).text;
  assert.equal(change(0, 0), '<span class="soft small">no earlier data either</span>');
  assert.equal(change(3, 0), '<span class="soft small">no earlier data</span>');
  for (const [total, state] of [
    [15, '<span class="state good">+50%</span>'],
    [5, '<span class="state warn">−50%</span>'],
    [10, '<span class="state">0%</span>'],
  ] as const) {
    assert.equal(change(total, 10), `${state} <span class="soft small">from 10 s</span>`);
  }
});

const NONE: Counts = { steps: Array(7).fill(0), total: 0, before: 0 };
const HOURS: Counts = { steps: [0, 7_200, 3_600, ...Array(9).fill(0)], total: 10_800, before: 21_600 };
const NOTHING: Record<Metric, Counts> = {
  ...{ views: NONE, readingSeconds: NONE, reactions: NONE, comments: NONE, followers: NONE, subscribers: NONE },
};
const NO_SOURCES: Sources = { listed: [], more: { hosts: 0, views: 0 }, views: 0 };
const FACTS = { range: WEEK, zone: 'Europe/Lisbon', counts: NOTHING, sources: NO_SOURCES };
const EMPTY = { articles: [], count: 0, deletedViews: 0 };
const ARTICLE: RankedArticle = {
  ...{ id: 'a1', title: 'First', slug: 'first', status: 'PUBLISHED', views: 1_200, readingSeconds: 72_000 },
  ...{ reactions: 4, steps: [0, 1, 2, 3, 4, 5, 6] },
};

test('the statistics of an author have the recorded HTML', (context) => {
  const page = (facts: Partial<typeof FACTS>, ranking: typeof EMPTY | { articles: RankedArticle[] }, number = 1) =>
    renderStatisticsPage({ ...FACTS, ...facts, ranking: { ...EMPTY, ...ranking } }, { page: number, pageLength: 2 });
  const cut = (from: string, page: Html) => page.text.slice(page.text.indexOf(from));
  const second: RankedArticle = { ...ARTICLE, id: 'a2', title: '', status: 'DRAFT', views: 0, steps: Array(7).fill(0) };
  const articles = [ARTICLE, second];
  const months = page({ range: YEAR, counts: { ...NOTHING, readingSeconds: HOURS } }, { articles });
  recordHtml(context, import.meta.dirname, 'statistics', {
    'nothing published': page({}, EMPTY),
    'an earlier view alone': page({ counts: { ...NOTHING, views: { ...NONE, before: 1 } } }, EMPTY).text.slice(
      0,
      1_000,
    ),
    'views and sources': page(
      {
        counts: {
          ...NOTHING,
          views: { steps: [0, 1, 2, 3, 40, 5, 6], total: 57, before: 50 },
          readingSeconds: { steps: [0, 60, 120, 0, 7_199, 60, 0], total: 7_439, before: 0 },
        },
        sources: {
          listed: [
            { host: 'direct', views: 30 },
            { host: 'xn--bcher-kva.example', views: 20 },
            { host: 'plain.example', views: 5 },
            { host: 'other', views: 1 },
          ],
          ...{ more: { hosts: 1_000, views: 1 }, views: 57 },
        },
      },
      { articles, count: 2, deletedViews: 1_500 },
    ),
    'the first of three pages': cut('<h2 id="articles"', page({}, { articles, count: 5, deletedViews: 3 })),
    'the second page': cut('<h2 id="articles"', page({}, { articles, count: 5, deletedViews: 3 }, 2)),
    'hours by month': cut('aria-labelledby="readingSeconds"', months).split('<section')[0] ?? '',
    'the last page, by month': cut(
      '<h2 id="articles"',
      page(
        {
          range: YEAR,
          sources: { listed: [{ host: 'direct', views: 0 }], more: { hosts: 0, views: 0 }, views: 0 },
        },
        { articles: [ARTICLE], count: 5, deletedViews: 0 },
        3,
      ),
    ),
  });
});

test('the statistics of an article have the recorded HTML', (context) => {
  const page = (article: object) =>
    renderArticleStatisticsPage({
      ...{
        ...FACTS,
        sources: { listed: [{ host: 'xn--pple-43d.com\u202e', views: 1 }], more: { hosts: 0, views: 0 }, views: 1 },
      },
      article: { id: 'a1', title: 'First', slug: 'f/irst', status: 'PUBLISHED', ...article },
    });
  recordHtml(context, import.meta.dirname, 'article-statistics', {
    public: page({}).text.slice(0, 1_100),
    'a draft without a title': page({ title: '', status: 'DRAFT' }).text.slice(0, 400),
  });
});
