/** Searches a listing of posts for the post of an article, page by page. */
import type { OpenCaller } from '../http/caller.ts';
import type { HttpResponse } from '../http/exchange.ts';
import { reportUnusablePost } from '../http/failures.ts';
import type { Outcome, RemotePost } from '../types.ts';

/** A page that was read. `next` is null after the last one. */
export interface ReadPage<C> {
  found: RemotePost | null;
  next: C | null;
}

/** `done` with null if the listing ends without our post. */
export async function searchPages<C>(
  label: string,
  maxPages: number,
  first: C,
  readPage: (cursor: C) => Promise<Outcome<ReadPage<C>>>,
): Promise<Outcome<RemotePost | null>> {
  let cursor = first;
  for (let page = 0; page < maxPages; page += 1) {
    const read = await readPage(cursor);
    if (read.kind !== 'done') return read;
    const { found, next } = read.value;
    if (found !== null || next === null) return { kind: 'done', value: found };
    cursor = next;
  }
  return { kind: 'unavailable', reason: `${label} lists too many posts to search them all.` };
}

export interface Listing<R> {
  label: string;
  /** Entries contain texts. A page that is too large is requested in the next size. */
  pageSizes: readonly number[];
  maxPages: number;
  /** A page may silently have fewer entries than requested. Only an empty one is the last. */
  canCapPages?: boolean;
  buildRequest(offset: number, size: number): R;
  isOurs(entry: unknown): boolean;
  /** Of several posts that are ours, a public one is preferred to a draft. */
  isPublic(entry: unknown): boolean;
  readPost(entry: unknown): RemotePost | undefined;
  /** Ids of posts that belong to other articles, whatever they look like. */
  excludedIds?: ReadonlySet<string> | undefined;
  /** Whether this page, which ends at `end`, is the last. Default: one that is not full. */
  isLast?(answer: HttpResponse, end: number, size: number): boolean;
  /** Waits between two pages. */
  pauseBetweenPages?(): Promise<void>;
}

/** For listings of complete articles by offset. */
export function searchListing<R>(caller: OpenCaller<R>, listing: Listing<R>): Promise<Outcome<RemotePost | null>> {
  const { label, maxPages, excludedIds, isLast } = listing;
  const first = { offset: 0, sizes: listing.pageSizes };
  return searchPages(label, maxPages, first, async (cursor): Promise<Outcome<ReadPage<typeof first>>> => {
    const { offset, sizes } = cursor;
    const [size = 1, smaller] = sizes;
    if (cursor !== first) await listing.pauseBetweenPages?.();
    const ended = await caller.send(listing.buildRequest(offset, size));
    if (ended.kind === 'tooLarge' && smaller !== undefined) {
      // The offset need not be a multiple of the smaller size. Then some entries are read twice.
      return {
        kind: 'done',
        value: { found: null, next: { offset: offset - (offset % smaller), sizes: sizes.slice(1) } },
      };
    }
    const read = caller.interpret(ended, 'read', (answer) =>
      Array.isArray(answer.json) ? { answer, entries: answer.json as unknown[] } : undefined,
    );
    if (read.kind !== 'done') return read;
    const { answer, entries } = read.value;
    const ours = entries
      .filter((entry) => listing.isOurs(entry))
      .map((entry) => ({ post: listing.readPost(entry), isPublic: listing.isPublic(entry) }))
      .filter(({ post }) => post === undefined || !excludedIds?.has(post.remoteId));
    const chosen = ours.find(({ isPublic }) => isPublic) ?? ours[0];
    if (chosen && !chosen.post) return reportUnusablePost(label);
    const received = entries.length;
    const isEnd = isLast
      ? isLast(answer, offset + size, size)
      : received === 0 || (received < size && !listing.canCapPages);
    // The first page shows the cap, unless it is the only page.
    const isCapped = listing.canCapPages && received < size && offset === 0;
    const next = isCapped
      ? { offset: received, sizes: [received, ...sizes.filter((other) => other < received)] }
      : { offset: offset + size, sizes };
    return { kind: 'done', value: { found: chosen?.post ?? null, next: isEnd ? null : next } };
  });
}
