/** Talks to Hashnode's GraphQL API. Errors come in HTTP 200; a redirect means that the endpoint is gone for good. */
import { findDrift } from '../drift.ts';
import { readAccount } from '../remote-post.ts';
import type { ClientOptions, DestinationClient, Outcome, RemotePost } from '../types.ts';
import { callHashnode } from './call.ts';
import { findPost } from './find.ts';
import type { HashnodePayload } from './format.ts';
import { HASHNODE_LABEL } from './limits.ts';
import { LAST_CHANGE, PROBE, PUBLISH_POST, UPDATE_POST } from './operations.ts';
import { at, type Json, readChange, readPost } from './post.ts';
import { noPublication } from './refusals.ts';

export function createHashnodeClient(options: ClientOptions): DestinationClient<HashnodePayload> {
  const publicationId = options.connection.credentials.publicationId ?? '';
  return {
    async probe() {
      const answer = await callHashnode(options, PROBE, { publicationId }, 'read');
      if (answer.kind !== 'done') return answer;
      const account = readAccount(at(answer.value, 'me', 'username'));
      if (account === null) {
        return { kind: 'unauthorised', reason: 'Hashnode does not know whose token this is. Connect again.' };
      }
      if (at(answer.value, 'publication', 'id') === undefined) return noPublication();
      return { kind: 'done', value: { account } };
    },

    find: (article) => findPost(options, publicationId, article),

    async create(payload) {
      const { optional, ...required } = payload;
      const input = { publicationId, ...required, ...withoutNulls(optional) };
      return remotePost(await callHashnode(options, PUBLISH_POST, { input }, 'create'), 'publishPost', 'create');
    },

    async update(remoteId, payload, unchangedSince) {
      const drift = await findDrift(HASHNODE_LABEL, unchangedSince, async () => {
        const shown = await callHashnode(options, LAST_CHANGE, { id: remoteId }, 'read');
        return shown.kind === 'done' ? { kind: 'done', value: readChange(at(shown.value, 'post')) } : shown;
      });
      if (drift) return drift;
      // The slug stays as it is: changing it would break the links to the post. Nulls clear what the author took away,
      // and an absent `isDelisted` would leave a withdrawn post hidden.
      const { optional, slug: _, ...required } = payload;
      const input = { id: remoteId, ...required, ...optional, isDelisted: false };
      return remotePost(await callHashnode(options, UPDATE_POST, { input }, 'update'), 'updatePost', 'update');
    },

    async withdraw(remoteId) {
      // There is no way to delete a post; out of the lists is the most that can be had.
      const input = { id: remoteId, isDelisted: true };
      const answer = await callHashnode(options, UPDATE_POST, { input }, 'withdraw');
      return answer.kind === 'done' ? { kind: 'done', value: null } : answer;
    },
  };
}

function remotePost(answer: Outcome<Json>, mutation: string, intent: 'create' | 'update'): Outcome<RemotePost> {
  if (answer.kind !== 'done') return answer;
  const post = readPost(at(answer.value, mutation, 'post'));
  if (post) return { kind: 'done', value: post };
  return { kind: 'unknown', reason: `Hashnode took the ${intent} and did not name the post.` };
}

function withoutNulls(values: Json): Json {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null));
}
