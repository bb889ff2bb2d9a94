/** Client for LinkedIn's versioned REST API, which can create and delete posts. */
import { limitTime } from '../http/context.ts';
import { reject } from '../http/failures.ts';
import { readField, readText } from '../http/read-field.ts';
import { readAccount } from '../posts/remote-post.ts';
import type { ClientOptions, DestinationClient, Outcome } from '../types.ts';
import { buildAuthorUrn, buildPersonUrn, describePage, refuseOrganization } from './author.ts';
import { createCaller, type LinkedinCaller } from './call.ts';
import { uploadCover } from './cover.ts';
import type { LinkedinPayload } from './format.ts';
import { buildPost, findDuplicate, readNewPost } from './posts.ts';

/** For the author, the cover and its upload together. */
const PREPARE_MS = 20_000;

export function createClient(options: ClientOptions): DestinationClient<LinkedinPayload> {
  const caller = createCaller(options);
  const { baseUrl, credentials } = options.connection;
  return {
    async probe() {
      const person = await readPerson(caller);
      if (person.kind !== 'done') return person;
      const { urn: personUrn, name } = person.value;
      const urn = buildAuthorUrn({ ...credentials, authorUrn: personUrn }) ?? personUrn;
      const value = { account: urn, name: urn === personUrn ? name : describePage(urn), settings: { authorUrn: urn } };
      return refuseOrganization(credentials) ?? { kind: 'done', value };
    },

    find: async () => reject('cannot_find', 'LinkedIn does not let this server read your posts. Check them there.'),

    // A post names its author, and its card names an uploaded image.
    async prepare(payload) {
      const bounded = limitTime(options, PREPARE_MS);
      const boundedCaller = createCaller(bounded);
      const author = await readAuthor(boundedCaller, credentials, payload.author);
      if (author.kind !== 'done') return author;
      if (payload.cover === null) return { kind: 'done', value: { ...payload, author: author.value } };
      const image = await uploadCover(boundedCaller, bounded, author.value, payload.cover);
      if (image.kind !== 'done') return image;
      const article = { ...payload.content.article, ...(image.value === null ? {} : { thumbnail: image.value }) };
      return { kind: 'done', value: { ...payload, author: author.value, cover: null, content: { article } } };
    },

    async create(payload) {
      const author = payload.author ?? buildAuthorUrn(credentials);
      if (!author) {
        return reject('account_unknown', 'The owner of this LinkedIn account is unknown. Connect it again.');
      }
      const body = buildBody(author, payload);
      const ended = await caller.send({ method: 'POST', path: '/rest/posts', body });
      // A refusal that names an identical post identifies the post of an earlier attempt, as a
      // look-up would. Without an earlier attempt, a person wrote that post.
      const duplicate = ended.kind === 'answer' ? findDuplicate(ended) : null;
      if (duplicate !== null) return { kind: 'done', value: { ...buildPost(baseUrl, duplicate), isDuplicate: true } };
      return caller.interpret(ended, 'create', (answer) => readNewPost(baseUrl, answer));
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

/**
 * Field by field: the database may return a stored payload with its keys in another order, and a
 * repeat must be identical to the byte.
 */
function buildBody(author: string, payload: LinkedinPayload): Omit<LinkedinPayload, 'cover'> {
  const { commentary, visibility, distribution, content, lifecycleState, isReshareDisabledByAuthor } = payload;
  const { source, title, description, thumbnail } = content.article;
  const { feedDistribution, targetEntities, thirdPartyDistributionChannels } = distribution;
  return {
    author,
    commentary,
    visibility,
    distribution: { feedDistribution, targetEntities, thirdPartyDistributionChannels },
    // Undefined fields are not written.
    content: { article: { source, title, description, thumbnail } },
    lifecycleState,
    isReshareDisabledByAuthor,
  };
}

/** A probe stores the URN with the connection. For an older connection it is requested. */
async function readAuthor(
  caller: LinkedinCaller,
  credentials: Record<string, string>,
  stored: string | null,
): Promise<Outcome<string>> {
  const urn = stored ?? buildAuthorUrn(credentials);
  const refusal = refuseOrganization(credentials);
  if (refusal) return refusal;
  if (urn) return { kind: 'done', value: urn };
  const person = await readPerson(caller);
  return person.kind === 'done' ? { kind: 'done', value: person.value.urn } : person;
}

/** Reads the person who owns the token, by OpenID Connect. */
function readPerson(caller: LinkedinCaller): Promise<Outcome<{ urn: string; name: string }>> {
  return caller.call({ method: 'GET', path: '/v2/userinfo' }, 'read', ({ json }) => {
    const sub = readText(json, 'sub');
    if (sub === null || !/^[\w-]{1,100}$/.test(sub)) return undefined;
    const urn = buildPersonUrn(sub);
    return { urn, name: readAccount(readField(json, 'name')) ?? urn };
  });
}
