/** Serves Hashnode's only endpoint, `/hashnode`: POST, JSON, 100 KB at most. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type DocumentNode, GraphQLError, Kind } from 'graphql';
import type { SandboxContext } from '../context.ts';
import type { FaultableAction, SandboxResponse } from '../faults.ts';
import { sendSandboxResponse } from '../send-response.ts';
import { findCaller, listPublications } from './accounts.ts';
import { type GraphqlRequest, handleGraphql, readDocument } from './execute.ts';

const MAX_BODY_BYTES = 100 * 1024;

export function registerHashnode(app: FastifyInstance, sandbox: SandboxContext): void {
  const cache = new Map<string, { at: number; answer: SandboxResponse }>();

  const handle = (request: FastifyRequest, reply: FastifyReply) => {
    const graphql = readRequest(request.body);
    const token = readToken(request.headers.authorization);
    const document = graphql && readDocument(graphql);
    const readable = document && !(document instanceof GraphQLError) ? document : null;
    const work = async (): Promise<SandboxResponse> => {
      if (Number(request.headers['content-length'] ?? 0) > MAX_BODY_BYTES) {
        return { status: 413, body: '<html><title>413 Payload Too Large</title></html>' };
      }
      if (!graphql) return buildProblem(400, 'BAD_REQUEST', 'POST a JSON body with a query.');
      const key = readable && !isMutation(readable) ? JSON.stringify([graphql, token]) : null;
      const cached = key === null ? undefined : cache.get(key);
      const now = sandbox.now().getTime();
      if (cached && now - cached.at < sandbox.hashnodeReadLagMs) return cached.answer;
      const answer = await handleGraphql(sandbox, graphql, token);
      if (key !== null && sandbox.hashnodeReadLagMs > 0) cache.set(key, { at: now, answer });
      return answer;
    };
    const action = readable && graphql ? findAction(readable, graphql.variables) : null;
    const accounts = listCallers(sandbox, token, graphql?.variables);
    return sendSandboxResponse(sandbox, reply, { platform: 'blogsite_b', action, accounts, work, buildDefaultAnswer });
  };

  app.post('/hashnode', handle);
  app.post('/hashnode/', handle);
}

function readRequest(body: unknown): GraphqlRequest | null {
  if (body === null || typeof body !== 'object') return null;
  const { query, variables, operationName } = body as Record<string, unknown>;
  if (typeof query !== 'string') return null;
  return {
    query,
    variables: variables !== null && typeof variables === 'object' ? (variables as Record<string, unknown>) : {},
    operationName: typeof operationName === 'string' ? operationName : undefined,
  };
}

/** The prefix is optional, in any case. */
function readToken(header: string | undefined): string | null {
  const token = header?.replace(/^bearer\s+/i, '').trim();
  return token ? token : null;
}

/**
 * For faults: the publication named by a new post or a query, else all publications of the token's
 * user.
 */
function listCallers(sandbox: SandboxContext, token: string | null, variables: Record<string, unknown> = {}): string[] {
  const account = findCaller(sandbox, token);
  const publicationIds = account ? listPublications(account) : [];
  const input = variables.input as { publicationId?: unknown } | undefined;
  const named = publicationIds.filter((id) => id === (input?.publicationId ?? variables.publicationId));
  return named.length > 0 ? named : publicationIds;
}

function listRootFields(document: DocumentNode): string[] {
  return document.definitions.flatMap((definition) =>
    definition.kind === Kind.OPERATION_DEFINITION
      ? definition.selectionSet.selections.flatMap((field) => (field.kind === Kind.FIELD ? [field.name.value] : []))
      : [],
  );
}

function isMutation(document: DocumentNode): boolean {
  return document.definitions.some(
    (definition) => definition.kind === Kind.OPERATION_DEFINITION && definition.operation === 'mutation',
  );
}

/**
 * The action of a request, for faults. A query for `me` and a publication is a probe, one for a
 * post is a find, delisting is a withdrawal.
 */
function findAction(document: DocumentNode, variables: Record<string, unknown>): FaultableAction | null {
  const fields = listRootFields(document);
  if (fields.includes('publishPost')) return 'create';
  if (fields.includes('updatePost')) {
    return (variables.input as { isDelisted?: unknown } | undefined)?.isDelisted === true ? 'withdraw' : 'update';
  }
  if (fields.includes('me') && !fields.includes('post')) return 'probe';
  return fields.some((field) => ['publication', 'post', 'user'].includes(field)) ? 'find' : null;
}

function buildDefaultAnswer(status: number): SandboxResponse {
  if (status === 429)
    return { status, headers: { 'retry-after': '30', 'content-type': 'text/plain' }, body: 'Too many requests\n' };
  const codes: Record<number, string> = {
    400: 'GRAPHQL_VALIDATION_FAILED',
    401: 'UNAUTHENTICATED',
    403: 'FORBIDDEN',
    404: 'NOT_FOUND',
    422: 'BAD_USER_INPUT',
  };
  return buildProblem(
    status,
    codes[status] ?? 'INTERNAL_SERVER_ERROR',
    codes[status] ? 'Refused.' : 'Internal server error',
  );
}

function buildProblem(status: number, code: string, message: string): SandboxResponse {
  return { status, body: { errors: [{ message, extensions: { code } }], data: null } };
}
