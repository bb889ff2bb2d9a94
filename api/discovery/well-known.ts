/**
 * Serves the documents for a program that knows only the host: `robots.txt`, the API catalogue (RFC
 * 9727), and the card of the MCP server (SEP-2127), which omits the server's tools.
 */
import type { FastifyInstance } from 'fastify';
import { formatContentSignal } from '../../article/discovery/content-signal.ts';
import { formatRobotsTxt } from '../../article/discovery/robots.ts';
import type { PublicDeps } from '../deps.ts';
import { FOR_ANY_ORIGIN, type PublicResponse } from '../http-cache/public-response.ts';
import { buildMcpUrl, MCP_SERVER } from './mcp/tool.ts';

const LINKSET_TYPE = 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"';
const SERVER_CARD_TYPE = 'application/mcp-server-card+json';

export async function wellKnownRoutes(app: FastifyInstance, { config, responder, now }: PublicDeps) {
  const { baseUrl } = config;
  // The documents depend only on the configuration, which is read at start.
  const lastModified = now();
  const serve = (path: string, response: Pick<PublicResponse, 'type' | 'body' | 'headers'>) =>
    responder.serve(app, path, async () => ({ status: 200, lastModified, cacheTags: [], ...response }));
  const serveJson = (path: string, type: string, document: unknown) => {
    const headers = { ...FOR_ANY_ORIGIN, link: `<${baseUrl}/llms.txt>; rel="describedby"` };
    serve(path, { type, headers, body: `${JSON.stringify(document, null, 2)}\n` });
  };

  serveJson('/.well-known/api-catalog', LINKSET_TYPE, buildApiCatalog(baseUrl));
  serveJson('/mcp/server-card', SERVER_CARD_TYPE, buildServerCard(baseUrl));
  const contentSignal = formatContentSignal(config.contentSignal) || null;
  serve('/robots.txt', { type: 'text/plain; charset=utf-8', body: formatRobotsTxt({ baseUrl, contentSignal }) });
}

function buildApiCatalog(baseUrl: string) {
  const status = [{ href: `${baseUrl}/health/ready`, type: 'application/json' }];
  return {
    linkset: [
      {
        anchor: `${baseUrl}/api/v1/`,
        'service-desc': [{ href: `${baseUrl}/api/v1/openapi.json`, type: 'application/json' }],
        'service-doc': [{ href: `${baseUrl}/llms.txt`, type: 'text/markdown' }],
        status,
      },
      {
        anchor: buildMcpUrl(baseUrl),
        'service-desc': [{ href: `${baseUrl}/mcp/server-card`, type: SERVER_CARD_TYPE }],
        status,
      },
    ],
  };
}

function buildServerCard(baseUrl: string) {
  const reversedHost = new URL(baseUrl).hostname.split('.').reverse().join('.');
  return {
    $schema: 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json',
    name: `${reversedHost.replace(/[^a-z0-9.-]/gi, '-')}/${MCP_SERVER.name}`,
    version: MCP_SERVER.version,
    title: MCP_SERVER.title,
    description: 'Search and read the articles of this site, and list its changes.',
    websiteUrl: `${baseUrl}/`,
    remotes: [{ type: 'streamable-http', url: buildMcpUrl(baseUrl) }],
  };
}
