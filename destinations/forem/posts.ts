/** Reads the articles and the user in Forem's responses. */
import { readField } from '../http/read-field.ts';
import { readAccount, readRemoteId, readRemotePost, readTime } from '../posts/remote-post.ts';
import type { ProbedAccount, RemotePost } from '../types.ts';
import { findSiteName } from './address.ts';

export function readPost(json: unknown): RemotePost | undefined {
  return readRemotePost(readField(json, 'id'), readField(json, 'url'), readChange(json)) ?? undefined;
}

/**
 * When the article was last edited, or published if it was never edited. Null for entries of the
 * owner's lists, which have no `edited_at`.
 */
export function readChange(json: unknown): string | null {
  const editedAt = readField(json, 'edited_at');
  return editedAt === undefined ? null : readTime(editedAt, readField(json, 'published_at'));
}

/** Ids are unique within one Forem only, so the account includes the site. */
export function readUser(json: unknown, baseUrl: string): ProbedAccount | undefined {
  const id = readRemoteId(readField(json, 'id'));
  const username = readAccount(readField(json, 'username'));
  const site = findSiteName(baseUrl);
  if (id === null || username === null || site === null) return undefined;
  return { account: `${site} ${id}`, name: `@${username}` };
}
