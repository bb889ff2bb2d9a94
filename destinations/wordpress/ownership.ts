/**
 * Whose a post on the site is. A site has many authors, an editor's credential may change everybody's posts, and a site that was restored
 * gives its numbers out again: so a post is changed only where it shows that it is this article's.
 */
import { reject } from '../http/failures.ts';
import { isSameCanonical } from '../posts/canonical.ts';
import type { Connection, Failure, Outcome } from '../types.ts';
import type { WordPressCaller } from './call.ts';
import { type PresentPost, readPresent } from './posts.ts';
import { rejectGone } from './refusals.ts';
import { findUserId } from './user.ts';

interface Address {
  canonicalUrl: string | null;
  slug: string;
}

/** The post before it is changed. One in the trash is gone: writing to it would bring it back to readers. */
export async function readOwnPost(
  caller: WordPressCaller,
  connection: Connection,
  asked: { remoteId: string; article: Address | undefined; intent: 'update' | 'withdraw' },
): Promise<Outcome<PresentPost>> {
  const present = await readPresent(caller, asked.remoteId, asked.intent);
  if (present.kind !== 'done') return present;
  if (present.value === null) return rejectGone();
  const user = await findUserId(caller, connection);
  if (user.kind !== 'done') return user;
  const isMine = isOurs(present.value, user.value, asked.article);
  return isMine ? { kind: 'done', value: present.value } : rejectForeign(asked.remoteId);
}

/**
 * Our line with this article's canonical URL is proof, even where an editor made it somebody else's post. Of the user's own posts, one
 * with our line and another URL counts too, because an article's canonical URL can change, and one whose line was removed by hand where
 * its slug is still ours.
 */
function isOurs({ author, marker, slug }: PresentPost, userId: number, article: Address | undefined): boolean {
  if (marker !== null && isSameCanonical(marker, article?.canonicalUrl)) return true;
  if (author !== null && author !== userId) return false;
  return marker !== null || (article !== undefined && listSlugs(article.slug).includes(slug));
}

/** A slug that is taken gets a number. More than a few posts of one name are other articles. */
export function listSlugs(slug: string): string[] {
  return [slug, ...Array.from({ length: 9 }, (_, index) => `${slug}-${index + 2}`)];
}

function rejectForeign(remoteId: string): Failure {
  return reject(
    'remote_not_ours',
    `Post ${remoteId} on WordPress is not this article’s: it has another author, or lacks the line that names the original. It was left as it is.`,
  );
}
