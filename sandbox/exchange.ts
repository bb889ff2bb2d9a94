/** Serves simulated platforms: the platform's response, or the effect of a matching fault. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify';
import type { SandboxContext } from './context.ts';
import type { FaultableAction, FaultableRequest } from './faults.ts';
import type { SandboxPlatform } from './state.ts';

export type Json = Record<string, unknown>;
export type Query = Record<string, string | undefined>;

/** What every route of a platform receives. A body of JSON is parsed. */
export type SandboxRequest = FastifyRequest<{ Params: Record<string, string>; Querystring: Query; Body: unknown }>;

/** A string body is HTML, unless its headers name another type. */
export interface SandboxResponse {
  status: number;
  headers?: Record<string, string>;
  body: unknown;
}

type Work = (request: SandboxRequest) => SandboxResponse | Promise<SandboxResponse>;

interface SimulatedApi {
  platform: SandboxPlatform;
  base: string;
  /** The account of a request, for faults. Empty if unknown. */
  listAccounts(request: SandboxRequest): readonly string[];
  /** The platform's own response for a status. */
  buildFailure(status: number): SandboxResponse;
  bodyLimit?: number;
}

type Action = FaultableAction | null | ((request: SandboxRequest) => FaultableAction | null);
type Methods = HTTPMethods | HTTPMethods[];

export type AddRoute = (method: Methods, path: string, action: Action, work: Work) => void;
/** For requests with the credential of an account. */
export type AddOwnRoute<A> = (
  method: Methods,
  path: string,
  action: Action,
  work: (account: A, request: SandboxRequest) => SandboxResponse,
) => void;

export function createRoutes(app: FastifyInstance, sandbox: SandboxContext, api: SimulatedApi): AddRoute {
  const { platform, base, listAccounts, buildFailure, ...limits } = api;
  return (method, path, action, work) => {
    app.route<{ Params: Record<string, string>; Querystring: Query }>({
      ...limits,
      method,
      url: `${base}${path}`,
      handler: (request, reply) =>
        respond(sandbox, reply, {
          platform,
          action: typeof action === 'function' ? action(request) : action,
          accounts: listAccounts(request),
          work: () => work(request),
          buildFailure,
        }),
    });
  };
}

interface Exchange extends FaultableRequest {
  work: () => SandboxResponse | Promise<SandboxResponse>;
  buildFailure: SimulatedApi['buildFailure'];
}

async function respond(
  { faults, stopping }: SandboxContext,
  reply: FastifyReply,
  { work, buildFailure, ...request }: Exchange,
): Promise<FastifyReply> {
  const { drop, saved, body, delayMs = 0, headers: added = {}, ...fault } = faults.useFault(request);
  const status = fault.status ?? (body === undefined ? undefined : 200);
  const done = drop !== 'before' && (status === undefined || saved) ? await work() : null;
  if (delayMs > 0) await pause(delayMs, stopping);
  if (drop !== undefined) {
    reply.hijack();
    reply.raw.destroy();
    return reply;
  }
  const response = status === undefined ? (done ?? (await work())) : buildFailure(status);
  const sent = body ?? response.body;
  const type = typeof sent === 'string' ? 'text/html; charset=utf-8' : 'application/json; charset=utf-8';
  return reply
    .code(response.status)
    .headers({
      'content-type': type,
      ...response.headers,
      ...(body === undefined ? {} : { 'content-type': type }),
      ...added,
    })
    .send(typeof sent === 'string' ? sent : JSON.stringify(sent));
}

/** Ends early when the sandbox stops, so that a long delay does not block the stop. */
async function pause(milliseconds: number, stopping: AbortSignal): Promise<void> {
  await sleep(milliseconds, undefined, { signal: stopping }).catch((error: Error) => {
    if (!stopping.aborted) throw error;
  });
}

/** Accepts raw bytes of any type, so that no body is parsed before the route is known. */
export function acceptBytes(server: FastifyInstance): void {
  server.removeAllContentTypeParsers();
  const options = { parseAs: 'buffer', bodyLimit: MAX_UPLOAD_BYTES } as const;
  server.addContentTypeParser('*', options, (_request, body, done) => done(null, body));
}

const MAX_UPLOAD_BYTES = 16 * 1024 * 1024;
