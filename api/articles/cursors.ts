/**
 * Where a page ends, for the next one to begin behind it. A cursor is good for its own list only, which it names by a hash, and is nothing
 * secret: everything in a list is public. It comes from the client, so what it holds is checked.
 */
import { createHash } from 'node:crypto';
import { isUuid } from '../../store/db/valid-keys.ts';
import type { ListPosition } from '../../store/lists/article-list.ts';
import type { SearchPosition } from '../../store/search/search-articles.ts';
import { ProblemError } from '../errors/problem.ts';
import type { ListQuery } from './list-query.ts';

type Asked = Pick<ListQuery, 'q' | 'tag' | 'author'>;

export function writeCursor(asked: Asked, position: ListPosition | SearchPosition): string {
  return Buffer.from(JSON.stringify([nameList(asked), position])).toString('base64url');
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

function nameList({ q, tag, author }: Asked): string {
  return createHash('sha256')
    .update(JSON.stringify([q, tag, author]))
    .digest('base64url')
    .slice(0, 12);
}

function readPosition(asked: Asked, cursor: string): Record<string, unknown> {
  const [list, position] = decode(cursor);
  if (typeof list !== 'string' || typeof position !== 'object' || position === null) throw refuse();
  if (list !== nameList(asked)) {
    throw refuse('The cursor is of another list, or of this one with another q, tag or author. Begin without after.');
  }
  return position as Record<string, unknown>;
}

function decode(cursor: string): unknown[] {
  try {
    const value: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    return Array.isArray(value) ? value : [];
  } catch (error) {
    if (error instanceof SyntaxError) return [];
    throw error;
  }
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
