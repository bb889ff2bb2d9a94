/** Which articles the desk lists: read from the page's address, and written into the addresses of its links. What is not understood leaves nothing out. */
import { cleanLine } from '../../../article/text/clean-text.ts';
import { type ArticlePosition, isOfSeries, type OwnArticlesFilter } from '../../../store/articles/own-articles.ts';
import { isUuid } from '../../../store/db/valid-keys.ts';
import { nameList, readCursor, writeCursor } from '../../web/lists/cursor.ts';
import { readMicros } from '../../web/lists/positions.ts';

const VIEWS = ['all', 'needs-you', 'published', 'scheduled', 'drafts'] as const;
export type View = (typeof VIEWS)[number];

/** Empty texts leave nothing out. */
export interface GridFilter {
  view: View;
  tag: string;
  seriesId: string;
  search: string;
}

export type GridQuery = Record<string, unknown>;

const LONGEST = 200;

export function readFilter({ state, tag, series, q }: GridQuery): GridFilter {
  const seriesId = readText(series);
  return {
    view: VIEWS.find((view) => view === state) ?? 'all',
    tag: readText(tag),
    seriesId: isUuid(seriesId) ? seriesId : '',
    search: readText(q),
  };
}

export function isEmptyFilter({ view, tag, seriesId, search }: GridFilter): boolean {
  return view === 'all' && tag === '' && seriesId === '' && search === '';
}

const STATUSES = { published: 'PUBLISHED', scheduled: 'SCHEDULED', drafts: 'DRAFT' } as const;

export function toStoreFilter({ view, tag, seriesId, search }: GridFilter): OwnArticlesFilter {
  return {
    ...(view === 'needs-you' && { needsAuthor: true as const }),
    ...(view !== 'needs-you' && view !== 'all' && { status: STATUSES[view] }),
    ...(tag !== '' && { tag }),
    ...(seriesId !== '' && { seriesId }),
    ...(search !== '' && { search }),
  };
}

/** The address of the list with this filter, and of one of its pages. */
export function buildListPath(filter: GridFilter, page: { after?: string; before?: string } = {}): string {
  const { view, tag, seriesId, search } = filter;
  const given = { state: view === 'all' ? '' : view, tag, series: seriesId, q: search, ...page };
  const query = new URLSearchParams(Object.entries(given).filter(([, value]) => value !== '')).toString();
  return query === '' ? '/desk' : `/desk?${query}`;
}

export interface Pages {
  after: ArticlePosition | null;
  before: ArticlePosition | null;
}

/** A cursor of another list, or of none, is the first page. */
export function readPages(query: GridQuery, filter: GridFilter): Pages {
  const after = readPosition(query.after, filter);
  return { after, before: after === null ? readPosition(query.before, filter) : null };
}

interface Placed {
  id: string;
  createdMicros: number;
  partPosition: number | null;
}

export function writePosition(filter: GridFilter, { id, createdMicros, partPosition }: Placed): string {
  const isPlaced = isOfSeries(toStoreFilter(filter));
  const position = isPlaced ? { place: partPosition ?? 0, id } : { createdAt: createdMicros, id };
  return writeCursor(nameOf(filter), position);
}

function readPosition(cursor: unknown, filter: GridFilter): ArticlePosition | null {
  const read = typeof cursor === 'string' ? readCursor(cursor) : null;
  if (read?.list !== nameOf(filter)) return null;
  const { place, createdAt, id } = read.position;
  if (!isOfSeries(toStoreFilter(filter))) {
    const position = readMicros(createdAt, id);
    return position && { createdAt: position.micros, id: position.id };
  }
  const isPlace = Number.isInteger(place) && Math.abs(Number(place)) < 2 ** 31;
  return isPlace && typeof id === 'string' && isUuid(id) ? { place: Number(place), id } : null;
}

/** The rows are the author's own whatever a cursor says, so it need not name the author. */
function nameOf(filter: GridFilter): string {
  return nameList(['desk', filter]);
}

function readText(value: unknown): string {
  return typeof value === 'string' ? cleanLine(value.slice(0, 2 * LONGEST)).slice(0, LONGEST) : '';
}
