/** Client for Hashnode's GraphQL API. */
import { buildCaller, buildContext } from '../http/caller.ts';
import { exchange, type HttpResponse } from '../http/exchange.ts';
import { reject, rejectDeleted, rejectTooLarge } from '../http/failures.ts';
import { isObject, readField, readText } from '../http/read-field.ts';
import { findDrift } from '../posts/drift.ts';
import { readAccount, readRemoteId } from '../posts/remote-post.ts';
import type { ClientOptions, DestinationClient, Failure, Outcome, ProbedAccount, RemotePost } from '../types.ts';
import { findPost } from './find.ts';
import type { HashnodePayload } from './format.ts';
import { LABEL, REQUEST_BYTES } from './limits.ts';
import { POST_BEFORE_CHANGE, PROBE, PUBLISH_POST, UPDATE_POST } from './operations.ts';
import { isPublication, type Query, readChange, readPost } from './posts.ts';
import { hasErrors, interpretRefusal, REFUSED_TOKEN, UNKNOWN_PUBLICATION } from './refusals.ts';

export function createClient(options: ClientOptions): DestinationClient<HashnodePayload> {
  const query = createQuery(options);
  const { publicationId = '' } = options.connection.credentials;
  return {
    async probe() {
      const answer = await query(PROBE, { publicationId });
      if (answer.kind !== 'done') return answer;
      if (readField(answer.value, 'me') == null) return REFUSED_TOKEN;
      const account = readProbedAccount(answer.value, publicationId);
      return account ? { kind: 'done', value: account } : UNKNOWN_PUBLICATION;
    },

    find: (article) => findPost(query, publicationId, article),

    async create(payload) {
      const { optional, ...required } = payload;
      const given = Object.entries(optional).filter(([, value]) => value !== null);
      const input = { publicationId, ...required, ...Object.fromEntries(given) };
      const answer = await query(PUBLISH_POST, { input }, 'create');
      return answer.kind === 'done' ? readWritten(answer.value, 'publishPost', 'create') : answer;
    },

    async update(remoteId, payload, unchangedSince) {
      const current = await readChangeBeforeWrite(query, publicationId, remoteId);
      if (current.kind !== 'done') return current;
      const drift = await findDrift(LABEL, unchangedSince, async () => current);
      if (drift) return drift;
      // The slug does not change, because that would break the links to the post. Nulls clear
      // removed values. An absent `isDelisted` would leave a withdrawn post hidden.
      const { optional, slug: _, ...required } = payload;
      const input = { id: remoteId, ...required, ...optional, isDelisted: false };
      const answer = await query(UPDATE_POST, { input }, 'update');
      return answer.kind === 'done' ? readWritten(answer.value, 'updatePost', 'update') : answer;
    },

    // Hashnode cannot delete a post. It can only remove it from the lists.
    async withdraw(remoteId) {
      const current = await readChangeBeforeWrite(query, publicationId, remoteId);
      if (current.kind !== 'done') return current;
      const withdrawn = await query(UPDATE_POST, { input: { id: remoteId, isDelisted: true } }, 'withdraw');
      return withdrawn.kind === 'done' ? { kind: 'done', value: null } : withdrawn;
    },
  };
}

function createQuery(options: ClientOptions): Query {
  const { baseUrl, credentials } = options.connection;
  const { token = '' } = credentials;
  const headers = { authorization: `Bearer ${token}` };
  const context = buildContext(options);
  const rules = {
    label: LABEL,
    now: options.now,
    secrets: { token },
    // Errors come with any status, 200 included; data comes with 200 only.
    isPlatformResponse: (answer: HttpResponse) =>
      isRefusal(answer) ||
      (answer.status === 200 && isObject(readField(answer.json, 'data'))) ||
      (answer.status >= 500 && isObject(answer.json)),
    isRefusal,
    interpretRefusal,
    // Without a login page, even a temporary redirect means that the endpoint moved.
    isAlwaysMove: true,
  };
  const { call } = buildCaller<object>(rules, (body) =>
    exchange({ method: 'POST', url: baseUrl, headers, body }, context),
  );
  return async (query, variables, intent = 'read') => {
    const request = { query, variables };
    if (Buffer.byteLength(JSON.stringify(request)) > REQUEST_BYTES) return rejectTooLarge(LABEL);
    // A withdrawal needs no data.
    return call(request, intent, ({ json }) => readField(json, 'data'));
  };
}

/** A 413 often comes from a proxy in front of Hashnode, in any format. It is valid nevertheless. */
function isRefusal(answer: HttpResponse): boolean {
  return hasErrors(answer.json) || answer.status === 413;
}

/** Each publication of a user is an account. Null if the response is for another. */
function readProbedAccount(data: unknown, publicationId: string): ProbedAccount | null {
  const userId = readRemoteId(readField(data, 'me', 'id'));
  const username = readAccount(readField(data, 'me', 'username'));
  const publication = readField(data, 'publication');
  if (userId === null || username === null || !isPublication(publication, publicationId)) return null;
  const title = readAccount(readField(publication, 'title'));
  const name = title === null ? `@${username}` : `${title} (@${username})`;
  return { account: `${userId} ${publicationId.toLowerCase()}`, name };
}

/**
 * When the post last changed, if it belongs to the publication. May come from a cache of about 25
 * s. Mutations identify a post by its id alone and reach every publication of the token's user, so
 * only this read detects a post of another publication.
 */
async function readChangeBeforeWrite(
  query: Query,
  publicationId: string,
  remoteId: string,
): Promise<Outcome<string | null>> {
  const answer = await query(POST_BEFORE_CHANGE, { id: remoteId });
  if (answer.kind === 'rejected' && answer.code === 'publication_not_found') return rejectDeleted(LABEL);
  if (answer.kind !== 'done') return answer;
  if (readField(answer.value, 'me') == null) return REFUSED_TOKEN;
  const post = readField(answer.value, 'post');
  // Hidden posts look the same. Their owner cannot be determined, so they are not changed.
  if (post == null) return rejectDeleted(LABEL);
  const publication = readField(post, 'publication');
  // Hashnode hides a publication without a plan, and refuses the change itself.
  if (publication != null && !isPublication(publication, publicationId)) return rejectForeign(readText(post, 'url'));
  return { kind: 'done', value: readChange(post) };
}

function rejectForeign(url: string | null): Failure {
  const post = url === null ? 'The post' : `The post at ${url}`;
  return reject(
    'remote_not_ours',
    `${post} belongs to another Hashnode publication than the connected one; it was not changed.`,
  );
}

function readWritten(data: unknown, mutation: string, intent: 'create' | 'update'): Outcome<RemotePost> {
  const post = readPost(readField(data, mutation, 'post'));
  if (post) return { kind: 'done', value: post };
  return { kind: 'unknown', reason: `Hashnode accepted the ${intent} but did not identify the post.` };
}
