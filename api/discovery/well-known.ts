/**
 * Serves the documents for an agent that knows only the host: the API catalogue (RFC 9727), the AI
 * catalogue, and the card of the MCP server (SEP-2127), which omits the server's tools.
 */
import type { FastifyInstance } from 'fastify';
import { describeSite } from '../../article/discovery/site.ts';
import type { ApiDeps } from '../deps.ts';
import { FOR_ANY_ORIGIN } from '../http-cache/headers.ts';
import type { PublicResponder } from '../http-cache/public-responder.ts';
import type { PublicResponse } from '../http-cache/public-response.ts';
import { buildMcpUrl, MCP_SERVER } from './mcp/server-info.ts';

const LINKSET_TYPE = 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"';
const SERVER_CARD_TYPE = 'application/mcp-server-card+json';

export async function wellKnownRoutes(
  app: FastifyInstance,
  { config, responder }: ApiDeps & { responder: PublicResponder },
) {
  const { baseUrl } = config;
  // The documents depend only on the configuration, which is read at start.
  const startedAt = new Date();

  serve('/.well-known/api-catalog', LINKSET_TYPE, buildApiCatalog(baseUrl));
  serve('/.well-known/ai-catalog.json', 'application/ai-catalog+json', buildAiCatalog(baseUrl));
  const card = buildServerCard(baseUrl);
  serve('/mcp/server-card', SERVER_CARD_TYPE, card);
  // Clients of earlier drafts use this address.
  serve('/.well-known/mcp/server-card.json', SERVER_CARD_TYPE, card);

  function serve(path: string, type: string, document: unknown): void {
    const headers = { ...FOR_ANY_ORIGIN, link: `<${baseUrl}/llms.txt>; rel="describedby"` };
    const response: PublicResponse = {
      ...{ status: 200, type, headers, lastModified: startedAt, cacheTags: [] },
      body: `${JSON.stringify(document, null, 2)}\n`,
    };
    app.get(path, { schema: { hide: true } }, (request, reply) =>
      responder.send(request, reply, { key: path, make: async () => response }),
    );
  }
}

function buildApiCatalog(baseUrl: string) {
  const description = [{ href: `${baseUrl}/api/v1/openapi.json`, type: 'application/json' }];
  const status = [{ href: `${baseUrl}/health/ready`, type: 'application/json' }];
  return {
    linkset: [
      {
        anchor: `${baseUrl}/api/v1/`,
        'service-desc': description,
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

function buildAiCatalog(baseUrl: string) {
  const { name } = describeSite(baseUrl);
  const { hostname } = new URL(baseUrl);
  return {
    specVersion: '1.0',
    host: { displayName: name, documentationUrl: `${baseUrl}/llms.txt` },
    entries: [
      {
        identifier: `urn:air:${hostname}:${MCP_SERVER.name}`,
        displayName: `${name}: search and read articles`,
        type: SERVER_CARD_TYPE,
        url: `${baseUrl}/mcp/server-card`,
        representativeQueries: ['Which articles are there about a subject?', 'What does this article say?'],
      },
    ],
  };
}

function buildServerCard(baseUrl: string) {
  const namespace = new URL(baseUrl).hostname
    .split('.')
    .reverse()
    .join('.')
    .replace(/[^a-z0-9.-]/gi, '-');
  return {
    $schema: 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json',
    name: `${namespace}/${MCP_SERVER.name}`,
    version: MCP_SERVER.version,
    title: MCP_SERVER.title,
    description: 'Search and read the articles of this site, and list its changes.',
    websiteUrl: `${baseUrl}/`,
    remotes: [{ type: 'streamable-http', url: buildMcpUrl(baseUrl) }],
  };
}
