/**
 * The HTML of the list of articles and of an article's page, so that no change goes unnoticed.
 * `node --test --test-update-snapshots test/api/deliveries/recorded-pages.test.ts` writes it.
 */
import { type TestContext, test } from 'node:test';
import type { ArticleView } from '../../../api/deliveries/article/load-article.ts';
import { renderArticleActions, renderDeletePage, renderDeskArticlePage } from '../../../api/deliveries/article/page.ts';
import { type Cell, describeCell } from '../../../api/deliveries/grid/describe-cell.ts';
import { renderFirstSteps, renderSetUp } from '../../../api/deliveries/grid/first-steps.ts';
import { renderCell, renderCellActions } from '../../../api/deliveries/grid/grid-cell.ts';
import type { Grid, GridRow } from '../../../api/deliveries/grid/load-grid.ts';
import { renderListPage } from '../../../api/deliveries/grid/page.ts';
import type { Html } from '../../../api/web/html.ts';
import type { OwnArticle } from '../../../store/articles/own-articles.ts';
import type { GridDelivery } from '../../../store/deliveries/grid.ts';
import { recordHtml } from '../../support/api/record-html.ts';
import { ARTICLE as CELL_ARTICLE, derive, FOREM, failed, LIVE, MEDIUM, REFUSED, unknown } from './support/cell-rows.ts';

const [BEFORE, AT, LATER] = [9, 10, 11].map((hour) => new Date(Date.UTC(2026, 5, 1, hour))) as [Date, Date, Date];

const ARTICLE: OwnArticle = {
  ...{ id: 'a1', slug: 'a slug', title: 'A <title>', status: 'PUBLISHED', revision: 2, tags: [], seriesId: null },
  ...{ partPosition: null, scheduledAt: null, scheduledZone: null, publishedAt: BEFORE, createdAt: BEFORE },
  ...{ updatedAt: BEFORE, deletedAt: null, dispatch: 1, dispatchedAt: BEFORE, imported: false, createdMicros: 1 },
  selected: ['blogsite_a'],
};
const SCHEDULED = { status: 'SCHEDULED', publishedAt: null, scheduledAt: LATER, scheduledZone: '+02:00' } as const;
const DRAFT = { status: 'DRAFT', publishedAt: null } as const;

function cell(columns: Partial<GridDelivery> | null, connection: typeof FOREM | null = FOREM): Cell {
  const destination = connection?.destination ?? 'blogsite_a';
  const delivery =
    columns && derive({ destination, platform: connection?.platform ?? 'forem', ...columns }, CELL_ARTICLE);
  return describeCell({ destination, connection, article: CELL_ARTICLE, delivery });
}

const NOT_SELECTED = describeCell({
  ...{ destination: 'blogsite_b', connection: null, delivery: null },
  article: { ...CELL_ARTICLE, selected: [] },
});
const DELIVERED = cell({ ...LIVE, state: 'delivered' });
const RETRYING = cell({ error: 'It was busy.', nextAttemptAt: LATER });
const UNKNOWN = { ...cell({ ...unknown, attempts: 4 }, MEDIUM), reason: 'Look there.' };
const LONG = cell({ ...failed('rejected'), error: `${'Some words. '.repeat(20)}The end.` });
const CONNECT = cell({ ...failed('rejected'), nextAttemptAt: LATER }, REFUSED);
const OFFERED = {
  ...cell({ state: 'stale', errorCode: 'other_account', error: 'It is elsewhere.' }),
  reason: 'Offered.',
};

const CONNECTION: Grid['connections'][number] = {
  ...{ destination: 'blogsite_a', platform: 'forem', baseUrl: 'https://dev.to', account: null, status: 'active' },
  ...{ statusReason: null, blockedUntil: null, createdAt: BEFORE, updatedAt: BEFORE },
};
const GRID: Grid = {
  ...{ filter: { view: 'all', tag: '', seriesId: '', search: '' }, attentionCount: 0, series: [] },
  ...{ connections: [CONNECTION], columns: ['DEV', 'Medium'], rows: [], newer: null, older: null },
};
const row = (more: Partial<OwnArticle>, cells: Cell[], views = 1_234): GridRow => ({
  ...{ article: { ...ARTICLE, ...more }, cells, views },
});
const record = (context: TestContext, name: string, parts: Record<string, Html | string | null>) =>
  recordHtml(context, import.meta.dirname, name, parts);

