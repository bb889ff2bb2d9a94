/** Client for Hashnode's GraphQL API. */
import { ignoreResponse } from '../http/caller.ts';
import { readField } from '../http/read-field.ts';
import { findDrift } from '../posts/drift.ts';
import type { ClientOptions, DestinationClient, Outcome, RemotePost } from '../types.ts';
import { readChangeBeforeWrite } from './before-change.ts';
import { createCaller } from './call.ts';
import { findPost } from './find.ts';
import type { HashnodePayload } from './format.ts';
import { LABEL } from './limits.ts';
import { PROBE, PUBLISH_POST, UPDATE_POST } from './operations.ts';
import { readData, readPost, readProbedAccount } from './posts.ts';
import { rejectPublication, rejectToken } from './refusals.ts';

export function createClient(options: ClientOptions): DestinationClient<HashnodePayload> {
  const caller = createCaller(options);
  const { publicationId = '' } = options.connection.credentials;
  return {
    async probe() {
      const answer = await caller.call({ query: PROBE, variables: { publicationId } }, 'read', readData);
      if (answer.kind !== 'done') return answer;
      if (readField(answer.value, 'me') == null) {
        return rejectToken();
      }
      const account = readProbedAccount(answer.value, publicationId);
      return account ? { kind: 'done', value: account } : rejectPublication();
    },

    find: (article) => findPost(caller, publicationId, article),

    async create(payload) {
      const { optional, ...required } = payload;
      const input = { publicationId, ...required, ...dropNulls(optional) };
      const answer = await caller.call({ query: PUBLISH_POST, variables: { input } }, 'create', readData);
      return answer.kind === 'done' ? readWritten(answer.value, 'publishPost', 'create') : answer;
    },

    async update(remoteId, payload, unchangedSince) {
      const current = await readChangeBeforeWrite(caller, publicationId, remoteId);
      if (current.kind !== 'done') return current;
      const drift = await findDrift(LABEL, unchangedSince, async () => current);
      if (drift) return drift;
      // The slug does not change, because that would break the links to the post. Nulls clear
      // removed values. An absent `isDelisted` would leave a withdrawn post hidden.
      const { optional, slug: _, ...required } = payload;
      const input = { id: remoteId, ...required, ...optional, isDelisted: false };
      const answer = await caller.call({ query: UPDATE_POST, variables: { input } }, 'update', readData);
      return answer.kind === 'done' ? readWritten(answer.value, 'updatePost', 'update') : answer;
    },

    // Hashnode cannot delete a post. It can only remove it from the lists.
    async withdraw(remoteId) {
      const current = await readChangeBeforeWrite(caller, publicationId, remoteId);
      if (current.kind !== 'done') return current;
      const input = { id: remoteId, isDelisted: true };
      return caller.call({ query: UPDATE_POST, variables: { input } }, 'withdraw', ignoreResponse);
    },
  };
}

function readWritten(data: unknown, mutation: string, intent: 'create' | 'update'): Outcome<RemotePost> {
  const post = readPost(readField(data, mutation, 'post'));
  if (post) return { kind: 'done', value: post };
  return { kind: 'unknown', reason: `Hashnode accepted the ${intent} but did not identify the post.` };
}

function dropNulls(values: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null));
}
