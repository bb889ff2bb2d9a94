/**
 * `POST /mcp`: the Model Context Protocol over streamable HTTP, without sessions: every request is whole in itself, and no stream stays open, so
 * GET and DELETE are a 405 as the protocol wants.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { LimitSearches } from '../../articles/listing/search-limit.ts';
import type { ApiDeps } from '../../deps.ts';
import { ProblemError } from '../../plugins/errors/problem.ts';
import { limitNetworks } from '../../plugins/network-limit.ts';
import { createArticleTool } from './article-tool.ts';
import { createChangesTool } from './changes-tool.ts';
import { createSearchTool } from './search-tool.ts';
import { buildMcpUrl, MCP_PATH } from './server-info.ts';

const BODY_LIMIT = 64 * 1024;
const PER_MINUTE = 300;

export async function mcpRoutes(app: FastifyInstance, deps: ApiDeps & { limitSearches: LimitSearches }) {
  const { db, now, config, log, limitSearches } = deps;
  const { baseUrl } = config;
  await limitNetworks(app, { perMinute: PER_MINUTE, what: 'messages' });

  // The address of an article would be next.
  app.get(MCP_PATH, { schema: { hide: true } }, () => {
    const detail = 'There is no stream to open here: POST a message of the Model Context Protocol.';
    throw new ProblemError(405, 'method_not_allowed', detail, { headers: { allow: 'POST' } });
  });
  app.post(
    MCP_PATH,
    {
      schema: { hide: true },
      bodyLimit: BODY_LIMIT,
      onRequest: async (request) => refuseForeignOrigin(request, baseUrl),
    },
    async (request, reply) => {
      // The protocol has no batches since 2025-06-18; one would be many requests for the price of one.
      if (Array.isArray(request.body)) {
        throw new ProblemError(400, 'no_batches', 'Send one message in a request: a JSON object.');
      }
      const { answerMessage } = await import('./server.ts');
      const tools = [
        createSearchTool({ db, now, baseUrl, limitSearches }, request),
        createArticleTool(deps),
        createChangesTool({ db, baseUrl }),
      ];
      const answer = await answerMessage({
        headers: toHeaders(request),
        message: request.body,
        url: buildMcpUrl(baseUrl),
        tools,
        log,
      });
      const body = await answer.text();
      reply.code(answer.status).headers(Object.fromEntries(answer.headers)).header('cache-control', 'no-store');
      return reply.send(body === '' ? null : body);
    },
  );
}

/** A browser says where a page is from. A foreign page must not reach a server on its reader's own network by a name that it controls. */
function refuseForeignOrigin({ headers }: FastifyRequest, baseUrl: string): void {
  const { origin } = headers;
  if (origin === undefined || origin === new URL(baseUrl).origin) return;
  throw new ProblemError(403, 'origin_not_allowed', 'Pages of another origin may not call this; ask from a program.');
}

/** Those that the transport looks at. */
const READ = ['accept', 'content-type', 'mcp-protocol-version', 'mcp-session-id'];

const TAKES_JSON = /(application\/json|application\/\*|\*\/\*)\s*(;(?!\s*q=0(\.0*)?\s*(,|$))|,|$)/i;

function toHeaders({ headers }: FastifyRequest): Headers {
  const given = new Headers();
  for (const name of READ) {
    const value = headers[name];
    if (typeof value === 'string') given.set(name, value);
  }
  // The transport asks for both, as the protocol does of clients, though every answer here is JSON: who takes that is answered.
  if (TAKES_JSON.test(headers.accept ?? '*/*')) given.set('accept', 'application/json, text/event-stream');
  return given;
}