test('the list of articles has the recorded HTML in all its states', (context) => {
  const list = (more: Partial<Grid>, zone: string | null = null) =>
    renderListPage({ ...GRID, ...more }, { back: '/desk?q=a&tag=b', zone, steps: null });
  const rows = [
    row({}, [DELIVERED, NOT_SELECTED]),
    row({ id: 'a2', ...SCHEDULED }, [RETRYING, UNKNOWN], 0),
    row({ id: 'a3', ...DRAFT, imported: true }, [LONG, CONNECT]),
    row({ id: 'a4', ...DRAFT }, [OFFERED, NOT_SELECTED]),
  ];
  const series = [
    { id: 's1', title: 'One', createdAt: BEFORE, titleKey: 'one' },
    { id: 's2', title: 'Two <b>', createdAt: BEFORE, titleKey: 'two' },
  ];
  const busy = Array.from({ length: 37 }, (_, index) => row({ id: `b${index}` }, [RETRYING]));
  record(context, 'list', {
    'four articles, of which some need attention': list(
      { rows, attentionCount: 2, newer: 'n', older: 'o' },
      'Asia/Tokyo',
    ),
    'rejected credentials, and no article that matches': list({
      filter: { view: 'needs-attention', tag: 't"', seriesId: '', search: 's' },
      attentionCount: 99,
      connections: [
        CONNECTION,
        { ...CONNECTION, status: 'unauthorised' },
        { ...CONNECTION, platform: 'other', account: '@ada', status: 'unauthorised' },
      ],
    }),
    'the first page of a series, and more than 99 articles that need attention': list({
      ...{ filter: { ...GRID.filter, seriesId: 's2' }, attentionCount: 100, series, rows: rows.slice(0, 1) },
      older: 'o',
    }),
    'the last page of a search': list({ filter: { ...GRID.filter, search: 's' }, rows: rows.slice(0, 1), newer: 'n' }),
    'articles with a tag': list({ filter: { ...GRID.filter, tag: 't' }, rows: rows.slice(3) }),
    '36 deliveries with buttons': list({ rows: busy.slice(1), columns: ['DEV'] }).text.slice(0, 4_000),
    '37 deliveries without': list({ rows: busy, columns: ['DEV'] }).text.slice(0, 4_000),
  });
});

test('a cell of the list has the recorded HTML, in full and in brief', (context) => {
  const cells = { DELIVERED, RETRYING, UNKNOWN, LONG, CONNECT, OFFERED, NOT_SELECTED };
  const parts = Object.entries(cells).flatMap(([name, described]) => [
    [`${name}, in full`, renderCell('a1', described, false)],
    [`${name}, in brief`, renderCell('a1', described, true)],
    [`${name}, the actions on the page of the article`, renderCellActions('a1', described, '/desk/articles/a1')],
  ]);
  record(context, 'cells', {
    ...Object.fromEntries(parts),
    'commands of an article that is not selected': renderCell(
      'a1',
      { ...NOT_SELECTED, commands: RETRYING.commands },
      false,
    ),
    'a next attempt that waits for the author': renderCell('a1', { ...RETRYING, isUnderWay: false }, false),
  });
});

test('the first steps have the recorded HTML', (context) => {
  record(context, 'first-steps', {
    'nothing is done': renderFirstSteps({ isConnected: false, hasToken: false }),
    connected: renderFirstSteps({ isConnected: true, hasToken: false }),
    'with a token': renderFirstSteps({ isConnected: false, hasToken: true }),
    'an operator, nothing is done': renderSetUp({ hasName: false, hasDestination: false, hasArticle: false }),
    'an operator, with an article': renderSetUp({ hasName: true, hasDestination: false, hasArticle: true }),
  });
});

