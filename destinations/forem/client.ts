/** Talks to Forem's REST API v1 (dev.to and self-hosted ones). */

import { findDrift } from '../drift.ts';
import type { HttpAnswer, HttpRequest } from '../http/exchange.ts';
import { field } from '../http/json-fields.ts';
import { type Intent, outcomeOfWeather } from '../http/outcomes.ts';
import { readAccount } from '../remote-post.ts';
import type { ClientOptions, DestinationClient, Outcome, RemotePost } from '../types.ts';
import { readChange, readPost } from './article.ts';
import { ARTICLES_MAX_BYTES, endpoint, judge, send } from './call.ts';
import { findByCanonical } from './find.ts';
import type { ForemPayload } from './format.ts';
import { FOREM_LABEL } from './limits.ts';

export function createForemClient(options: ClientOptions): DestinationClient<ForemPayload> {
  const call = async (request: HttpRequest, intent: Intent) => judge(await send(options, request), intent, options);
  const article = (remoteId: string) => endpoint(options, `/articles/${encodeURIComponent(remoteId)}`);
  return {
    async probe() {
      const answer = await call({ method: 'GET', url: endpoint(options, '/users/me') }, 'read');
      if (answer.kind !== 'done') return answer;
      const account = readAccount(field(answer.value.json, 'username'));
      if (account !== null) return { kind: 'done', value: { account } };
      return outcomeOfWeather(answer.value, 'read', FOREM_LABEL);
    },

    find: ({ canonicalUrl }) => findByCanonical(options, canonicalUrl),

    async create(payload) {
      const request = { method: 'POST', url: endpoint(options, '/articles'), body: { article: payload } } as const;
      return remotePost(await call({ ...request, maxBytes: ARTICLES_MAX_BYTES }, 'create'), 'create');
    },

    async update(remoteId, payload, unchangedSince) {
      const url = article(remoteId);
      // Open to everybody and cached at the edge; not there at all for what is unpublished, as after our own withdrawal.
      const drift = await findDrift(FOREM_LABEL, unchangedSince, async () => {
        const shown = await call({ method: 'GET', url, maxBytes: ARTICLES_MAX_BYTES }, 'read');
        return shown.kind === 'done' ? { kind: 'done', value: readChange(shown.value.json) } : shown;
      });
      if (drift) return drift;
      const request = { method: 'PUT', url, body: { article: payload }, maxBytes: ARTICLES_MAX_BYTES } as const;
      return remotePost(await call(request, 'update'), 'update');
    },

    async withdraw(remoteId) {
      // There is no DELETE. As a draft it is seen in its author's dashboard only; the tags, which this erases, come back
      // with the next update.
      const body = { article: { published: false } };
      const request = { method: 'PUT', url: article(remoteId), body, maxBytes: ARTICLES_MAX_BYTES } as const;
      const answer = await call(request, 'withdraw');
      return answer.kind === 'done' ? { kind: 'done', value: null } : answer;
    },
  };
}

function remotePost(answer: Outcome<HttpAnswer>, intent: Intent): Outcome<RemotePost> {
  if (answer.kind !== 'done') return answer;
  const post = readPost(answer.value.json);
  return post ? { kind: 'done', value: post } : outcomeOfWeather(answer.value, intent, FOREM_LABEL);
}
