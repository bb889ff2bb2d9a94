/** Client for LinkedIn's versioned REST API, which can create and delete posts. */
import { type ApiRequest, buildContext, createApiCaller, limitTime, type OpenCaller } from '../http/caller.ts';
import { exchange, type HttpResponse } from '../http/exchange.ts';
import { reject } from '../http/failures.ts';
import { downloadImage } from '../http/image.ts';
import { isObject, readField, readText } from '../http/read-field.ts';
import { readAccount } from '../posts/remote-post.ts';
import type { ClientOptions, DestinationClient, Outcome, ProbedAccount, RemotePost } from '../types.ts';
import { canReceiveToken, findApiRoot, findSite } from './address.ts';
import type { LinkedinPayload } from './format.ts';
import { API_VERSION, LABEL } from './limits.ts';
import { interpretDailyQuota, interpretEndedVersion, interpretRefusal, isDuplicate, listMessages } from './refusals.ts';

/** For the cover and its upload together. */
const PREPARE_MS = 20_000;

export function createClient(options: ClientOptions): DestinationClient<LinkedinPayload> {
  const caller = createCaller(options);
  const { baseUrl, credentials } = options.connection;
  const { authorUrn } = credentials;
  const buildPost = (urn: string): RemotePost => {
    return { remoteId: urn, url: `${findSite(baseUrl)}/feed/update/${urn}/`, changedAt: null };
  };
  return {
    probe: () => probeAuthor(caller, credentials),

    find: async () => reject('cannot_find', 'LinkedIn does not let this server read your posts. Check them there.'),

    /** The card of a post names an uploaded image. */
    async prepare({ cover, ...payload }) {
      if (cover === null || !authorUrn) return { kind: 'done', value: { ...payload, cover } };
      const bounded = limitTime(options, PREPARE_MS);
      const image = await uploadCover(createCaller(bounded), bounded, authorUrn, cover);
      if (image.kind !== 'done') return image;
      const article = { ...payload.content.article, ...(image.value === null ? {} : { thumbnail: image.value }) };
      return { kind: 'done', value: { ...payload, cover: null, content: { article } } };
    },

    async create(payload) {
      if (!authorUrn) {
        return reject('account_unknown', 'The owner of this LinkedIn account is unknown. Connect it again.');
      }
      const body = buildBody(authorUrn, payload);
      const ended = await caller.send({ method: 'POST', path: '/rest/posts', body });
      // A refusal that names an identical post identifies the post of an earlier attempt, as a
      // look-up would. Without an earlier attempt, a person wrote that post.
      const duplicate = ended.kind === 'answer' ? findDuplicate(ended) : null;
      if (duplicate !== null) return { kind: 'done', value: { ...buildPost(duplicate), isDuplicate: true } };
      // The response names the post in a header.
      return caller.interpret(ended, 'create', ({ status, headers }) => {
        const urn = headers['x-restli-id'] ?? '';
        return status === 201 && WHOLE_URN.test(urn) ? buildPost(urn) : undefined;
      });
    },

    update: async () =>
      reject('cannot_update', 'The link card of a LinkedIn post cannot be changed. Edit the post there.'),

    withdraw: (remoteId) =>
      caller.call(
        {
          method: 'DELETE',
          path: `/rest/posts/${encodeURIComponent(remoteId)}`,
          headers: { 'x-restli-method': 'DELETE' },
        },
        'withdraw',
        ({ status }) => (status === 204 ? null : undefined),
      ),
  };
}

function createCaller(options: ClientOptions): OpenCaller<ApiRequest> {
  const { baseUrl, credentials } = options.connection;
  const { accessToken = '', apiVersion = '' } = credentials;
  const version = /^\d{6}$/.test(apiVersion) ? apiVersion : API_VERSION;
  return createApiCaller(options, {
    label: LABEL,
    root: findApiRoot(baseUrl),
    headers: { ...buildAuthorization(options), 'linkedin-version': version, 'x-restli-protocol-version': '2.0.0' },
    secrets: { accessToken },
    // LinkedIn responds to writes without a body.
    isPlatformResponse: ({ status, bytes, json }) => isObject(json) || (status < 300 && bytes.length === 0),
    interpretFromAnySender: (answer) => interpretDailyQuota(answer, options.now()),
    interpretRefusal: (answer, intent, secrets) =>
      answer.status === 426 ? interpretEndedVersion(version) : interpretRefusal(answer, intent, secrets),
  });
}

