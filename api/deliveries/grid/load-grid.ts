/** Loads the desk's list of articles in a fixed number of queries. */
import { DESTINATION_KEYS, type DestinationKey } from '../../../article/types.ts';
import { nameDestination } from '../../../destinations/registry.ts';
import { listOwnArticles, type OwnArticle } from '../../../store/articles/own-articles.ts';
import { listConnections } from '../../../store/connections/list.ts';
import type { Database } from '../../../store/db/database.ts';
import { type GridDelivery, listGridDeliveries } from '../../../store/deliveries/grid.ts';
import { countNeedingAuthor } from '../../../store/deliveries/states.ts';
import { countPageViews } from '../../../store/page-views/list-page-views.ts';
import { listOwnSeries } from '../../../store/series/list-series.ts';
import { type Cell, describeCell } from './describe-cell.ts';
import { type GridFilter, type Pages, toStoreFilter, writePosition } from './read-filter.ts';

export const PAGE_LENGTH = 50;
/** Larger counts are shown as "99+". */
export const MAX_ATTENTION_COUNT = 100;
const MAX_SERIES = 200;
const VIEWS_DAYS = 30;

export interface GridRow {
  article: OwnArticle;
  /** In the last 30 days. */
  views: number;
  /** One per destination of the grid. */
  cells: Cell[];
}

export type Grid = Awaited<ReturnType<typeof loadGrid>>;

export type Connection = Awaited<ReturnType<typeof listConnections>>[number];

export async function loadGrid(
  db: Database,
  { authorId, now }: { authorId: string; now: Date },
  { filter, pages }: { filter: GridFilter; pages: Pages },
) {
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
  const rows = { connections, deliveries: [...deliveries.values()].flat() };
  const destinations = listDestinations(rows);
  const platforms = [...connections, ...rows.deliveries].flatMap(({ destination, platform }) =>
    platform === null ? [] : [{ destination, platform }],
  );
  const views = await countPageViews(db, listIds(articles), findFirstDay(now));
  const cursorOf = (article: OwnArticle | undefined) => (article ? writePosition(filter, article) : null);
  return {
    ...{ filter, attentionCount, series, connections },
    /** Labels of the destinations. */
    columns: destinations.map((key) => nameDestination(key, platforms)),
    rows: articles.map(
      (article): GridRow => ({
        article,
        views: views.get(article.id) ?? 0,
        cells: buildCells(article, { connections, deliveries: deliveries.get(article.id) ?? [] }, destinations),
      }),
    ),
    /** Cursors of the adjacent pages; null if there is none. */
    newer: (isBackwards ? hasMore : pages.after !== null) ? cursorOf(articles[0]) : null,
    older: isBackwards || hasMore ? cursorOf(articles.at(-1)) : null,
  };
}

export async function loadCells(
  db: Database,
  authorId: string,
  articles: readonly OwnArticle[],
): Promise<Map<string, Cell[]>> {
  const [connections, deliveries] = await Promise.all([
    listConnections(db, authorId),
    loadDeliveries(db, authorId, articles),
  ]);
  const toCells = (article: OwnArticle) =>
    buildCells(article, { connections, deliveries: deliveries.get(article.id) ?? [] });
  return new Map(articles.map((article) => [article.id, toCells(article)]));
}

interface CellRows {
  connections: readonly Connection[];
  deliveries: readonly GridDelivery[];
}

function listDestinations({ connections, deliveries }: CellRows): DestinationKey[] {
  const used = new Set([...connections, ...deliveries].map(({ destination }) => destination));
  return DESTINATION_KEYS.filter((key) => used.has(key));
}

/** By default the cells of the destinations that are connected or have a delivery. */
export function buildCells(article: OwnArticle, rows: CellRows, destinations = listDestinations(rows)): Cell[] {
  return destinations.map((destination) => {
    const find = <Row extends { destination: DestinationKey }>(candidates: readonly Row[]) =>
      candidates.find((candidate) => candidate.destination === destination) ?? null;
    return describeCell({ destination, article, connection: find(rows.connections), delivery: find(rows.deliveries) });
  });
}

/** First day of the displayed page views, in UTC. */
export function findFirstDay(now: Date): string {
  return new Date(now.getTime() - (VIEWS_DAYS - 1) * 86_400_000).toISOString().slice(0, 10);
}

async function loadDeliveries(db: Database, authorId: string, articles: readonly OwnArticle[]) {
  const rows = articles.length === 0 ? [] : await listGridDeliveries(db, { authorId, articleIds: listIds(articles) });
  return Map.groupBy(rows, ({ articleId }) => articleId);
}

function listIds(articles: readonly OwnArticle[]): string[] {
  return articles.map(({ id }) => id);
}
