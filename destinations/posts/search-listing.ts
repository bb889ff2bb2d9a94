/** Looks for the post of an article in a listing of whole articles, page by page. */
import type { OpenCaller } from '../http/caller.ts';
import type { HttpAnswer } from '../http/exchange.ts';
import { reportUnusablePost } from '../http/failures.ts';
import type { Outcome, RemotePost } from '../types.ts';

export interface Listing<R> {
  label: string;
  /**
   * Entries carry whole texts, so a page may be too large: it is requested again in the next smaller size.
   */
  pageSizes: readonly [number, ...number[]];
  mostPages: number;
  /** The platform may give fewer entries a page than were asked for, without saying so: only an empty page is the last one. */
  mayCapPages?: boolean;
  buildRequest(offset: number, size: number): R;
  isOurs(entry: unknown): boolean;
  /** Of several posts that are ours, a public one is preferred to a draft. */
  isPublic(entry: unknown): boolean;
  readPost(entry: unknown): RemotePost | undefined;
  /** Ids of posts that are other articles', whatever they look like. */
  except?: ReadonlySet<string> | undefined;
  /**
   * Whether the page of this size that ends at the position `end` is the last one, for platforms that leave entries out of a page. Without
   * it, a page that is not full is the last one.
   */
  isLast?(answer: HttpAnswer, end: number, size: number): boolean;
  /** Waits between two pages; false where the call was cancelled meanwhile. */
  rest?(): Promise<boolean>;
}

/** `done` with null where the listing ends without our post. */
export async function searchListing<R>(
  caller: OpenCaller<R>,
  listing: Listing<R>,
): Promise<Outcome<RemotePost | null>> {
  const { label, mostPages, except, isLast } = listing;
  let [size, ...smaller] = listing.pageSizes;
  let offset = 0;
  for (let page = 0; page < mostPages; page += 1) {
    if (page > 0 && listing.rest && !(await listing.rest())) {
      return { kind: 'unavailable', reason: 'The look-up was cancelled.' };
    }
    const ended = await caller.send(listing.buildRequest(offset, size));
    const [next, ...rest] = smaller;
    if (ended.kind === 'tooLarge' && next !== undefined) {
      [size, smaller] = [next, rest];
      // A cap need not be a multiple of it: some entries are read twice then.
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
      .filter(({ post }) => post === undefined || !except?.has(post.remoteId));
    const found = ours.find(({ isPublic }) => isPublic) ?? ours[0];
    if (found) return found.post ? { kind: 'done', value: found.post } : reportUnusablePost(label);
    const came = entries.length;
    if (isLast ? isLast(answer, offset + size, size) : came === 0 || (came < size && !listing.mayCapPages)) {
      return { kind: 'done', value: null };
    }
    // The first page shows the cap, where it is not the only page.
    if (listing.mayCapPages && came < size && offset === 0) {
      size = came;
      smaller = smaller.filter((one) => one < came);
    }
    offset += size;
  }
  return { kind: 'unavailable', reason: `${label} lists too many posts to look through them all.` };
}
