/** Talks to LinkedIn's versioned REST API: posts are made and deleted there, and seen by their URN only. */
import { type Exchange, exchange, type HttpAnswer, type HttpRequest } from '../http.ts';
import {
  endpointMoved,
  type Intent,
  outcomeOfRateLimit,
  outcomeOfServerError,
  outcomeOfSilence,
  outcomeOfWeather,
} from '../outcomes.ts';
import type { ClientOptions, DestinationClient, Outcome, RemotePost } from '../types.ts';
import { authorUrn, personUrn, refuseOrganization } from './author.ts';
import type { LinkedinPayload } from './format.ts';
import { LINKEDIN_LABEL, LINKEDIN_VERSION } from './limits.ts';
import { duplicateOf, outcomeOfRefusal, outcomeOfVersion } from './refusals.ts';

const WHOLE_URN = /^urn:li:(?:share|ugcPost):\d{1,30}$/;

export function createLinkedinClient(options: ClientOptions): DestinationClient<LinkedinPayload> {
  const { credentials } = options.connection;
  return {
    async probe() {
      const person = await readPerson(options);
      if (person.kind !== 'done') return person;
      const urn = authorUrn({ ...credentials, authorUrn: person.value }) ?? person.value;
      return refuseOrganization(credentials) ?? { kind: 'done', value: { account: urn, settings: { authorUrn: urn } } };
    },

    // A post names its author. A probed connection knows the URN; an older one asks here.
    async prepare(payload) {
      const known = payload.author ?? authorUrn(credentials);
      if (known) return refuseOrganization(credentials) ?? { kind: 'done', value: { ...payload, author: known } };
      const person = await readPerson(options);
      return person.kind === 'done' ? { kind: 'done', value: { ...payload, author: person.value } } : person;
    },

    async create(payload) {
      const author = payload.author ?? authorUrn(credentials);
      if (!author)
        return cannot('account_unknown', 'It is not known whose LinkedIn account this is: connect it again.');
      const request: HttpRequest = {
        method: 'POST',
        url: endpoint(options, '/rest/posts'),
        body: requestBody(author, payload),
      };
      const ended = await send(options, request);
      // A refusal of the same post again is as good as a look-up.
      const made = ended.kind === 'answer' && isObject(ended.json) ? duplicateOf(ended) : null;
      if (made !== null) return { kind: 'done', value: remotePost(options, made) };
      const answer = judge(ended, 'create', options);
      if (answer.kind !== 'done') return answer;
      const urn = answer.value.headers['x-restli-id'] ?? '';
      if (answer.value.status === 201 && WHOLE_URN.test(urn)) return { kind: 'done', value: remotePost(options, urn) };
      return outcomeOfWeather(answer.value, 'create', LINKEDIN_LABEL);
    },

    async withdraw(remoteId) {
      const url = endpoint(options, `/rest/posts/${encodeURIComponent(remoteId)}`);
      const ended = await send(options, { method: 'DELETE', url, headers: { 'x-restli-method': 'DELETE' } });
      const answer = judge(ended, 'withdraw', options);
      if (answer.kind !== 'done') return answer;
      if (answer.value.status === 204) return { kind: 'done', value: null };
      return outcomeOfWeather(answer.value, 'withdraw', LINKEDIN_LABEL);
    },

    find: async () => cannot('cannot_find', 'LinkedIn does not let this server read your posts: look at them there.'),
    update: async () =>
      cannot('cannot_update', 'The link card of a LinkedIn post cannot be changed: edit the post there.'),
  };
}

/** Field by field: a payload that was stored meanwhile may come back in another order, and a repeat must not differ by a byte. */
function requestBody(author: string, payload: LinkedinPayload): LinkedinPayload {
  const { commentary, visibility, distribution, content, lifecycleState, isReshareDisabledByAuthor } = payload;
  const { source, title, description } = content.article;
  const { feedDistribution, targetEntities, thirdPartyDistributionChannels } = distribution;
  return {
    author,
    commentary,
    visibility,
    distribution: { feedDistribution, targetEntities, thirdPartyDistributionChannels },
    content: { article: { source, title, ...(description === undefined ? {} : { description }) } },
    lifecycleState,
    isReshareDisabledByAuthor,
  };
}

