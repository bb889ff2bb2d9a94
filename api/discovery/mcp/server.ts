/**
 * The MCP server, with tools over public articles. Each request creates a stateless one, so any API
 * instance serves any request. Loaded on the first request, because nothing else needs the SDK.
 */
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import {
  CallToolRequestSchema,
  type CallToolResult,
  ErrorCode,
  ListToolsRequestSchema,
  McpError,
} from '@modelcontextprotocol/sdk/types.js';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv';
import type { FastifyBaseLogger } from 'fastify';
import { isDatabaseUnavailable } from '../../../store/db/pg-errors.ts';
import { ProblemError } from '../../plugins/errors/problem.ts';
import { DATABASE_UNREACHABLE } from '../../plugins/errors/to-problem.ts';
import { callTool, MCP_SERVER, type Tool, UNTRUSTED } from './tool.ts';

export interface McpExchange {
  headers: Headers;
  /** One parsed message. */
  message: unknown;
  url: string;
  tools: readonly Tool[];
  log: FastifyBaseLogger;
}

/** Shared, because the SDK would create one per server. Unused: it validates replies of clients. */
const validator = new AjvJsonSchemaValidator();
const INSTRUCTIONS = `Articles published with Courant. Find them with search_articles and read them with get_article; cite the canonicalUrl. ${UNTRUSTED}`;

export async function handleMessage({ headers, message, url, tools, log }: McpExchange): Promise<Response> {
  const server = new Server(MCP_SERVER, {
    capabilities: { tools: {} },
    instructions: INSTRUCTIONS,
    jsonSchemaValidator: validator,
  });
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: tools.map(describeTool) }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
    const tool = tools.find(({ name }) => name === params.name);
    if (!tool) {
      const names = tools.map(({ name }) => name).join(', ');
      throw new McpError(ErrorCode.InvalidParams, `No tool has this name; the tools are ${names}.`);
    }
    return runTool(tool, params.arguments ?? {}, log);
  });
  // Without sessions and with JSON responses, no stream stays open.
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  try {
    return await transport.handleRequest(new Request(url, { method: 'POST', headers }), { parsedBody: message });
  } finally {
    await server.close();
  }
}

function describeTool({ name, title, description, input, output }: Tool) {
  return {
    name,
    title,
    description,
    inputSchema: input,
    outputSchema: output,
    annotations: { title, readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  };
}

/** Returns a failure as a result too, so that the agent can read it and correct its call. */
async function runTool(tool: Tool, args: Record<string, unknown>, log: FastifyBaseLogger): Promise<CallToolResult> {
  try {
    const { structured, links = [] } = await callTool(tool, args);
    const text = {
      type: 'text' as const,
      text: JSON.stringify(structured),
      annotations: FOR_AGENTS,
      _meta: FROM_AUTHORS,
    };
    const resourceLinks = links.map((link) => ({ type: 'resource_link' as const, ...link, annotations: FOR_AGENTS }));
    return { content: [text, ...resourceLinks], structuredContent: structured, _meta: FROM_AUTHORS };
  } catch (error) {
    return { content: [{ type: 'text', text: describeFailure(error, tool, log) }], isError: true };
  }
}

const FOR_AGENTS = { audience: ['assistant' as const] };
/** A separate field, for hosts that separate data from instructions. */
const FROM_AUTHORS = { 'courant/untrustedContent': true };

function describeFailure(error: unknown, tool: Tool, log: FastifyBaseLogger): string {
  if (error instanceof ProblemError)
    return [error.message, ...error.errors.map(({ path, message }) => `${path} ${message}`)].join('\n');
  log.error({ err: error, tool: tool.name }, 'MCP tool failed');
  return isDatabaseUnavailable(error)
    ? DATABASE_UNREACHABLE
    : 'The tool failed because of an internal error. Try again in a moment.';
}
