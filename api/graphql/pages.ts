/**
 * Pages of lists as Relay connections. A cursor holds the position of an entry (keyset), so a page
 * costs the same at any depth and inserted or removed entries shift nothing. Each list is filtered
 * by the signed-in person, with or without a cursor.
 */
import type { ObjectRef } from '@pothos/core';
import { nameList, readCursor, writeCursor } from '../web/lists/cursor.ts';
import { builder } from './builder.ts';
import { createGraphqlError } from './errors.ts';

const MAX_PAGE_SIZE = 100;
const DEFAULT_PAGE_SIZE = 20;

/** `first` and `after`, for the field's `args`. */
export const pageArgs = builder.args((t) => ({
  first: t.int({ defaultValue: DEFAULT_PAGE_SIZE, description: `The number of entries: 1 to ${MAX_PAGE_SIZE}.` }),
  after: t.string({ description: 'A cursor of the same list. The page starts after it.' }),
}));

interface PageArgs {
  first?: number | null | undefined;
  after?: string | null | undefined;
}

/** For the field's `complexity`: a page costs as much as its maximum number of entries. */
export function pageCost({ first }: PageArgs): { field: number; multiplier: number } {
  return { field: 1, multiplier: Math.min(MAX_PAGE_SIZE, Math.max(1, first ?? DEFAULT_PAGE_SIZE)) };
}

/** The types `<name>Connection` and `<name>Edge`. */
export function createConnectionType<Row>(
  type: ObjectRef<(typeof builder)['$inferSchemaTypes'], Row>,
  { name, description, edge }: { name: string; description: string; edge: string },
) {
  return builder.connectionObject(
    // The field has the multiplier, because `first` is known there.
    { type, name: `${name}Connection`, description, edgesField: { complexity: { field: 0, multiplier: 1 } } },
    { name: `${name}Edge`, description: edge },
  );
}

export interface PageOptions<Row, Position extends object> {
  args: PageArgs;
  /** Identifies the list: its name, the person and the filter. */
  list: readonly unknown[];
  /**
   * Validates the position in a cursor, which clients can change; null if the database would reject
   * it.
   */
  readPosition: (value: Record<string, unknown>) => Position | null;
  load: (limit: number, after: Position | null) => Promise<Row[]>;
  locate: (row: Row) => Position;
}

export async function readPage<Row, Position extends object>(options: PageOptions<Row, Position>) {
  const { args, list, load, locate } = options;
  const first = args.first ?? DEFAULT_PAGE_SIZE;
  if (first < 1 || first > MAX_PAGE_SIZE) {
    throw createGraphqlError('BAD_INPUT', `first must be 1 to ${MAX_PAGE_SIZE}.`, { field: 'first' });
  }
  const name = nameList(list);
  const after = args.after == null ? null : readAfter(args.after, name, options);
  // One more row than requested shows whether there is another page.
  const rows = await load(first + 1, after);
  const edges = rows.slice(0, first).map((node) => ({ node, cursor: writeCursor(name, locate(node)) }));
  return {
    edges,
    pageInfo: {
      hasNextPage: rows.length > first,
      hasPreviousPage: after !== null,
      startCursor: edges[0]?.cursor ?? null,
      endCursor: edges.at(-1)?.cursor ?? null,
    },
  };
}

function readAfter<Row, Position extends object>(
  cursor: string,
  name: string,
  { readPosition }: PageOptions<Row, Position>,
): Position {
  const parsed = readCursor(cursor);
  const position = parsed && readPosition(parsed.position);
  if (position === null) {
    throw createGraphqlError('BAD_CURSOR', 'after is not a cursor. Use endCursor of the previous page.', {
      field: 'after',
    });
  }
  if (parsed?.list !== name) {
    const message = 'The cursor belongs to another list, or to this one with other arguments. Start without after.';
    throw createGraphqlError('BAD_CURSOR', message, { field: 'after' });
  }
  return position;
}
