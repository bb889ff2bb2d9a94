/**
 * Reads a post before it is changed. Hashnode's mutations identify a post by its id alone and reach
 * every publication of the token's user. Only this read detects a post of another publication.
 */
import type { Caller } from '../http/caller.ts';
import { reject } from '../http/failures.ts';
import { readField, readText } from '../http/read-field.ts';
import type { Failure, Outcome } from '../types.ts';
import type { HashnodeRequest } from './call.ts';
import { POST_BEFORE_CHANGE } from './operations.ts';
import { isPublication, readChange, readData } from './posts.ts';
import { rejectDeleted, rejectToken } from './refusals.ts';

/**
 * When the post last changed, if it belongs to the publication. May come from a cache of about 25
 * s.
 */
export async function readChangeBeforeWrite(
  caller: Caller<HashnodeRequest>,
  publicationId: string,
  remoteId: string,
): Promise<Outcome<string | null>> {
  const answer = await caller.call({ query: POST_BEFORE_CHANGE, variables: { id: remoteId } }, 'read', readData);
  if (answer.kind === 'rejected' && answer.code === 'publication_not_found') return rejectDeleted();
  if (answer.kind !== 'done') return answer;
  if (readField(answer.value, 'me') == null) return rejectToken();
  const post = readField(answer.value, 'post');
  // Hidden posts look the same. Their owner cannot be determined, so they are not changed.
  if (post == null) return rejectDeleted();
  const publication = readField(post, 'publication');
  // Hashnode hides a publication without a plan, and refuses the change itself.
  if (publication != null && !isPublication(publication, publicationId)) return rejectForeign(readText(post, 'url'));
  return { kind: 'done', value: readChange(post) };
}

function rejectForeign(url: string | null): Failure {
  const post = url === null ? 'The post' : `The post at ${url}`;
  return reject(
    'remote_not_ours',
    `${post} belongs to another Hashnode publication than the connected one; it was not changed.`,
  );
}
