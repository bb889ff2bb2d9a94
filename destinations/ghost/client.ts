/** Client for Ghost's Admin API. Every change names the version that it is based on. */
import { type ApiRequest, type Caller, createApiCaller, ignoreResponse } from '../http/caller.ts';
import { reject, rejectDeleted } from '../http/failures.ts';
import { isObject, readField, readText } from '../http/read-field.ts';
import { isChangedSince, reportDrift } from '../posts/drift.ts';
import { readAccount, readSiteName } from '../posts/remote-post.ts';
import type { ClientOptions, DestinationClient, Failure, Outcome, ProbedAccount, RemotePost } from '../types.ts';
import { findSite } from './address.ts';
import { findPost } from './find.ts';
import type { GhostPayload } from './format.ts';
import { LABEL, SLUG_LENGTH } from './limits.ts';
import { type GhostPost, hasSlug, POST_FIELDS, readPosts, toRemotePost } from './posts.ts';
import { hasError, interpretFromAnySender, interpretMove, interpretRefusal, REFUSED_KEY } from './refusals.ts';
import { readAdminKey, signToken } from './token.ts';

/** The response to a write repeats the article as plain text. */
const MAX_RESPONSE_BYTES = 16 * 1024 * 1024;

/** Ghost converts the HTML. Plain text is the shortest format that can be requested in return. */
const WRITE_OPTIONS = 'source=html&formats=plaintext';

/** Limits the attempts of one change: somebody may save the post between read and change. */
const MAX_ATTEMPTS = 3;

export function createClient(options: ClientOptions): DestinationClient<GhostPayload> {
  const caller = createCaller(options);
  return {
    probe: () => probeSite(caller),

    find: (article) => findPost(caller, findSite(options.connection.baseUrl), article),

    create: (payload) =>
      caller.call(
        { method: 'POST', path: `/posts/?${WRITE_OPTIONS}`, body: { posts: [payload] } },
        'create',
        readWritten,
      ),

    update(remoteId, payload, unchangedSince) {
      // The slug does not change, because that would break the links to the post.
      const { slug, ...fields } = payload;
      return changePost(caller, remoteId, { intent: 'update', fields, slug, unchangedSince: unchangedSince ?? null });
    },

    async withdraw(remoteId, article) {
      // A draft is visible in the admin area only, and preserves its address for a later update.
      const slug = article?.slug.slice(0, SLUG_LENGTH) ?? null;
      const change = { intent: 'withdraw', fields: { status: 'draft' }, slug, unchangedSince: null } as const;
      const changed = await changePost(caller, remoteId, change);
      return changed.kind === 'done' ? { kind: 'done', value: null } : changed;
    },
  };
}

const SITE_PATH = '/site/';

/** Signs a token for each request: tokens are valid for five minutes, clients longer. */
function createCaller(options: ClientOptions): Caller<ApiRequest> {
  const { baseUrl, credentials } = options.connection;
  const { adminKey = '' } = credentials;
  const key = readAdminKey(adminKey);
  return {
    async call(request, intent, read) {
      if (key === null) return REFUSED_KEY;
      const token = await signToken(key, options.now());
      const caller = createApiCaller(options, {
        label: LABEL,
        root: `${findSite(baseUrl)}/ghost/api/admin`,
        // The title of the site is public, and the address may belong to another program.
        headers: {
          'accept-version': 'v5.0',
          ...(request.path === SITE_PATH ? {} : { authorization: `Ghost ${token}` }),
        },
        secrets: { adminKey, secret: adminKey.trim().slice(25), token },
        maxBytes: MAX_RESPONSE_BYTES,
        // Ghost's own errors, and nothing else, have `errors[]`.
        isPlatformResponse: ({ status, json }) => (status >= 400 ? hasError(json) : isObject(json) && !hasError(json)),
        interpretFromAnySender,
        interpretRefusal,
        interpretMove,
      });
      return caller.call(request, intent, read);
    },
  };
}

