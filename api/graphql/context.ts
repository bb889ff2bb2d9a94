/** The context of every resolver: the request with its session, and the dependencies of the API. */
import type { FastifyRequest } from 'fastify';
import type { AccountDeps } from '../auth/account-deps.ts';
import { getSession } from '../auth/session-hook.ts';
import type { ApiDeps, ConnectDeps } from '../deps.ts';
import type { ResponseMeter } from './bounds/response-meter.ts';

export type GraphqlDeps = ConnectDeps & AccountDeps & Pick<ApiDeps, 'documents' | 'metrics'>;

export interface GraphqlContext {
  request: FastifyRequest;
  deps: GraphqlDeps;
  meter: ResponseMeter;
}

/** The id of the signed-in person. Throws without a session, which the scopes of the schema reject first. */
export function requireUser({ request }: GraphqlContext): string {
  return getSession(request).userId;
}
