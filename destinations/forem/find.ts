/** Looks through the articles of a key's owner. */

import { setTimeout as sleep } from 'node:timers/promises';
import { isSameCanonical } from '../canonical.ts';
import { field } from '../http/json-fields.ts';
import { outcomeOfStrangePost, outcomeOfWeather } from '../http/outcomes.ts';
import type { ClientOptions, Outcome, RemotePost } from '../types.ts';
import { canonicalOf, readPost } from './article.ts';
import { ARTICLES_MAX_BYTES, endpoint, judge, send } from './call.ts';
import { FOREM_LABEL } from './limits.ts';

const PAGE_SIZES = [1000, 100, 10] as const;
/** The edge lets three reads a second through. */
const READ_INTERVAL_MS = 400;

/**
 * Walks all articles of the key's owner, drafts too. A page that is too large to take is asked for again in smaller
 * pieces; sizes divide each other, so the place in the list is kept.
 */
export async function findByCanonical(
  options: ClientOptions,
  canonicalUrl: string,
): Promise<Outcome<RemotePost | null>> {
  const sizes = [...PAGE_SIZES];
  let offset = 0;
  for (;;) {
    const size = sizes[0] ?? 10;
    const url = endpoint(options, `/articles/me/all?page=${offset / size + 1}&per_page=${size}`);
    const ended = await send(options, { method: 'GET', url, maxBytes: ARTICLES_MAX_BYTES });
    if (ended.kind === 'tooLarge' && sizes.length > 1) {
      sizes.shift();
    } else {
      const answer = judge(ended, 'read', options);
      if (answer.kind !== 'done') return answer;
      const { json } = answer.value;
      if (!Array.isArray(json)) return outcomeOfWeather(answer.value, 'read', FOREM_LABEL);
      const ours = json.filter((entry) => isSameCanonical(canonicalOf(entry), canonicalUrl));
      // Drafts stand first in the list; what readers see counts more.
      const entry = ours.find((candidate) => field(candidate, 'published') === true) ?? ours[0];
      const post = entry === undefined ? null : readPost(entry);
      if (entry !== undefined && !post) return outcomeOfStrangePost(FOREM_LABEL);
      if (post || json.length < size) return { kind: 'done', value: post };
      offset += size;
    }
    if (!(await rest(options.signal))) return { kind: 'unavailable', reason: 'The look-up was cancelled.' };
  }
}

/** False where the call was cancelled meanwhile. */
async function rest(signal: AbortSignal | undefined): Promise<boolean> {
  try {
    await sleep(READ_INTERVAL_MS, undefined, signal ? { signal } : {});
    return true;
  } catch {
    return false;
  }
}
