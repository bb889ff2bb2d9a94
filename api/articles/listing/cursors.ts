/** Writes and validates the cursors of the article list and of the search. */
import { isUuid } from '../../../store/db/valid-keys.ts';
import type { ListPosition } from '../../../store/lists/article-list.ts';
import type { SearchPosition } from '../../../store/search/search-articles.ts';
import { ProblemError } from '../../plugins/errors/problem.ts';
import { nameList, readCursor, writeCursor } from '../../web/lists/cursor.ts';
import type { ListQuery } from './list-query.ts';

type ListFilter = Pick<ListQuery, 'q' | 'tag' | 'author'>;

export function writeListCursor(filter: ListFilter, position: ListPosition | SearchPosition): string {
  return writeCursor(nameFilter(filter), position);
}

export function readListCursor(filter: ListFilter, cursor: string): ListPosition {
  const { publishedAt, id } = readPosition(filter, cursor);
  if (!isMoment(publishedAt) || !isId(id)) throw refuse();
  return { publishedAt, id };
}

export function readSearchCursor(filter: ListFilter, cursor: string): SearchPosition {
  const { from, until, rank, id } = readPosition(filter, cursor);
  const isWindow = isMoment(until) && (from === null || isMoment(from));
  if (!isWindow || typeof rank !== 'number' || !Number.isFinite(rank) || !isId(id)) throw refuse();
  return { from, until, rank, id };
}

function nameFilter({ q, tag, author }: ListFilter): string {
  return nameList([q, tag, author]);
}

function readPosition(filter: ListFilter, cursor: string): Record<string, unknown> {
  const parsed = readCursor(cursor);
  if (!parsed) throw refuse();
  if (parsed.list !== nameFilter(filter)) {
    throw refuse(
      'The cursor belongs to another list, or to this list with another q, tag or author. Start again without after.',
    );
  }
  return parsed.position;
}

/** Within the range of PostgreSQL timestamps and of safe integers. No article is dated later. */
const MAX_MOMENT_MICROS = 8_000_000_000_000_000;

function isMoment(value: unknown): value is number {
  return Number.isSafeInteger(value) && Math.abs(Number(value)) < MAX_MOMENT_MICROS;
}

function isId(value: unknown): value is string {
  return typeof value === 'string' && isUuid(value);
}

function refuse(message = 'is not a cursor; use next of the previous page.'): ProblemError {
  const errors = [{ path: 'after', message }];
  return new ProblemError(400, 'bad_cursor', 'The list cannot be continued with this cursor; see errors.', { errors });
}
