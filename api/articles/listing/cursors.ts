/** The cursors of the lists for programs: what they hold, and whether that can be a place in the list. */
import { isUuid } from '../../../store/db/valid-keys.ts';
import type { ListPosition } from '../../../store/lists/article-list.ts';
import type { SearchPosition } from '../../../store/search/search-articles.ts';
import { nameList, readCursor, writeCursor } from '../../web/lists/cursor.ts';
import { ProblemError } from '../../plugins/errors/problem.ts';
import type { ListQuery } from './list-query.ts';

type Asked = Pick<ListQuery, 'q' | 'tag' | 'author'>;

export function writeListCursor(asked: Asked, position: ListPosition | SearchPosition): string {
  return writeCursor(nameAsked(asked), position);
}

export function readListCursor(asked: Asked, cursor: string): ListPosition {
  const { publishedAt, id } = readPosition(asked, cursor);
  if (!isMoment(publishedAt) || !isId(id)) throw refuse();
  return { publishedAt, id };
}

export function readSearchCursor(asked: Asked, cursor: string): SearchPosition {
  const { from, until, rank, id } = readPosition(asked, cursor);
  const isWindow = isMoment(until) && (from === null || isMoment(from));
  if (!isWindow || typeof rank !== 'number' || !Number.isFinite(rank) || !isId(id)) throw refuse();
  return { from, until, rank, id };
}

function nameAsked({ q, tag, author }: Asked): string {
  return nameList([q, tag, author]);
}

function readPosition(asked: Asked, cursor: string): Record<string, unknown> {
  const read = readCursor(cursor);
  if (!read) throw refuse();
  if (read.list !== nameAsked(asked)) {
    throw refuse('The cursor is of another list, or of this one with another q, tag or author. Begin without after.');
  }
  return read.position;
}

/** In microseconds; the database reckons further, and nothing is from later. */
const LAST_MOMENT = 8_000_000_000_000_000;

function isMoment(value: unknown): value is number {
  return Number.isSafeInteger(value) && Math.abs(Number(value)) < LAST_MOMENT;
}

function isId(value: unknown): value is string {
  return typeof value === 'string' && isUuid(value);
}

function refuse(message = 'is not a cursor; take next of the page before.'): ProblemError {
  const errors = [{ path: 'after', message }];
  return new ProblemError(400, 'bad_cursor', 'The list cannot be continued from here; see errors.', { errors });
}