/** URN of the person whose token it is. OpenID Connect, so without the headers of the versioned API. */
async function readPerson(options: ClientOptions): Promise<Outcome<string>> {
  const answer = judge(await send(options, { method: 'GET', url: endpoint(options, '/v2/userinfo') }), 'read', options);
  if (answer.kind !== 'done') return answer;
  const sub = isObject(answer.value.json) ? answer.value.json.sub : undefined;
  if (typeof sub === 'string' && /^[\w-]{1,100}$/.test(sub)) return { kind: 'done', value: personUrn(sub) };
  return outcomeOfWeather(answer.value, 'read', LINKEDIN_LABEL);
}

function send(options: ClientOptions, request: HttpRequest): Promise<Exchange> {
  const headers = {
    authorization: `Bearer ${options.connection.credentials.accessToken ?? ''}`,
    'linkedin-version': versionOf(options),
    'x-restli-protocol-version': '2.0.0',
    ...request.headers,
  };
  const addresses = { allowPrivate: options.allowPrivate ?? false };
  return exchange({ ...request, headers }, { timeoutMs: options.timeoutMs, signal: options.signal, addresses });
}

/** `done` for a 2xx that is JSON or has no body at all, which is how LinkedIn answers a write. */
function judge(ended: Exchange, intent: Intent, options: ClientOptions): Outcome<HttpAnswer> {
  if (ended.kind === 'redirect') {
    const isForGood = ended.status === 301 || ended.status === 308;
    return isForGood ? endpointMoved(ended.status, LINKEDIN_LABEL) : outcomeOfWeather(ended, intent, LINKEDIN_LABEL);
  }
  if (ended.kind !== 'answer') return outcomeOfSilence(ended, intent, LINKEDIN_LABEL);
  // A daily quota, and no word of when it ends: how long to wait is for whoever counts the tries.
  if (ended.status === 429) return outcomeOfRateLimit(ended, LINKEDIN_LABEL, options.now());
  const isEmpty = ended.bytes.length === 0 && ended.status < 300;
  if (!isEmpty && !isObject(ended.json)) return outcomeOfWeather(ended, intent, LINKEDIN_LABEL);
  if (ended.status >= 500) return outcomeOfServerError(ended, intent, LINKEDIN_LABEL, options.now());
  if (ended.status === 426) return outcomeOfVersion(versionOf(options));
  if (ended.status >= 400) {
    const { accessToken = '' } = options.connection.credentials;
    return outcomeOfRefusal(ended, intent, { accessToken });
  }
  return { kind: 'done', value: ended };
}

function remotePost(options: ClientOptions, urn: string): RemotePost {
  return { remoteId: urn, url: `${siteOf(options.connection.baseUrl)}/feed/update/${urn}/`, changedAt: null };
}

/** Where people see what the API makes: `api.linkedin.com` → `www.linkedin.com`; a stand-in has both in one place. */
function siteOf(baseUrl: string): string {
  const base = baseUrl.replace(/\/+$/, '');
  return base.replace(/^(https?:\/\/)api\.(?=[^/]+$)/i, '$1www.');
}

function versionOf(options: ClientOptions): string {
  const { apiVersion = '' } = options.connection.credentials;
  return /^\d{6}$/.test(apiVersion) ? apiVersion : LINKEDIN_VERSION;
}

function cannot(code: string, reason: string): Outcome<never> {
  return { kind: 'rejected', code, reason };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === 'object';
}

function endpoint(options: ClientOptions, path: string): string {
  return `${options.connection.baseUrl.replace(/\/+$/, '')}${path}`;
}
