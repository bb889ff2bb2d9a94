/** Looks for the post of an article in a listing of whole articles, page by page. */
import type { OpenCaller } from '../http/caller.ts';
import { reportUnusablePost } from '../http/failures.ts';
import type { Outcome, RemotePost } from '../types.ts';

export interface Listing<R> {
  label: string;
  /**
   * Entries carry whole texts, so a page may be too large: it is requested again in the next smaller size. Each size
   * divides the one before it, so the position in the list is kept.
   */
  pageSizes: readonly [number, ...number[]];
  mostPages: number;
  buildRequest(offset: number, size: number): R;
  isOurs(entry: unknown): boolean;
  /** Of several posts that are ours, a public one is preferred to a draft. */
  isPublic(entry: unknown): boolean;
  readPost(entry: unknown): RemotePost | undefined;
  /** Waits between two pages; false where the call was cancelled meanwhile. */
  rest?(): Promise<boolean>;
}

/** `done` with null where the listing ends without our post. */
export async function searchListing<R>(
  caller: OpenCaller<R>,
  listing: Listing<R>,
): Promise<Outcome<RemotePost | null>> {
  const { label, mostPages } = listing;
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
      continue;
    }
    const entries = caller.interpret(ended, 'read', ({ json }) =>
      Array.isArray(json) ? (json as unknown[]) : undefined,
    );
    if (entries.kind !== 'done') return entries;
    const ours = entries.value.filter((entry) => listing.isOurs(entry));
    if (ours.length > 0) {
      const post = listing.readPost(ours.find((entry) => listing.isPublic(entry)) ?? ours[0]);
      return post ? { kind: 'done', value: post } : reportUnusablePost(label);
    }
    if (entries.value.length < size) return { kind: 'done', value: null };
    offset += size;
  }
  return { kind: 'unavailable', reason: `${label} lists too many posts to look through them all.` };
}
