/** Talks to LinkedIn's versioned REST API: posts are made and deleted there, and seen by their URN only. */
import { isObject } from '../http/json-fields.ts';
import { outcomeOfWeather } from '../http/outcomes.ts';
import { withinMs } from '../http/within.ts';
import type { ClientOptions, DestinationClient, Outcome, RemotePost } from '../types.ts';
import { authorUrn, personUrn, refuseOrganization } from './author.ts';
import { judgeLinkedin, sendLinkedin } from './call.ts';
import type { LinkedinPayload } from './format.ts';
import { LINKEDIN_LABEL } from './limits.ts';
import { duplicateOf } from './refusals.ts';
import { uploadThumbnail } from './thumbnail.ts';

/** For the author, the cover and its upload: several exchanges, of which none may use up the patience of the whole. */
const PREPARE_MS = 20_000;

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

    // A post names its author, and its card an image that is there already.
    async prepare(payload) {
      const bounded = withinMs(options, PREPARE_MS);
      const author = await readAuthor(bounded, payload.author);
      if (author.kind !== 'done') return author;
      if (payload.cover === null) return { kind: 'done', value: { ...payload, author: author.value } };
      const thumbnail = await uploadThumbnail(bounded, author.value, payload.cover);
      if (thumbnail.kind !== 'done') return thumbnail;
      const article = {
        ...payload.content.article,
        ...(thumbnail.value === null ? {} : { thumbnail: thumbnail.value }),
      };
      return { kind: 'done', value: { ...payload, author: author.value, cover: null, content: { article } } };
    },

    async create(payload) {
      const author = payload.author ?? authorUrn(credentials);
      if (!author)
        return cannot('account_unknown', 'It is not known whose LinkedIn account this is: connect it again.');
      const body = requestBody(author, payload);
      const ended = await sendLinkedin(options, { method: 'POST', path: '/rest/posts', body });
      // A refusal of the same post again is as good as a look-up.
      const made = ended.kind === 'answer' && isObject(ended.json) ? duplicateOf(ended) : null;
      if (made !== null) return { kind: 'done', value: remotePost(options, made) };
      const answer = judgeLinkedin(ended, 'create', options);
      if (answer.kind !== 'done') return answer;
      const urn = answer.value.headers['x-restli-id'] ?? '';
      if (answer.value.status === 201 && WHOLE_URN.test(urn)) return { kind: 'done', value: remotePost(options, urn) };
      return outcomeOfWeather(answer.value, 'create', LINKEDIN_LABEL);
    },

    async withdraw(remoteId) {
      const path = `/rest/posts/${encodeURIComponent(remoteId)}`;
      const ended = await sendLinkedin(options, { method: 'DELETE', path, headers: { 'x-restli-method': 'DELETE' } });
      const answer = judgeLinkedin(ended, 'withdraw', options);
      if (answer.kind !== 'done') return answer;
      if (answer.value.status === 204) return { kind: 'done', value: null };
      return outcomeOfWeather(answer.value, 'withdraw', LINKEDIN_LABEL);
    },

    find: async () => cannot('cannot_find', 'LinkedIn does not let this server read your posts: look at them there.'),
    update: async () =>
      cannot('cannot_update', 'The link card of a LinkedIn post cannot be changed: edit the post there.'),
  };
}

/**
 * Field by field: a payload that was stored meanwhile may come back in another order, and a repeat must not differ by a
 * byte.
 */
function requestBody(author: string, payload: LinkedinPayload): Omit<LinkedinPayload, 'cover'> {
  const { commentary, visibility, distribution, content, lifecycleState, isReshareDisabledByAuthor } = payload;
  const { source, title, description, thumbnail } = content.article;
  const { feedDistribution, targetEntities, thirdPartyDistributionChannels } = distribution;
  return {
    author,
    commentary,
    visibility,
    distribution: { feedDistribution, targetEntities, thirdPartyDistributionChannels },
    // What is undefined is not written.
    content: { article: { source, title, description, thumbnail } },
    lifecycleState,
    isReshareDisabledByAuthor,
  };
}

/** A probed connection knows the URN; an older one asks. */
async function readAuthor(options: ClientOptions, given: string | null): Promise<Outcome<string>> {
  const { credentials } = options.connection;
  const known = given ?? authorUrn(credentials);
  return refuseOrganization(credentials) ?? (known ? { kind: 'done', value: known } : readPerson(options));
}

/** URN of the person whose token it is. OpenID Connect, so without the headers of the versioned API. */
async function readPerson(options: ClientOptions): Promise<Outcome<string>> {
  const answer = judgeLinkedin(await sendLinkedin(options, { method: 'GET', path: '/v2/userinfo' }), 'read', options);
  if (answer.kind !== 'done') return answer;
  const sub = isObject(answer.value.json) ? answer.value.json.sub : undefined;
  if (typeof sub === 'string' && /^[\w-]{1,100}$/.test(sub)) return { kind: 'done', value: personUrn(sub) };
  return outcomeOfWeather(answer.value, 'read', LINKEDIN_LABEL);
}

function remotePost(options: ClientOptions, urn: string): RemotePost {
  return { remoteId: urn, url: `${siteOf(options.connection.baseUrl)}/feed/update/${urn}/`, changedAt: null };
}

/** Where people see what the API makes: `api.linkedin.com` → `www.linkedin.com`; a stand-in has both in one place. */
function siteOf(baseUrl: string): string {
  const base = baseUrl.replace(/\/+$/, '');
  return base.replace(/^(https?:\/\/)api\.(?=[^/]+$)/i, '$1www.');
}

function cannot(code: string, reason: string): Outcome<never> {
  return { kind: 'rejected', code, reason };
}
