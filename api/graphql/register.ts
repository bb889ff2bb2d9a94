/** GraphQL at `/graphql`. Requires a session; developer tokens are not accepted. */
import type { FastifyError, FastifyInstance, FastifyRequest } from 'fastify';
import type { GraphQLError, GraphQLSchema } from 'graphql';
import mercurius from 'mercurius';
import { ALLOW_UNCONFIRMED } from '../auth/confirmed-address.ts';
import { allowSession } from '../auth/session-hook.ts';
import type { ApiConfig } from '../config.ts';
import { ProblemError } from '../plugins/errors/problem.ts';
import { registerRateLimit } from './bounds/rate-limit.ts';
import { registerBounds } from './bounds/register.ts';
import { createResponseMeter } from './bounds/response-meter.ts';
import type { GraphqlContext, GraphqlDeps } from './context.ts';
import { formatGraphqlResponse } from './format-response.ts';
import { checkParameters, requireJsonPost } from './request-checks.ts';

/** Enough for a document and its variables: articles are published over REST. */
const MAX_BODY_BYTES = 64 * 1024;
/** Parsing time grows with the number of tokens, and no other limit applies before it. */
const MAX_TOKENS = 2_000;

/** Validating a document costs more than executing most documents. */
const MAX_CACHED_DOCUMENTS = 32;

declare module 'mercurius' {
  interface MercuriusContext extends GraphqlContext {}
}

export interface GraphqlOptions extends GraphqlDeps {
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
  await registerRateLimit(app, { perMinute: graphqlRatePerMinute });
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
