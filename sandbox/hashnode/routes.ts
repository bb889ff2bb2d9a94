/** Serves Hashnode's endpoint `/hashnode` (POST, JSON, 100 KB at most) and its blogs' feeds. */
import type { FastifyInstance } from 'fastify';
import { type GraphQLError, graphql } from 'graphql';
import { findOwner, SECOND_HASHNODE_PUBLICATION } from '../accounts.ts';
import { type SandboxContext, showPosts } from '../context.ts';
import { createRoutes, type Json, type SandboxRequest, type SandboxResponse } from '../exchange.ts';
import type { FaultableAction } from '../faults.ts';
import { sendFeed, sendNoFeed, toParagraphs } from '../feeds.ts';
import { MANUAL_POST } from '../manual-post.ts';
import { buildBlankPost, type HashnodeContext, type HashnodePost, listPosts, listPublications } from './posts.ts';
import { buildHashnodeRoot, buildPath } from './resolvers.ts';
import { hashnodeSchema } from './schema.ts';

const MAX_BODY_BYTES = 100 * 1024;

export function registerHashnode(app: FastifyInstance, sandbox: SandboxContext): void {
  const posts = sandbox.state.openTable<HashnodePost>('hashnode', 'blogsite_b');
  const hashnode: HashnodeContext = { ...sandbox, posts };
  posts.addManual({
    ...buildBlankPost(SECOND_HASHNODE_PUBLICATION, MANUAL_POST.at),
    ...{ id: '665f1f77bcf86cd799439031', title: MANUAL_POST.title, slug: MANUAL_POST.slug },
    ...{ contentMarkdown: MANUAL_POST.text, tags: [{ slug: 'sea', name: 'sea' }] },
  });
  const listTags = ({ tags }: HashnodePost) => tags.map(({ name }) => name);
  showPosts(sandbox, 'Hashnode (blogsite_b)', posts, (post) => ({
    path: buildPath(post),
    tags: listTags(post),
    text: post.contentMarkdown,
  }));

  const listAccounts = (request: SandboxRequest) => {
    const account = findOwner(sandbox.hashnodeAccounts, readToken(request));
    const publicationIds = account ? listPublications(account) : [];
    // The publication named by a new post or a query, else all of the token's user.
    const { variables } = readGraphql(request);
    const input = variables.input as Json | undefined;
    const named = publicationIds.filter((id) => id === (input?.publicationId ?? variables.publicationId));
    return named.length > 0 ? named : publicationIds;
  };
  const route = createRoutes(app, sandbox, { platform: 'blogsite_b', base: '/hashnode', listAccounts, buildFailure });
  const cache = new Map<string, { at: number; response: SandboxResponse }>();
  const work = async (request: SandboxRequest): Promise<SandboxResponse> => {
    if (Number(request.headers['content-length'] ?? 0) > MAX_BODY_BYTES) {
      return { status: 413, body: '<html><title>413 Payload Too Large</title></html>' };
    }
    const { query } = readGraphql(request);
    if (query.startsWith('mutation')) return execute(hashnode, request);
    const key = JSON.stringify([request.body, readToken(request)]);
    const now = sandbox.now().getTime();
    const cached = cache.get(key);
    if (cached && now - cached.at < sandbox.hashnodeReadLagMs) return cached.response;
    const response = await execute(hashnode, request);
    if (sandbox.hashnodeReadLagMs > 0) cache.set(key, { at: now, response });
    return response;
  };
  for (const path of ['', '/']) route('POST', path, findAction, work);

  app.get<{ Params: { name: string } }>('/hashnode-blog/:name/rss.xml', ({ params }, reply) => {
    const account = Object.values(sandbox.hashnodeAccounts).find(({ username }) => username === params.name);
    if (!account) return sendNoFeed(reply);
    const items = listPosts(hashnode, account.publicationId).map((post) => {
      const link = `${sandbox.siteUrl()}${encodeURI(buildPath(post))}`;
      const { title, createdAt: at, contentMarkdown } = post;
      return {
        title,
        link,
        guid: { value: link, isPermaLink: true },
        tags: listTags(post),
        at,
        html: toParagraphs(contentMarkdown),
      };
    });
    return sendFeed(reply, account.name, items);
  });
}

/** A query that is malformed or does not match the schema is HTTP 400; other errors are 200. */
async function execute(hashnode: HashnodeContext, request: SandboxRequest): Promise<SandboxResponse> {
  const { query, variables } = readGraphql(request);
  const rootValue = buildHashnodeRoot(hashnode, readToken(request));
  const { data, errors } = await graphql({
    schema: hashnodeSchema,
    source: query,
    rootValue,
    variableValues: variables,
  });
  if (!errors) return { status: 200, body: { data } };
  const shown = errors.map((error) => {
    const code = findCode(error, data === undefined);
    const message = code === 'INTERNAL_SERVER_ERROR' ? 'Internal server error' : error.message;
    return { message, path: error.path, locations: error.locations, extensions: { code } };
  });
  const isBadQuery = shown.some(({ extensions }) => extensions.code.startsWith('GRAPHQL_'));
  return { status: isBadQuery ? 400 : 200, body: { errors: shown, ...(data === undefined ? {} : { data }) } };
}

function findCode({ message, extensions }: GraphQLError, isBeforeExecution: boolean): string {
  if (extensions.code) return String(extensions.code);
  if (!isBeforeExecution) return 'INTERNAL_SERVER_ERROR';
  if (message.startsWith('Variable "')) return 'BAD_USER_INPUT';
  return message.startsWith('Syntax Error') ? 'GRAPHQL_PARSE_FAILED' : 'GRAPHQL_VALIDATION_FAILED';
}

function readGraphql({ body }: SandboxRequest): { query: string; variables: Json } {
  const { query, variables } = (body ?? {}) as Json;
  return { query: String(query ?? '').trim(), variables: (variables ?? {}) as Json };
}

/** The prefix is optional, in any case. */
function readToken({ headers }: SandboxRequest): string | null {
  return headers.authorization?.replace(/^bearer\s+/i, '').trim() || null;
}

/**
 * A query for `me` and a publication is a probe, one for a post is a find, delisting is a
 * withdrawal.
 */
function findAction(request: SandboxRequest): FaultableAction | null {
  const { query, variables } = readGraphql(request);
  if (/\bpublishPost\b/.test(query)) return 'create';
  if (/\bupdatePost\b/.test(query))
    return (variables.input as Json | undefined)?.isDelisted === true ? 'withdraw' : 'update';
  if (/\bme\b/.test(query) && !/\bpost\b/.test(query)) return 'probe';
  return /\b(?:publication|post|user)\b/.test(query) ? 'find' : null;
}

function buildFailure(status: number): SandboxResponse {
  if (status === 429) {
    const headers = { 'retry-after': '30', 'content-type': 'text/plain' };
    return { status, headers, body: 'Too many requests\n' };
  }
  const codes: Record<number, string> = {
    400: 'GRAPHQL_VALIDATION_FAILED',
    401: 'UNAUTHENTICATED',
    403: 'FORBIDDEN',
    404: 'NOT_FOUND',
    422: 'BAD_USER_INPUT',
  };
  const [code, message] = codes[status]
    ? [codes[status], 'Refused.']
    : ['INTERNAL_SERVER_ERROR', 'Internal server error'];
  return { status, body: { errors: [{ message, extensions: { code } }], data: null } };
}
