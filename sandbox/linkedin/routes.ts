/** Serves LinkedIn's API under `/linkedin`: version, token, then the resource. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { LinkedinAccount, SandboxContext } from '../context.ts';
import type { FaultableAction, SandboxResponse } from '../faults.ts';
import { sendSandboxResponse } from '../send-response.ts';
import { LinkedinImages } from './images.ts';
import { buildThrottled, createPost, deletePost } from './posts.ts';
import { buildFailure, buildInvalid, canPostAs } from './validation.ts';

/**
 * The supported versions. Fixed, so that tests do not depend on the date; the real ones change
 * every month.
 */
const OLDEST_VERSION = 202509;
const NEWEST_VERSION = 202608;

const MAX_UPLOAD_BYTES = 16 * 1024 * 1024;

export function registerLinkedin(app: FastifyInstance, sandbox: SandboxContext): void {
  const images = new LinkedinImages();
  const serve = (action: FaultableAction, request: FastifyRequest, work: () => SandboxResponse) => ({
    platform: 'social_feed' as const,
    action,
    accounts: listCallers(sandbox, request),
    work,
    buildDefaultAnswer,
  });

  app.get('/linkedin/v2/userinfo', (request, reply) => {
    const work = () => withToken(sandbox, request, (account) => ({ status: 200, body: showPerson(account) }));
    return sendSandboxResponse(sandbox, reply, serve('probe', request, work));
  });

  app.post('/linkedin/rest/posts', (request, reply) => {
    const work = () =>
      withToken(
        sandbox,
        request,
        (account) => refuseVersion(request) ?? createPost(sandbox, images, account, request.body),
      );
    return sendSandboxResponse(sandbox, reply, serve('create', request, work));
  });

  app.post('/linkedin/rest/images', (request, reply) => {
    const work = () =>
      withToken(
        sandbox,
        request,
        (account) => refuseVersion(request) ?? images.announce(sandbox, account, request.body),
      );
    return sendSandboxResponse(sandbox, reply, serve('prepare', request, work));
  });

  app.register(async (uploads) => {
    uploads.removeAllContentTypeParsers();
    uploads.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: MAX_UPLOAD_BYTES }, (_request, body, done) => {
      done(null, body);
    });
    uploads.put<{ Params: { id: string } }>(
      '/linkedin/dms-uploads/:id',
      { bodyLimit: MAX_UPLOAD_BYTES },
      (request, reply) => {
        const work = () => withToken(sandbox, request, () => images.receive(request.params.id, request.body));
        return sendSandboxResponse(sandbox, reply, serve('prepare', request, work));
      },
    );
  });

  app.delete<{ Params: { urn: string } }>('/linkedin/rest/posts/:urn', (request, reply) => {
    const work = () =>
      withToken(
        sandbox,
        request,
        (account) => refuseVersion(request) ?? deletePost(sandbox, account, request.params.urn),
      );
    return sendSandboxResponse(sandbox, reply, serve('withdraw', request, work));
  });
}

function withToken(
  sandbox: SandboxContext,
  request: FastifyRequest,
  work: (account: LinkedinAccount) => SandboxResponse,
): SandboxResponse {
  const account = findCaller(sandbox, request);
  return account ? work(account) : refuseToken();
}

function findCaller(sandbox: SandboxContext, request: FastifyRequest): LinkedinAccount | undefined {
  const token = /^Bearer (\S+)$/.exec(request.headers.authorization ?? '')?.[1];
  const accounts = sandbox.linkedinAccounts;
  return token !== undefined && Object.hasOwn(accounts, token) ? accounts[token] : undefined;
}

/** For faults: the author named by a post, else the token's person. */
function listCallers(sandbox: SandboxContext, request: FastifyRequest): string[] {
  const account = findCaller(sandbox, request);
  if (!account) return [];
  const author = (request.body as { author?: unknown } | null | undefined)?.author;
  return [typeof author === 'string' && canPostAs(account, author) ? author : `urn:li:person:${account.id}`];
}

/** Checks both headers of the versioned API. */
function refuseVersion(request: FastifyRequest): SandboxResponse | null {
  const version = String(request.headers['linkedin-version'] ?? '');
  if (version === '')
    return buildFailure(400, 'VERSION_MISSING', 'A version must be present in the Linkedin-Version header.');
  const number = /^\d{6}$/.test(version) ? Number(version) : 0;
  if (number < OLDEST_VERSION || number > NEWEST_VERSION) {
    return buildFailure(426, 'NONEXISTENT_VERSION', `Requested version ${version.slice(0, 20)} is not active`);
  }
  if (request.headers['x-restli-protocol-version'] === '2.0.0') return null;
  return buildFailure(400, 'ILLEGAL_ARGUMENT', 'X-Restli-Protocol-Version must be 2.0.0.');
}

function refuseToken(): SandboxResponse {
  const body = { serviceErrorCode: 65600, code: 'INVALID_ACCESS_TOKEN', message: 'Invalid access token', status: 401 };
  return { status: 401, body };
}

function showPerson({ id, name }: LinkedinAccount): Record<string, unknown> {
  return { sub: id, name, locale: { country: 'US', language: 'en' } };
}

function buildDefaultAnswer(status: number): SandboxResponse {
  if (status === 201 || status === 204) return { status, body: '' };
  if (status === 401) return refuseToken();
  if (status === 422) return buildInvalid('The post is not valid');
  if (status === 429) return buildThrottled();
  const codes: Record<number, string> = {
    400: 'ILLEGAL_ARGUMENT',
    403: 'ACCESS_DENIED',
    404: 'NOT_FOUND',
    426: 'NONEXISTENT_VERSION',
    503: 'SERVICE_UNAVAILABLE',
  };
  const messages: Record<number, string> = {
    403: 'Not enough permissions to access: partnerApiPostsExternal.CREATE.20260801',
    426: 'Requested version is not active',
  };
  return buildFailure(status, codes[status] ?? 'INTERNAL_SERVER_ERROR', messages[status] ?? 'Request failed');
}
