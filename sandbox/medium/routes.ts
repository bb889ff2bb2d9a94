/** Serves Medium's API v1 under `/medium/v1`. It can only show the account and create posts. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { MediumAccount, SandboxContext } from '../context.ts';
import type { FaultableAction, SandboxResponse } from '../faults.ts';
import { sendSandboxResponse } from '../send-response.ts';
import { buildFailure, createPost } from './posts.ts';

export function registerMedium(app: FastifyInstance, sandbox: SandboxContext): void {
  const base = '/medium/v1';

  const serve = (
    action: FaultableAction,
    request: FastifyRequest,
    work: (account: MediumAccount) => SandboxResponse,
  ) => ({
    platform: 'blogsite_c' as const,
    action,
    accounts: [findCaller(sandbox, request)].flatMap((account) => account?.id ?? []),
    work: () => refuseBot(request) ?? withToken(sandbox, request, work),
    buildDefaultAnswer,
  });

  app.get(`${base}/me`, (request, reply) => {
    const work = (account: MediumAccount) => ({ status: 200, body: { data: showUser(sandbox, account) } });
    return sendSandboxResponse(sandbox, reply, serve('probe', request, work));
  });

  app.post<{ Params: { authorId: string } }>(`${base}/users/:authorId/posts`, (request, reply) => {
    const work = (account: MediumAccount) => createPost(sandbox, account, request.params.authorId, request.body);
    return sendSandboxResponse(sandbox, reply, serve('create', request, work));
  });
}

/** Cloudflare, in front of Medium, treats clients without a user agent as bots. */
function refuseBot(request: FastifyRequest): SandboxResponse | null {
  if (request.headers['user-agent']?.trim()) return null;
  const headers = { 'content-type': 'text/html; charset=UTF-8', 'cf-mitigated': 'challenge' };
  return { status: 403, headers, body: '<!DOCTYPE html><title>Just a moment...</title>' };
}

function withToken(
  sandbox: SandboxContext,
  request: FastifyRequest,
  work: (account: MediumAccount) => SandboxResponse,
): SandboxResponse {
  if (readToken(request) === undefined) return buildFailure(401, 'An access token is required.', 6000);
  const account = findCaller(sandbox, request);
  return account ? work(account) : buildFailure(401, 'Token was invalid.', 6003);
}

function findCaller({ mediumAccounts }: SandboxContext, request: FastifyRequest): MediumAccount | undefined {
  const token = readToken(request);
  return token !== undefined && Object.hasOwn(mediumAccounts, token) ? mediumAccounts[token] : undefined;
}

function readToken({ headers }: FastifyRequest): string | undefined {
  return /^Bearer (\S+)$/.exec(headers.authorization ?? '')?.[1];
}

function showUser(sandbox: SandboxContext, account: MediumAccount): Record<string, unknown> {
  return {
    id: account.id,
    username: account.username,
    name: account.name,
    url: `${sandbox.siteUrl()}/medium/@${account.username}`,
    imageUrl: `${sandbox.siteUrl()}/medium/avatar.png`,
  };
}

/** A 429 comes from the edge, in plain text. */
function buildDefaultAnswer(status: number): SandboxResponse {
  if (status === 429) {
    return { status, headers: { 'content-type': 'text/plain', 'retry-after': '30' }, body: 'error code: 1015' };
  }
  const errors: Record<number, [message: string, code: number]> = {
    400: ['The request is invalid.', 2004],
    401: ['Token was invalid.', 6003],
    403: ['The user is not permitted to do this.', 2002],
    404: ['Not found.', 404],
  };
  const [message, code] = errors[status] ?? ['An unexpected error occurred.', -1];
  return buildFailure(status, message, code);
}
