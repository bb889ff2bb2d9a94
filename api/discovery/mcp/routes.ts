/**
 * `POST /mcp`: the Model Context Protocol over streamable HTTP, without sessions or open streams.
 * The protocol therefore requires 405 for GET and DELETE.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ProblemError } from '../../plugins/errors/problem.ts';
import { limitRequests } from '../../plugins/limit-requests.ts';
import { buildMcpUrl, MCP_PATH } from './tool.ts';
import { createTools, type ToolDeps } from './tools.ts';

const MAX_BODY_BYTES = 64 * 1024;
const MAX_MESSAGES_PER_MINUTE = 300;

export async function mcpRoutes(app: FastifyInstance, deps: ToolDeps) {
  const { baseUrl } = deps.config;
  await limitRequests(app, { perMinute: MAX_MESSAGES_PER_MINUTE, what: 'messages' });

  // Without this route, GET would reach the route of articles.
  app.get(MCP_PATH, () => {
    const detail = 'This endpoint has no stream: POST a message of the Model Context Protocol.';
    throw new ProblemError(405, 'method_not_allowed', detail, { headers: { allow: 'POST' } });
  });
  const onRequest = async (request: FastifyRequest) => refuseForeignOrigin(request, baseUrl);
  app.post(MCP_PATH, { bodyLimit: MAX_BODY_BYTES, onRequest }, async (request, reply) => {
    // The protocol has no batches since 2025-06-18. A batch would count as one request.
    if (Array.isArray(request.body)) {
      throw new ProblemError(400, 'no_batches', 'Send one message per request: a JSON object.');
    }
    const { handleMessage } = await import('./server.ts');
    const response = await handleMessage({
      headers: toHeaders(request),
      message: request.body,
      url: buildMcpUrl(baseUrl),
      tools: createTools(deps, request),
      log: deps.log,
    });
    const body = await response.text();
    reply.code(response.status).headers(Object.fromEntries(response.headers)).header('cache-control', 'no-store');
    return reply.send(body === '' ? null : body);
  });
}

/**
 * Rejects pages of other origins. By DNS rebinding, a page could otherwise reach a server in the
 * private network of its reader.
 */
function refuseForeignOrigin({ headers }: FastifyRequest, baseUrl: string): void {
  const { origin } = headers;
  if (origin === undefined || origin === new URL(baseUrl).origin) return;
  throw new ProblemError(
    403,
    'origin_not_allowed',
    'Pages of another origin cannot call this endpoint; call it from a program.',
  );
}

/** Headers that the transport reads. */
const TRANSPORT_HEADERS = ['accept', 'content-type', 'mcp-protocol-version', 'mcp-session-id'];

const ACCEPTS_JSON = /(application\/json|application\/\*|\*\/\*)\s*(;(?!\s*q=0(\.0*)?\s*(,|$))|,|$)/i;

function toHeaders({ headers }: FastifyRequest): Headers {
  const selected = new Headers();
  for (const name of TRANSPORT_HEADERS) {
    const value = headers[name];
    if (typeof value === 'string') selected.set(name, value);
  }
  // The transport requires that clients accept both types, as the protocol does. Every response
  // here is JSON, so accepting JSON is enough.
  if (ACCEPTS_JSON.test(headers.accept ?? '*/*')) selected.set('accept', 'application/json, text/event-stream');
  return selected;
}
