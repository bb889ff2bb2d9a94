/** What every resolver is given: the request with the signed-in person, and what the API consists of. */
import type { FastifyRequest } from 'fastify';
import type { ApiDeps, AccountDeps, ConnectDeps } from '../deps.ts';
import type { AnswerMeter } from './bounds/answer-meter.ts';
import { createGraphqlError } from './errors.ts';

export type GraphqlDeps = ConnectDeps & AccountDeps & Pick<ApiDeps, 'documents' | 'metrics'>;

export interface GraphqlContext {
  request: FastifyRequest;
  deps: GraphqlDeps;
  meter: AnswerMeter;
}

/** The signed-in person's id. Throws where nobody is, which the schema's scopes have refused before. */
export function requireUser({ request }: GraphqlContext): string {
  if (request.session === null) throw createUnauthenticatedError();
  return request.session.userId;
}

export function createUnauthenticatedError(): Error {
  return createGraphqlError('UNAUTHENTICATED', 'Sign in first: send the access token of `login` as a bearer token.');
}
