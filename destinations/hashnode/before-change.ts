/**
 * The look at a post before it is changed. Hashnode's mutations name a post by its id alone and reach every publication of the token's user, so
 * that only this look tells a post of the connected publication from one of another.
 */
import type { Caller } from '../http/caller.ts';
import { reject } from '../http/failures.ts';
import { readField, readText } from '../http/read-field.ts';
import type { Failure, Outcome } from '../types.ts';
import type { HashnodeRequest } from './call.ts';
import { POST_BEFORE_CHANGE } from './operations.ts';
import { isPublication, readChange, readData } from './posts.ts';
import { rejectGone, rejectToken } from './refusals.ts';

/** When the post was last changed, where it is one of the publication; it may be answered from a cache of some 25 s. */
export async function lookBeforeChange(
  caller: Caller<HashnodeRequest>,
  publicationId: string,
  remoteId: string,
): Promise<Outcome<string | null>> {
  const answer = await caller.call({ query: POST_BEFORE_CHANGE, variables: { id: remoteId } }, 'read', readData);
  if (answer.kind === 'rejected' && answer.code === 'publication_not_found') return rejectGone();
  if (answer.kind !== 'done') return answer;
  if (readField(answer.value, 'me') == null) return rejectToken();
  const post = readField(answer.value, 'post');
  // Hidden posts look like this too. Whose it is cannot be seen then, so it is left alone.
  if (post == null) return rejectGone();
  const publication = readField(post, 'publication');
  // A publication without a plan is not shown, and refuses the change itself.
  if (publication != null && !isPublication(publication, publicationId)) return rejectForeign(readText(post, 'url'));
  return { kind: 'done', value: readChange(post) };
}

function rejectForeign(url: string | null): Failure {
  const post = url === null ? 'The post' : `The post at ${url}`;
  return reject(
    'remote_not_ours',
    `${post} belongs to another Hashnode publication than the connected one; it was left as it is.`,
  );
}
