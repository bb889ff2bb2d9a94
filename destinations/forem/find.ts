/** Searches the articles of an API key's owner. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { OpenCaller } from '../http/caller.ts';
import { readField, readText } from '../http/read-field.ts';
import { isArticle } from '../posts/canonical.ts';
import { searchListing } from '../posts/search-listing.ts';
import type { Outcome, PostQuery, RemotePost } from '../types.ts';
import type { ForemRequest } from './call.ts';
import { LABEL, limits } from './limits.ts';
import { readPost } from './posts.ts';

/** Forem's edge allows three reads a second. */
const READ_INTERVAL_MS = 400;

/**
 * Searches all articles of the key's owner. Drafts come first. Forem lists those of the addressed
 * subforem only.
 */
export function findPost(
  caller: OpenCaller<ForemRequest>,
  article: PostQuery,
  signal: AbortSignal | undefined,
): Promise<Outcome<RemotePost | null>> {
  return searchListing(caller, {
    label: LABEL,
    pageSizes: [1000, 100, 10],
    maxPages: Number.POSITIVE_INFINITY,
    // An instance limits how many articles a page has (`API_PER_PAGE_MAX`).
    canCapPages: true,
    buildRequest: (offset, size) => ({
      method: 'GET',
      path: `/articles/me/all?page=${offset / size + 1}&per_page=${size}`,
    }),
    isOurs: (entry) => {
      const post = { canonicalUrl: readText(entry, 'canonical_url'), title: readText(entry, 'title') };
      return isArticle(post, article, limits.titleLength);
    },
    isPublic: (entry) => readField(entry, 'published') === true,
    readPost,
    excludedIds: article.excludedIds,
    pauseBetweenPages: () => pauseBetweenReads(signal),
  });
}

/** False if the call was cancelled meanwhile. */
async function pauseBetweenReads(signal: AbortSignal | undefined): Promise<boolean> {
  try {
    await sleep(READ_INTERVAL_MS, undefined, signal ? { signal } : {});
    return true;
  } catch {
    return false;
  }
}
