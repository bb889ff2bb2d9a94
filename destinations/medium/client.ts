/** Talks to Medium's API v1, which can make posts and nothing else: no look-up, no change, no withdrawal. */

import { contextOf } from '../http/context.ts';
import { type Exchange, exchange, type HttpAnswer, type HttpRequest } from '../http/exchange.ts';
import { field } from '../http/json-fields.ts';
import {
  type Intent,
  outcomeOfRateLimit,
  outcomeOfRedirect,
  outcomeOfServerError,
  outcomeOfSilence,
  outcomeOfWeather,
} from '../http/outcomes.ts';
import { readAccount, readRemoteId, readRemotePost } from '../remote-post.ts';
import type { ClientOptions, DestinationClient, Outcome, RemotePost } from '../types.ts';
import type { MediumPayload } from './format.ts';
import { MEDIUM_LABEL } from './limits.ts';
import {
  isDailyLimit,
  outcomeOfChallenge,
  outcomeOfDailyLimit,
  outcomeOfRefusal,
  outcomeOfRetirement,
} from './refusals.ts';

export function createMediumClient(options: ClientOptions): DestinationClient<MediumPayload> {
  const { credentials } = options.connection;
  return {
    async probe() {
      const user = await readUser(options);
      if (user.kind !== 'done') return user;
      return { kind: 'done', value: { account: user.value.username, settings: { userId: user.value.id } } };
    },

    // Medium asks for the author's id in the address of a post. A probed connection has it; an older one asks here.
    async prepare(payload) {
      const known = payload.authorId ?? credentials.userId;
      if (known) return { kind: 'done', value: { ...payload, authorId: known } };
      const user = await readUser(options);
      return user.kind === 'done' ? { kind: 'done', value: { ...payload, authorId: user.value.id } } : user;
    },

    async create(payload) {
      const authorId = payload.authorId ?? credentials.userId;
      if (!authorId)
        return cannot('account_unknown', 'It is not known whose Medium account this is: connect it again.');
      const path = `/users/${encodeURIComponent(authorId)}/posts`;
      const answer = await call(
        options,
        { method: 'POST', url: endpoint(options, path), body: payload.post },
        'create',
      );
      return answer.kind === 'done' ? remotePost(answer.value) : answer;
    },

    find: async () => cannot('cannot_find', 'Medium cannot be asked for a post: look at your stories there.'),
    update: async () => cannot('cannot_update', 'Medium lets nobody but you change a post: edit the story there.'),
    withdraw: async () =>
      cannot('cannot_withdraw', 'Medium lets nobody but you delete a post: delete the story there.'),
  };
}

async function readUser(options: ClientOptions): Promise<Outcome<{ id: string; username: string }>> {
  const answer = await call(options, { method: 'GET', url: endpoint(options, '/me') }, 'read');
  if (answer.kind !== 'done') return answer;
  const data = field(answer.value.json, 'data');
  const id = readRemoteId(field(data, 'id'));
  const username = readAccount(field(data, 'username'));
  if (id !== null && username !== null) return { kind: 'done', value: { id, username } };
  return outcomeOfWeather(answer.value, 'read', MEDIUM_LABEL);
}

function remotePost(answer: HttpAnswer): Outcome<RemotePost> {
  const data = field(answer.json, 'data');
  const post = readRemotePost(field(data, 'id'), field(data, 'url'), null);
  return post ? { kind: 'done', value: post } : outcomeOfWeather(answer, 'create', MEDIUM_LABEL);
}

async function call(options: ClientOptions, request: HttpRequest, intent: Intent): Promise<Outcome<HttpAnswer>> {
  const headers = {
    authorization: `Bearer ${options.connection.credentials.token ?? ''}`,
    'accept-charset': 'utf-8',
  };
  return judge(await exchange({ ...request, headers }, contextOf(options)), intent, options);
}

/** `done` for a 2xx whose body is JSON. */
function judge(ended: Exchange, intent: Intent, options: ClientOptions): Outcome<HttpAnswer> {
  if (ended.kind === 'redirect') {
    return outcomeOfRedirect(ended, intent, MEDIUM_LABEL, outcomeOfRetirement(ended.status));
  }
  if (ended.kind !== 'answer') return outcomeOfSilence(ended, intent, MEDIUM_LABEL);
  if (isDailyLimit(ended)) return outcomeOfDailyLimit();
  if (ended.status >= 400 && ended.headers['cf-mitigated'] !== undefined) return outcomeOfChallenge();
  if (ended.status === 410) return outcomeOfRetirement(ended.status);
  if (ended.status === 429) return outcomeOfRateLimit(ended, MEDIUM_LABEL, options.now());
  if (ended.json === null || typeof ended.json !== 'object') return outcomeOfWeather(ended, intent, MEDIUM_LABEL);
  if (ended.status >= 500) return outcomeOfServerError(ended, intent, MEDIUM_LABEL, options.now());
  if (ended.status >= 400) {
    return outcomeOfRefusal(ended, intent, { token: options.connection.credentials.token ?? '' });
  }
  return { kind: 'done', value: ended };
}

function cannot(code: string, reason: string): Outcome<never> {
  return { kind: 'rejected', code, reason };
}

function endpoint(options: ClientOptions, path: string): string {
  return `${options.connection.baseUrl.replace(/\/+$/, '')}${path}`;
}
