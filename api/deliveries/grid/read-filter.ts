/** Reads the filter of the desk's list from a query, and writes it into links. */
import { cleanLine } from '../../../article/text/clean-text.ts';
import { type ArticleCursor, isSeriesList, type OwnArticlesFilter } from '../../../store/articles/own-articles.ts';
import { isUuid } from '../../../store/db/valid-keys.ts';
import { nameList, readCursor, readTimePosition, writeCursor } from '../../web/lists/cursor.ts';

const VIEWS = ['all', 'needs-attention', 'published', 'scheduled', 'drafts'] as const;
export type View = (typeof VIEWS)[number];

/** Empty strings do not filter. */
export interface GridFilter {
  view: View;
  tag: string;
  seriesId: string;
  search: string;
}

export type GridQuery = Record<string, unknown>;

const MAX_CHARACTERS = 200;

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
    ...(view === 'needs-attention' && { needsAuthor: true as const }),
    ...(view !== 'needs-attention' && view !== 'all' && { status: STATUSES[view] }),
    ...(tag !== '' && { tag }),
    ...(seriesId !== '' && { seriesId }),
    ...(search !== '' && { search }),
  };
}

/** Builds the path of the list with this filter, or of one of its pages. */
export function buildListPath(filter: GridFilter, page: { after?: string; before?: string } = {}): string {
  const { view, tag, seriesId, search } = filter;
  const parameters = { state: view === 'all' ? '' : view, tag, series: seriesId, q: search, ...page };
  const query = new URLSearchParams(Object.entries(parameters).filter(([, value]) => value !== '')).toString();
  return query === '' ? '/desk' : `/desk?${query}`;
}

export interface Pages {
  after: ArticleCursor | null;
  before: ArticleCursor | null;
}

/** An invalid cursor, or one of another list, gives the first page. */
export function readPages(query: GridQuery, filter: GridFilter): Pages {
  const after = readPosition(query.after, filter);
  return { after, before: after === null ? readPosition(query.before, filter) : null };
}

interface PositionedArticle {
  id: string;
  createdMicros: number;
  partPosition: number | null;
}

export function writePosition(filter: GridFilter, { id, createdMicros, partPosition }: PositionedArticle): string {
  const hasParts = isSeriesList(toStoreFilter(filter));
  const position = hasParts ? { place: partPosition ?? 0, id } : { createdAt: createdMicros, id };
  return writeCursor(nameFilter(filter), position);
}

function readPosition(cursor: unknown, filter: GridFilter): ArticleCursor | null {
  const read = typeof cursor === 'string' ? readCursor(cursor) : null;
  if (read?.list !== nameFilter(filter)) return null;
  const { place, createdAt, id } = read.position;
  if (!isSeriesList(toStoreFilter(filter))) {
    const position = readTimePosition(createdAt, id);
    return position && { createdAt: position.micros, id: position.id };
  }
  const isPlace = Number.isInteger(place) && Math.abs(Number(place)) < 2 ** 31;
  return isPlace && typeof id === 'string' && isUuid(id) ? { partPosition: Number(place), id } : null;
}

/** Omits the author, because queries return the author's own rows whatever a cursor contains. */
function nameFilter(filter: GridFilter): string {
  return nameList(['desk', filter]);
}

function readText(value: unknown): string {
  return typeof value === 'string' ? cleanLine(value.slice(0, 2 * MAX_CHARACTERS)).slice(0, MAX_CHARACTERS) : '';
}
