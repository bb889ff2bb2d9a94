/** GraphQL at `/graphql`. Requires a session; developer tokens are not accepted. */
import type { FastifyError, FastifyInstance, FastifyRequest } from 'fastify';
import type { GraphQLError, GraphQLSchema } from 'graphql';
import mercurius from 'mercurius';
import { ALLOW_UNCONFIRMED } from '../auth/confirmed-address.ts';
import { allowSession } from '../auth/session-hook.ts';
import type { ApiConfig } from '../config.ts';
import { ProblemError } from '../plugins/errors/problem.ts';
import { limitRequests } from '../plugins/limit-requests.ts';
import { toNetwork } from '../plugins/network.ts';
import { registerBounds } from './bounds/register.ts';
import { createResponseMeter } from './bounds/response-meter.ts';
import type { GraphqlContext, GraphqlDeps } from './context.ts';
import { formatGraphqlResponse } from './format-response.ts';

/** Enough for a document and its variables: articles are published over REST. */
const MAX_BODY_BYTES = 64 * 1024;
/** Parsing time grows with the number of tokens, and no other limit applies before it. */
const MAX_TOKENS = 2_000;

/** Validating a document costs more than executing most documents. */
const MAX_CACHED_DOCUMENTS = 32;

declare module 'mercurius' {
  interface MercuriusContext extends GraphqlContext {}
}

interface GraphqlOptions extends GraphqlDeps {
  schema: GraphQLSchema;
  config: GraphqlDeps['config'] & Pick<ApiConfig, 'graphqlRatePerMinute' | 'graphqlIntrospection'>;
}

export async function registerGraphql(app: FastifyInstance, { schema, ...deps }: GraphqlOptions) {
  const { graphqlRatePerMinute, graphqlIntrospection } = deps.config;
  const authenticate = allowSession(deps);
  app.addHook('onRequest', async (request, reply) => {
    requireJsonPost(request);
    await authenticate.call(app, request, reply);
  });
  app.addHook('preValidation', async ({ body }) => checkParameters(body));
  // Per person. Anonymous requests are limited per network, to a fifth.
  await limitRequests(app, {
    what: 'requests',
    perMinute: ({ session }) => (session === null ? Math.ceil(graphqlRatePerMinute / 5) : graphqlRatePerMinute),
    chooseKey: ({ session, ip }) => session?.userId ?? toNetwork(ip),
  });
  app.addHook('onSend', async (request, reply) => {
    const isJson = String(reply.getHeader('content-type')).startsWith('application/json');
    if (isJson && prefersGraphqlResponse(request)) reply.type(GRAPHQL_RESPONSE);
  });
  // Handles documents that are rejected before execution. The shared handler handles rejected
  // requests.
  app.setErrorHandler((error: FastifyError & { errors?: GraphQLError[] }, request, reply) => {
    if (error instanceof ProblemError || !Array.isArray(error.errors)) throw error;
    const { statusCode, response } = formatGraphqlResponse({ errors: error.errors }, { request });
    return reply.code(statusCode).send(response);
  });
  await app.register(mercurius, {
    schema,
    context: (request) => ({ request, deps, meter: createResponseMeter() }),
    graphiql: false,
    // Rejections before GraphQL starts are problem responses (400, 401), not GraphQL responses with
    // a 200.
    errorHandler: false,
    jit: 0,
    // A document of MAX_TOKENS takes 0.5 MB here: with the default of 1,000 documents, strangers
    // could fill the memory.
    cache: MAX_CACHED_DOCUMENTS,
    errorFormatter: formatGraphqlResponse,
    // The requirement of a confirmed address is checked per field.
    additionalRouteOptions: { schema: { hide: true }, bodyLimit: MAX_BODY_BYTES, config: ALLOW_UNCONFIRMED },
    graphql: { parseOptions: { maxTokens: MAX_TOKENS } },
    allowBatchedQueries: false,
  });
  registerBounds(app, { schema, introspection: graphqlIntrospection });
}

const GRAPHQL_RESPONSE = 'application/graphql-response+json; charset=utf-8';

/** Clients that support this type name it in Accept; all others receive application/json. */
function prefersGraphqlResponse({ headers }: FastifyRequest): boolean {
  return /\bapplication\/graphql-response\+json\b/i.test(headers.accept ?? '');
}

/** Rejects GET and text/plain, which pages of other sites can send without a preflight request. */
function requireJsonPost(request: FastifyRequest): void {
  const detail = 'GraphQL accepts only POST with Content-Type: application/json.';
  if (request.method !== 'POST') {
    throw new ProblemError(405, 'method_not_allowed', detail, { headers: { allow: 'POST' } });
  }
  const type = request.headers['content-type'] ?? '';
  if (!/^application\/json\s*(;|$)/i.test(type)) throw new ProblemError(400, 'post_json', detail);
}

/** Checks the parameters of GraphQL over HTTP. Throws a 400 that names every invalid one. */
function checkParameters(body: unknown): void {
  if (!isObject(body)) {
    const detail = 'The body must be a JSON object with query. Batches are not supported.';
    throw new ProblemError(400, 'malformed_request', detail);
  }
  const errors = Object.entries(PARAMETERS).flatMap(([path, { isValid, message }]) =>
    isValid(body[path]) ? [] : [{ path, message }],
  );
  if (errors.length === 0) return;
  throw new ProblemError(400, 'malformed_request', 'Some parameters of the request are invalid. See errors.', {
    errors,
  });
}

const OBJECT = { isValid: (value: unknown) => value == null || isObject(value), message: 'must be an object' };
const PARAMETERS: Record<string, { isValid: (value: unknown) => boolean; message: string }> = {
  query: {
    isValid: (value) => typeof value === 'string' && value !== '',
    message: 'must be a GraphQL document, as a string',
  },
  operationName: { isValid: (value) => value == null || typeof value === 'string', message: 'must be a string' },
  variables: OBJECT,
  extensions: OBJECT,
};

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
