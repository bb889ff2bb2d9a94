/**
 * Decides whether a post belongs to an article. A site has many authors, an editor's credential may
 * change all posts, and a restored site reuses ids. So a post is changed only if its contents prove
 * that it belongs to the article.
 */
import { reject } from '../../http/failures.ts';
import { isSameCanonical } from '../../posts/canonical.ts';
import type { Connection, Failure, Outcome } from '../../types.ts';
import type { WordPressCaller } from '../call.ts';
import { type PresentPost, readPresent } from '../posts.ts';
import { rejectDeleted } from '../refusals.ts';
import { findUserId } from './user.ts';

interface Address {
  canonicalUrl: string | null;
  slug: string;
}

/**
 * Reads a post before it is changed. One in the trash is gone: writing to it would publish it
 * again.
 */
export async function readOwnPost(
  caller: WordPressCaller,
  connection: Connection,
  target: { remoteId: string; article: Address | undefined; intent: 'update' | 'withdraw' },
): Promise<Outcome<PresentPost>> {
  const present = await readPresent(caller, target.remoteId, target.intent);
  if (present.kind !== 'done') return present;
  if (present.value === null) return rejectDeleted();
  const user = await findUserId(caller, connection);
  if (user.kind !== 'done') return user;
  const isOwn = isOurs(present.value, user.value, target.article);
  return isOwn ? { kind: 'done', value: present.value } : rejectForeign(target.remoteId);
}

/**
 * Our line with this article's canonical URL is proof, even if an editor changed the author. A post
 * of the user with another URL in our line counts too, because canonical URLs can change. Without
 * the line, our slug decides.
 */
function isOurs({ author, marker, slug }: PresentPost, userId: number, article: Address | undefined): boolean {
  if (marker !== null && isSameCanonical(marker, article?.canonicalUrl)) return true;
  if (author !== null && author !== userId) return false;
  return marker !== null || (article !== undefined && listSlugs(article.slug).includes(slug));
}

/** WordPress adds a number to a slug that is in use. Numbers above ten belong to other articles. */
export function listSlugs(slug: string): string[] {
  return [slug, ...Array.from({ length: 9 }, (_, index) => `${slug}-${index + 2}`)];
}

function rejectForeign(remoteId: string): Failure {
  return reject(
    'remote_not_ours',
    `Post ${remoteId} on WordPress does not belong to this article: it has another author, or lacks the line that names the original. It was not changed.`,
  );
}
