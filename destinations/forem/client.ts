/** Client for Forem's REST API v1 (dev.to and self-hosted instances). */
import { ignoreResponse } from '../http/caller.ts';
import { findDrift } from '../posts/drift.ts';
import type { ClientOptions, DestinationClient } from '../types.ts';
import { createCaller } from './call.ts';
import { findPost } from './find.ts';
import type { ForemPayload } from './format.ts';
import { LABEL } from './limits.ts';
import { readChange, readPost, readUser } from './posts.ts';

export function createClient(options: ClientOptions): DestinationClient<ForemPayload> {
  const caller = createCaller(options);
  return {
    probe: () =>
      caller.call({ method: 'GET', path: '/users/me' }, 'read', ({ json }) =>
        readUser(json, options.connection.baseUrl),
      ),

    find: (article) => findPost(caller, article, options.signal),

    create: (article) =>
      caller.call({ method: 'POST', path: '/articles', body: { article } }, 'create', ({ json }) => readPost(json)),

    async update(remoteId, article, unchangedSince) {
      const path = buildPath(remoteId);
      // This response is public and cached at the edge. An unpublished article (after our own
      // withdrawal) is a 404.
      const drift = await findDrift(LABEL, unchangedSince, () =>
        caller.call({ method: 'GET', path }, 'read', ({ json }) => readChange(json)),
      );
      if (drift) return drift;
      return caller.call({ method: 'PUT', path, body: { article } }, 'update', ({ json }) => readPost(json));
    },

    // Forem has no DELETE, and only its author sees a draft. This erases the tags; the next update
    // restores them.
    withdraw: (remoteId) =>
      caller.call(
        { method: 'PUT', path: buildPath(remoteId), body: { article: { published: false } } },
        'withdraw',
        ignoreResponse,
      ),
  };
}

function buildPath(remoteId: string): string {
  return `/articles/${encodeURIComponent(remoteId)}`;
}
