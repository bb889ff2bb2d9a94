/** What a subject adds to the GraphQL schema: one file per subject, put together in `schema.ts`. */
import type { FastifyRequest } from 'fastify';
import { createGraphqlError } from './graphql-error.ts';

export interface GraphqlModule {
  typeDefs: string;
  // Arguments are checked against the schema by the executor before a resolver sees them.
  // biome-ignore lint/suspicious/noExplicitAny: each resolver states its own arguments
  resolvers: Record<string, Record<string, (root: any, args: any, context: { request: FastifyRequest }) => unknown>>;
}

/** The signed-in user's id; throws UNAUTHENTICATED where nobody is. */
export function requireUser({ request }: { request: FastifyRequest }): string {
  if (request.sessionUserId !== null) return request.sessionUserId;
  throw createGraphqlError('UNAUTHENTICATED', 'Sign in first: send the access token of `login` as a bearer token.');
}