function buildAuthorization({ connection }: ClientOptions): { authorization: string } {
  return { authorization: `Bearer ${connection.credentials.accessToken ?? ''}` };
}

/** Determines who posts: the owner of the token, or a page, which has no readable name. */
async function probeAuthor(
  caller: OpenCaller<ApiRequest>,
  { organizationId = '' }: Record<string, string>,
): Promise<Outcome<ProbedAccount>> {
  const page = organizationId.trim();
  if (page !== '' && !/^\d{1,20}$/.test(page)) {
    return reject('organization_invalid', 'A LinkedIn page id is a number. Correct it and connect again.');
  }
  return caller.call({ method: 'GET', path: '/v2/userinfo' }, 'read', ({ json }) => {
    const sub = readText(json, 'sub');
    if (sub === null || !/^[\w-]{1,100}$/.test(sub)) return undefined;
    const person = `urn:li:person:${sub}`;
    const urn = page === '' ? person : `urn:li:organization:${page}`;
    const name = page === '' ? (readAccount(readField(json, 'name')) ?? person) : `LinkedIn page ${page}`;
    return { account: urn, name, settings: { authorUrn: urn } };
  });
}

/**
 * Uploads an article's cover, because LinkedIn does not read the page. Returns the image's URN, or
 * null if the cover is omitted: a failed upload never delays the post. An image without a post is
 * not shown, so a second upload does no harm.
 */
async function uploadCover(
  caller: OpenCaller<ApiRequest>,
  options: ClientOptions,
  owner: string,
  cover: string,
): Promise<Outcome<string | null>> {
  const image = await downloadImage(cover, options);
  // LinkedIn accepts PNG, JPEG and GIF.
  if (image === null || image.type === 'image/webp') return NO_COVER;
  const path = '/rest/images?action=initializeUpload';
  const body = { initializeUploadRequest: { owner } };
  const slot = await caller.call({ method: 'POST', path, body }, 'read', ({ json }) => ({
    url: readText(json, 'value', 'uploadUrl') ?? '',
    urn: readText(json, 'value', 'image') ?? '',
  }));
  if (slot.kind === 'rejected') return NO_COVER;
  if (slot.kind !== 'done') return slot;
  const { url, urn } = slot.value;
  if (!/^urn:li:image:[\w-]{1,100}$/.test(urn) || !canReceiveToken(url, options.connection.baseUrl)) return NO_COVER;
  const headers = { ...buildAuthorization(options), 'content-type': 'application/octet-stream' };
  const ended = await exchange({ method: 'PUT', url, bytes: image.bytes, headers }, buildContext(options));
  return ended.kind === 'answer' && ended.status < 300 ? { kind: 'done', value: urn } : NO_COVER;
}

const NO_COVER: Outcome<null> = { kind: 'done', value: null };

/** Field by field: stored keys change order, and a repeat must be byte-identical. */
function buildBody(author: string, payload: LinkedinPayload): object {
  const { commentary, visibility, distribution, content, lifecycleState, isReshareDisabledByAuthor } = payload;
  const { source, title, description, thumbnail } = content.article;
  const { feedDistribution, targetEntities, thirdPartyDistributionChannels } = distribution;
  return {
    ...{ author, commentary, visibility },
    distribution: { feedDistribution, targetEntities, thirdPartyDistributionChannels },
    // Undefined fields are not written.
    content: { article: { source, title, description, thumbnail } },
    ...{ lifecycleState, isReshareDisabledByAuthor },
  };
}

const WHOLE_URN = /^urn:li:(?:share|ugcPost):\d{1,30}$/;

/**
 * The URN of the identical post that LinkedIn names when it refuses a second one. For a day or two
 * after a deletion that post may be gone; ordinary permissions do not allow a check.
 */
function findDuplicate(answer: HttpResponse): string | null {
  if (!isDuplicate(answer)) return null;
  const urns = listMessages(answer.json).map((text) => /urn:li:(?:share|ugcPost):\d{1,30}/.exec(text)?.[0]);
  return urns.find((urn) => urn !== undefined) ?? null;
}