/** The account is the site: an integration's key belongs to one site and to no person. */
async function probeSite(caller: Caller<ApiRequest>): Promise<Outcome<ProbedAccount>> {
  const site = await caller.call({ method: 'GET', path: SITE_PATH }, 'read', ({ json }) =>
    readSite(readField(json, 'site')),
  );
  if (site.kind === 'rejected' && site.code === 'not_found') return NOT_GHOST;
  if (site.kind !== 'done') return site;
  if (site.value === null) return NOT_GHOST;
  // The smallest request that needs a valid key.
  const allowed = await caller.call({ method: 'GET', path: '/posts/?limit=1&fields=id' }, 'read', ignoreResponse);
  return allowed.kind === 'done' ? { kind: 'done', value: site.value } : allowed;
}

/** Newer versions return an id that survives a change of domain; older ones the address. */
function readSite(site: unknown): ProbedAccount | null {
  const address = readSiteName(readField(site, 'url'));
  if (address === null) return null;
  const uuid = readText(site, 'site_uuid')?.toLowerCase() ?? '';
  const name = readAccount(readField(site, 'title'));
  const shown = { name: name === null ? address : `${name} at ${address}` };
  return UUID.test(uuid) ? { account: uuid, formerAccount: address, ...shown } : { account: address, ...shown };
}

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

const NOT_GHOST: Failure = reject(
  'not_ghost',
  'There is no Ghost at this address. Enter the address of the site’s admin area.',
);

interface Change {
  intent: 'update' | 'withdraw';
  fields: Partial<Omit<GhostPayload, 'status'>> & { status: string };
  /** The article's slug. Null if unknown. */
  slug: string | null;
  unchangedSince: string | null;
}

/** Reads the post, then changes it. If somebody saves it in between, reads it again. */
async function changePost(caller: Caller<ApiRequest>, remoteId: string, change: Change): Promise<Outcome<RemotePost>> {
  const path = `/posts/${encodeURIComponent(remoteId)}/`;
  let seenAt: string | null = null;
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
    const current = await readCurrentPost(caller, path);
    if (current.kind !== 'done') return current;
    const { changedAt, status } = current.value;
    if (!isOurs(current.value, change.slug)) return rejectForeign(current.value);
    // A draft comes from our own withdrawal, which was its last change. After a collision, any
    // later time is another person's change.
    const isWatched = change.unchangedSince !== null && status !== 'draft';
    const isChanged = seenAt === null ? isChangedSince(changedAt, change.unchangedSince) : changedAt !== seenAt;
    if (isWatched && isChanged) return reportDrift(LABEL, changedAt);
    seenAt = changedAt;
    const body = { posts: [{ ...change.fields, updated_at: changedAt }] };
    const request = { method: 'PUT', path: `${path}?${WRITE_OPTIONS}`, body } as const;
    const changed = await caller.call(request, change.intent, readWritten);
    if (changed.kind !== 'rejected' || changed.code !== 'collision') return changed;
  }
  return { kind: 'unavailable', reason: 'Someone is editing the post on Ghost.' };
}

/**
 * Ghost does not name the owner of a post. Ours always have a canonical URL, and our slug until
 * somebody changes it. A different canonical URL proves nothing, because an article's can change.
 */
function isOurs(post: GhostPost, slug: string | null): boolean {
  return post.canonicalUrl !== null || slug === null || hasSlug(post, slug);
}

function rejectForeign({ url }: GhostPost): Outcome<never> {
  return reject(
    'remote_not_ours',
    `The post at ${url} does not belong to this article: it names no original and has another slug. It was not changed.`,
  );
}

async function readCurrentPost(caller: Caller<ApiRequest>, path: string): Promise<Outcome<GhostPost>> {
  const request = { method: 'GET', path: `${path}?fields=${POST_FIELDS}` } as const;
  const current = await caller.call(request, 'read', ({ json }) => readPosts(json)?.[0]);
  return current.kind === 'rejected' && current.code === 'not_found' ? rejectDeleted(LABEL) : current;
}

function readWritten({ json }: { json: unknown }): RemotePost | undefined {
  const post = readPosts(json)?.[0];
  return post && toRemotePost(post);
}
