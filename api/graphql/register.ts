/** GraphQL at `/graphql`, for signed-in people; a developer token does not open it. */
import type { FastifyError, FastifyInstance, FastifyRequest } from 'fastify';
import type { GraphQLError } from 'graphql';
import mercurius from 'mercurius';
import type { AccountDeps } from '../accounts/deps.ts';
import { allowSession } from '../auth/session-hook.ts';
import type { ConnectDeps } from '../connections/connect.ts';
import { ProblemError } from '../errors/problem.ts';
import { createArticlesModule } from './articles.ts';
import { createConnectionsModule } from './connections.ts';
import { dateTimeModule } from './date-time.ts';
import { createDeliveriesModule } from './deliveries.ts';
import { limitDepth } from './depth-limit.ts';
import { createDigestSettingsModule } from './digest-settings.ts';
import { limitFields } from './field-limit.ts';
import { formatAnswer } from './format-answer.ts';
import { createPeopleModule } from './people.ts';
import { composeSchema } from './schema.ts';

export type GraphqlDeps = ConnectDeps & AccountDeps;

/** Articles are published over REST: a document and its variables are small. */
const MAX_BODY_BYTES = 64 * 1024;
/** Parsing costs by the token, before any rule looks at the document. */
const MAX_TOKENS = 4_000;

declare module 'mercurius' {
  interface MercuriusContext {
    request: FastifyRequest;
  }
}

export async function registerGraphql(app: FastifyInstance, deps: GraphqlDeps) {
  const authenticate = allowSession(deps);
  app.addHook('onRequest', async (request, reply) => {
    requireJsonPost(request);
    await authenticate.call(app, request, reply);
  });
  // For documents that are refused before execution; refusals of the request itself go on to the common handler.
  app.setErrorHandler((error: FastifyError & { errors?: GraphQLError[] }, request, reply) => {
    if (error instanceof ProblemError || !Array.isArray(error.errors)) throw error;
    const { statusCode, response } = formatAnswer({ errors: error.errors }, { request });
    return reply.code(statusCode).send(response);
  });
  const { typeDefs, resolvers } = composeSchema([
    dateTimeModule,
    createPeopleModule(deps),
    createConnectionsModule(deps),
    createDeliveriesModule(deps),
    createArticlesModule(deps),
    createDigestSettingsModule(deps),
  ]);
  await app.register(mercurius, {
    schema: typeDefs,
    resolvers,
    context: (request) => ({ request }),
    graphiql: false,
    // Refusals before GraphQL begins are problems like any other (401, 400), not GraphQL answers with a 200.
    errorHandler: false,
    jit: 0,
    validationRules: [limitFields, limitDepth],
    errorFormatter: formatAnswer,
    additionalRouteOptions: { schema: { hide: true }, bodyLimit: MAX_BODY_BYTES },
    graphql: { parseOptions: { maxTokens: MAX_TOKENS } },
    allowBatchedQueries: false,
  });
}

/** Pages of other sites can send a GET or a text/plain form without a preflight request; neither is accepted. */
function requireJsonPost(request: FastifyRequest): void {
  const detail = 'GraphQL is taken as POST with Content-Type: application/json only.';
  if (request.method !== 'POST') {
    throw new ProblemError(405, 'method_not_allowed', detail, { headers: { allow: 'POST' } });
  }
  const type = request.headers['content-type'] ?? '';
  if (!/^application\/json\s*(;|$)/i.test(type)) throw new ProblemError(400, 'post_json', detail);
}
