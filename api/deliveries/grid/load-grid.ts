/** Loads the desk's list of articles in a fixed number of queries. */
import { DESTINATION_KEYS, type DestinationKey } from '../../../article/types.ts';
import { PLATFORMS_BY_KEY } from '../../../destinations/platforms.ts';
import { findDescriptor } from '../../../destinations/registry.ts';
import { listOwnArticles, type OwnArticle } from '../../../store/articles/own-articles.ts';
import { listConnections } from '../../../store/connections/list.ts';
import type { Database } from '../../../store/db/database.ts';
import { type GridDelivery, listGridDeliveries } from '../../../store/deliveries/grid.ts';
import { countNeedingAuthor } from '../../../store/deliveries/states.ts';
import { countPageViews } from '../../../store/page-views/list-page-views.ts';
import { listOwnSeries, type OwnSeries } from '../../../store/series/list-series.ts';
import type { Cell } from './cell.ts';
import { describeCell } from './describe-cell.ts';
import { type GridFilter, type Pages, toStoreFilter, writePosition } from './read-filter.ts';

export const PAGE_LENGTH = 50;
/** Larger counts are shown as "99+". */
export const MAX_ATTENTION_COUNT = 100;
const MAX_SERIES = 200;
const VIEWS_DAYS = 30;

export interface Column {
  destination: DestinationKey;
  label: string;
}

export interface GridRow {
  article: OwnArticle;
  /** In the last 30 days. */
  views: number;
  /** One per column. */
  cells: Cell[];
}

export interface Grid {
  filter: GridFilter;
  columns: Column[];
  rows: GridRow[];
  /** Cursors of the adjacent pages; null if there is none. */
  newer: string | null;
  older: string | null;
  attentionCount: number;
  series: OwnSeries[];
  connections: Connection[];
}

export type Connection = Awaited<ReturnType<typeof listConnections>>[number];

export async function loadGrid(
  db: Database,
  { authorId, now }: { authorId: string; now: Date },
  { filter, pages }: { filter: GridFilter; pages: Pages },
): Promise<Grid> {
  const [connections, found, attentionCount, series] = await Promise.all([
    listConnections(db, authorId),
    // One extra article shows whether there is another page.
    listOwnArticles(db, authorId, { filter: toStoreFilter(filter), limit: PAGE_LENGTH + 1, ...pages }),
    countNeedingAuthor(db, authorId, MAX_ATTENTION_COUNT),
    listOwnSeries(db, authorId, { limit: MAX_SERIES, after: null }),
  ]);
  const hasMore = found.length > PAGE_LENGTH;
  const isBackwards = pages.before !== null;
  const articles = isBackwards ? found.slice(-PAGE_LENGTH) : found.slice(0, PAGE_LENGTH);
  const deliveries = await loadDeliveries(db, authorId, articles);
  const columns = listColumns(connections, [...deliveries.values()].flat());
  const views = await countPageViews(db, listIds(articles), findFirstDay(now));
  const cursorOf = (article: OwnArticle | undefined) => (article ? writePosition(filter, article) : null);
  return {
    ...{ filter, columns, attentionCount, series, connections },
    rows: articles.map((article) => ({
      article,
      views: views.get(article.id) ?? 0,
      cells: fillCells(article, columns, { connections, deliveries: deliveries.get(article.id) ?? [] }),
    })),
    newer: (isBackwards ? hasMore : pages.after !== null) ? cursorOf(articles[0]) : null,
    older: isBackwards || hasMore ? cursorOf(articles.at(-1)) : null,
  };
}

/** Loads the cells of several articles, for bulk commands. */
export async function loadCells(
  db: Database,
  authorId: string,
  articles: readonly OwnArticle[],
): Promise<Map<string, Cell[]>> {
  const [connections, deliveries] = await Promise.all([
    listConnections(db, authorId),
    loadDeliveries(db, authorId, articles),
  ]);
  return new Map(
    articles.map((article) => {
      const articleDeliveries = deliveries.get(article.id) ?? [];
      return [
        article.id,
        fillCells(article, listColumns(connections, articleDeliveries), { connections, deliveries: articleDeliveries }),
      ];
    }),
  );
}

/** Lists the destinations that are connected or have a delivery. */
export function listColumns(connections: readonly Connection[], deliveries: readonly GridDelivery[]): Column[] {
  const used = new Set([...connections, ...deliveries].map(({ destination }) => destination));
  return DESTINATION_KEYS.filter((key) => used.has(key)).map((key) => nameColumn(key, connections, deliveries));
}

export function fillCells(
  article: OwnArticle,
  columns: readonly Column[],
  { connections, deliveries }: { connections: readonly Connection[]; deliveries: readonly GridDelivery[] },
): Cell[] {
  return columns.map(({ destination }) =>
    describeCell({
      ...{ destination, article },
      connection: connections.find((candidate) => candidate.destination === destination) ?? null,
      delivery: deliveries.find((candidate) => candidate.destination === destination) ?? null,
    }),
  );
}

/** First day of the displayed page views, in UTC. */
export function findFirstDay(now: Date): string {
  return new Date(now.getTime() - (VIEWS_DAYS - 1) * 86_400_000).toISOString().slice(0, 10);
}

function nameColumn(
  destination: DestinationKey,
  connections: readonly Connection[],
  deliveries: readonly GridDelivery[],
): Column {
  const hasDestination = (row: { destination: DestinationKey }) => row.destination === destination;
  const platform = connections.find(hasDestination)?.platform ?? deliveries.find(hasDestination)?.platform;
  const name = platform ?? PLATFORMS_BY_KEY[destination][0] ?? destination;
  return { destination, label: findDescriptor(name)?.label ?? name };
}

async function loadDeliveries(db: Database, authorId: string, articles: readonly OwnArticle[]) {
  const rows = articles.length === 0 ? [] : await listGridDeliveries(db, { authorId, articleIds: listIds(articles) });
  return Map.groupBy(rows, ({ articleId }) => articleId);
}

function listIds(articles: readonly OwnArticle[]): string[] {
  return articles.map(({ id }) => id);
}
