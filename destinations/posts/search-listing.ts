/** Searches a listing of complete articles for the post of an article, page by page. */
import type { OpenCaller } from '../http/caller.ts';
import type { HttpResponse } from '../http/exchange.ts';
import { reportUnusablePost } from '../http/failures.ts';
import type { Outcome, RemotePost } from '../types.ts';

export interface Listing<R> {
  label: string;
  /**
   * Entries contain complete texts, so a page may be too large. It is requested again in the next
   * smaller size.
   */
  pageSizes: readonly [number, ...number[]];
  maxPages: number;
  /**
   * The platform may silently return fewer entries per page than requested, so only an empty page
   * is the last.
   */
  canCapPages?: boolean;
  buildRequest(offset: number, size: number): R;
  isOurs(entry: unknown): boolean;
  /** Of several posts that are ours, a public one is preferred to a draft. */
  isPublic(entry: unknown): boolean;
  readPost(entry: unknown): RemotePost | undefined;
  /** Ids of posts that belong to other articles, whatever they look like. */
  excludedIds?: ReadonlySet<string> | undefined;
  /**
   * Whether the page of this size that ends at position `end` is the last one, for platforms that
   * omit entries from a page. By default, a page that is not full is the last one.
   */
  isLast?(answer: HttpResponse, end: number, size: number): boolean;
  /** Waits between two pages. False if the call was cancelled meanwhile. */
  pauseBetweenPages?(): Promise<boolean>;
}

/** `done` with null if the listing ends without our post. */
export async function searchListing<R>(
  caller: OpenCaller<R>,
  listing: Listing<R>,
): Promise<Outcome<RemotePost | null>> {
  const { label, maxPages, excludedIds, isLast } = listing;
  let [size, ...smaller] = listing.pageSizes;
  let offset = 0;
  for (let page = 0; page < maxPages; page += 1) {
    if (page > 0 && listing.pauseBetweenPages && !(await listing.pauseBetweenPages())) {
      return { kind: 'unavailable', reason: 'The look-up was cancelled.' };
    }
    const ended = await caller.send(listing.buildRequest(offset, size));
    const [next, ...rest] = smaller;
    if (ended.kind === 'tooLarge' && next !== undefined) {
      [size, smaller] = [next, rest];
      // The offset need not be a multiple of the smaller size. Then some entries are read twice.
      offset -= offset % size;
      continue;
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
    const found = ours.find(({ isPublic }) => isPublic) ?? ours[0];
    if (found) return found.post ? { kind: 'done', value: found.post } : reportUnusablePost(label);
    const received = entries.length;
    if (isLast ? isLast(answer, offset + size, size) : received === 0 || (received < size && !listing.canCapPages)) {
      return { kind: 'done', value: null };
    }
    // The first page shows the cap, unless it is the only page.
    if (listing.canCapPages && received < size && offset === 0) {
      size = received;
      smaller = smaller.filter((pageSize) => pageSize < received);
    }
    offset += size;
  }
  return { kind: 'unavailable', reason: `${label} lists too many posts to search them all.` };
}