const VIEW: ArticleView = {
  ...{ article: ARTICLE, attempts: [], notices: [], series: undefined, cells: [], formerCopies: [], signal: {} },
  ...{ pageViews: { firstDay: '2026-05-03', days: [] }, zone: null, temporalUiUrl: null },
};
const COPY: ArticleView['formerCopies'][number] = {
  ...{ articleId: 'a1', destination: 'blogsite_a', url: '', account: null, isUncertain: false },
  ...{ isWithdrawn: true, message: 'It is withdrawn.' },
};
const ATTEMPT: ArticleView['attempts'][number] = {
  ...{ destination: 'blogsite_a', platform: 'forem', account: null, action: 'create', revision: 1, wasSent: true },
  ...{ startedAt: BEFORE, repeatedAt: null, answeredAt: null, endedAt: null, nextAttemptAt: null },
  ...{ outcome: null, code: null, reason: null, answerKind: null, answerReason: null },
};

test('the page of an article has the recorded HTML in all its states', (context) => {
  const page = (more: Partial<ArticleView>, article: Partial<OwnArticle> = {}) =>
    renderDeskArticlePage({ ...VIEW, ...more, article: { ...ARTICLE, ...article } }).text.replace(
      /<datalist id="zones">(<option value="[^"]+"><\/option>)+<\/datalist>/,
      (zones) => `<datalist id="zones">${zones.includes('"Europe/Lisbon"')}</datalist>`,
    );
  const day = (name: string, views: number) => ({ day: name, views, readingSeconds: views * 50 });
  record(context, 'article', {
    'public, with everything': page(
      {
        cells: [DELIVERED, UNKNOWN, CONNECT, NOT_SELECTED],
        formerCopies: [
          { ...COPY, account: '@old' },
          { ...COPY, message: 'It stays.' },
        ],
        notices: [
          { articleId: 'a1', code: 'a', message: 'It was late.', createdAt: BEFORE },
          { articleId: 'a1', code: 'b', message: `From ${AT.toISOString()} to ${LATER.toISOString()}.`, createdAt: AT },
        ],
        attempts: [
          { ...ATTEMPT, account: '@ada', answeredAt: AT, answerKind: 'rejected', reason: '<No>.', outcome: 'failed' },
          { ...ATTEMPT, nextAttemptAt: LATER },
        ],
        series: { id: 's1', title: 'A series', createdAt: BEFORE, titleKey: 'a' },
        signal: { search: true, 'ai-input': false, 'ai-train': false },
        pageViews: {
          firstDay: '2026-05-03',
          days: [day('2026-05-03', 4), day('2026-06-01', 1_200), day('2026-06-02', 7)],
        },
        temporalUiUrl: 'http://ui.example/namespaces/default',
      },
      { tags: ['one', 'two words'] },
    ),
    'a draft, without anything': page({}, DRAFT),
    'a draft of an author with a time zone, and one view': page(
      {
        zone: 'Europe/Berlin',
        signal: { search: false },
        pageViews: { firstDay: '2026-05-03', days: [day('2026-05-31', 1)] },
      },
      DRAFT,
    ),
    'scheduled in another zone': page(
      { zone: 'Europe/Berlin', signal: { 'ai-train': true, 'ai-input': true } },
      SCHEDULED,
    ),
    deleted: page({ temporalUiUrl: 'http://ui.example', cells: [cell(null)] }, { deletedAt: LATER }),
    'as many attempts as are shown': page({ attempts: Array(200).fill(ATTEMPT) }).slice(-700),
    'one attempt less': page({ attempts: Array(199).fill(ATTEMPT) }).slice(-700),
  });
});

test('the actions of an article and the page that deletes it have the recorded HTML', (context) => {
  record(context, 'actions', {
    public: renderArticleActions(ARTICLE),
    draft: renderArticleActions({ ...ARTICLE, ...DRAFT }),
    deleted: renderArticleActions({ ...ARTICLE, deletedAt: AT }),
    'delete, without copies': renderDeletePage(ARTICLE, []),
    'delete, with copies': renderDeletePage(ARTICLE, [COPY, { ...COPY, isWithdrawn: false, message: 'It stays.' }]),
  });
});
