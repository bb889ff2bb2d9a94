/** Serves LinkedIn's API under `/linkedin`: token, version, then the resource. */
import type { FastifyInstance } from 'fastify';
import { findOwner, type LinkedinAccount, SECOND_LINKEDIN_PERSON } from '../accounts.ts';
import { type SandboxContext, showPosts } from '../context.ts';
import { type AddOwnRoute, acceptBytes, createRoutes, type SandboxRequest, type SandboxResponse } from '../exchange.ts';
import { MANUAL_POST } from '../manual-post.ts';
import {
  announceImage,
  buildFailure,
  buildInvalid,
  buildThrottled,
  createPost,
  deletePost,
  type LinkedinContext,
  type LinkedinPost,
  receiveImage,
  refuseAuthor,
} from './posts.ts';

/**
 * The supported versions. Fixed, so that tests do not depend on the date; the real ones change
 * every month.
 */
const OLDEST_VERSION = 202509;
const NEWEST_VERSION = 202608;

export function registerLinkedin(app: FastifyInstance, sandbox: SandboxContext): void {
  const posts = sandbox.state.openTable<LinkedinPost>('linkedin', 'social_feed');
  const linkedin: LinkedinContext = { ...sandbox, posts, images: new Map() };
  posts.addManual({
    ...{ id: 'urn:li:share:6999999999999999001', account: `urn:li:person:${SECOND_LINKEDIN_PERSON}` },
    ...{ title: MANUAL_POST.title, commentary: MANUAL_POST.text, description: '', canonicalUrl: null },
    ...{ thumbnail: null, fingerprint: '', status: 'published', createdAt: MANUAL_POST.at },
  });
  showPosts(sandbox, 'LinkedIn (social_feed)', posts, ({ id, title, commentary, description, thumbnail }) => ({
    path: `/linkedin/feed/update/${id}/`,
    tags: [],
    text: [commentary, '', title, description, thumbnail ?? 'no image'].join('\n'),
  }));

  const findCaller = ({ headers }: SandboxRequest) =>
    findOwner(sandbox.linkedinAccounts, /^Bearer (\S+)$/.exec(headers.authorization ?? '')?.[1]);
  const api = {
    platform: 'social_feed',
    base: '/linkedin',
    /** The author named by a post, else the token's person. */
    listAccounts(request: SandboxRequest) {
      const account = findCaller(request);
      if (!account) return [];
      const author = String((request.body as { author?: unknown } | null | undefined)?.author);
      return [refuseAuthor(account, author) ? `urn:li:person:${account.id}` : author];
    },
    buildFailure: buildDefaultFailure,
  } as const;
  const withToken =
    (server: FastifyInstance): AddOwnRoute<LinkedinAccount> =>
    (method, path, action, work) =>
      createRoutes(server, sandbox, api)(method, path, action, (request) => {
        const account = findCaller(request);
        if (!account) return buildDefaultFailure(401);
        const refusal = path.startsWith('/rest/') ? refuseVersion(request) : null;
        return refusal ?? work(account, request);
      });

  const route = withToken(app);
  route('GET', '/v2/userinfo', 'probe', ({ id, name }) => ({ status: 200, body: { sub: id, name } }));
  route('POST', '/rest/posts', 'create', (account, { body }) => createPost(linkedin, account, body));
  route('POST', '/rest/images', 'prepare', (account, { body }) => announceImage(linkedin, account, body));
  route('DELETE', '/rest/posts/:urn', 'withdraw', (account, { params }) =>
    deletePost(linkedin, account, params.urn ?? ''),
  );
  app.register(async (uploads) => {
    acceptBytes(uploads);
    withToken(uploads)('PUT', '/dms-uploads/:urn', 'prepare', (_account, { params, body }) =>
      receiveImage(linkedin, params.urn ?? '', body),
    );
  });
}

/** Checks both headers of the versioned API. */
function refuseVersion({ headers }: SandboxRequest): SandboxResponse | null {
  const version = String(headers['linkedin-version'] ?? '');
  if (version === '') {
    return buildFailure(400, 'VERSION_MISSING', 'A version must be present in the Linkedin-Version header.');
  }
  const number = /^\d{6}$/.test(version) ? Number(version) : 0;
  if (number < OLDEST_VERSION || number > NEWEST_VERSION) {
    return buildFailure(426, 'NONEXISTENT_VERSION', `Requested version ${version.slice(0, 20)} is not active`);
  }
  if (headers['x-restli-protocol-version'] === '2.0.0') return null;
  return buildFailure(400, 'ILLEGAL_ARGUMENT', 'X-Restli-Protocol-Version must be 2.0.0.');
}

function buildDefaultFailure(status: number): SandboxResponse {
  if (status === 201 || status === 204) return { status, body: '' };
  if (status === 422) return buildInvalid('The post is not valid');
  if (status === 429) return buildThrottled();
  const errors: Record<number, [code: string, message: string]> = {
    400: ['ILLEGAL_ARGUMENT', 'Request failed'],
    401: ['INVALID_ACCESS_TOKEN', 'Invalid access token'],
    403: ['ACCESS_DENIED', 'Not enough permissions to access: partnerApiPostsExternal.CREATE.20260801'],
    404: ['NOT_FOUND', 'Request failed'],
    426: ['NONEXISTENT_VERSION', 'Requested version is not active'],
    503: ['SERVICE_UNAVAILABLE', 'Request failed'],
  };
  const [code, message] = errors[status] ?? ['INTERNAL_SERVER_ERROR', 'Request failed'];
  return buildFailure(status, code, message);
}
