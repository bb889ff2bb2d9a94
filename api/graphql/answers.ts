/** GraphQL's answers with errors: what the client did wrong in full, what broke on our side without its insides. */
import type { FastifyError } from 'fastify';
import { GraphQLError } from 'graphql';
import type { MercuriusContext } from 'mercurius';
import { isDatabaseUnavailable } from '../../store/pg-errors.ts';
import { brokenOnOurSide, DATABASE_AWAY } from '../refusals.ts';

interface Execution {
  data?: Record<string, unknown> | null;
  errors?: readonly (GraphQLError | FastifyError)[] | null;
}

export function formatAnswer(execution: Execution, context: Pick<MercuriusContext, 'request'>) {
  const errors = (execution.errors ?? []).map((error) => formatError(error, context));
  const status = errors.some((error) => error.extensions?.code === 'DATABASE_UNAVAILABLE') ? 503 : statusOf(execution);
  return { statusCode: status, response: { data: execution.data ?? null, errors } };
}

/** An error without a path is one of the document itself: nothing was executed. */
function statusOf({ errors }: Execution): number {
  return (errors ?? []).some((error) => !(error instanceof GraphQLError) || error.path === undefined) ? 400 : 200;
}

function formatError(error: GraphQLError | FastifyError, context: Pick<MercuriusContext, 'request'>): GraphQLError {
  const original = error instanceof GraphQLError ? error.originalError : error;
  const code = codeOf(original);
  if (error instanceof GraphQLError && (original === undefined || original === null || code !== undefined)) {
    return new GraphQLError(error.message, {
      ...placeOf(error),
      extensions: { ...error.extensions, ...(code ? { code } : {}) },
    });
  }
  context.request?.log.error({ err: original ?? error }, 'a resolver failed');
  const place = error instanceof GraphQLError ? placeOf(error) : {};
  if (isDatabaseUnavailable(original ?? error)) {
    return new GraphQLError(DATABASE_AWAY, { ...place, extensions: { code: 'DATABASE_UNAVAILABLE' } });
  }
  return new GraphQLError(brokenOnOurSide(context.request?.id ?? ''), {
    ...place,
    extensions: { code: 'INTERNAL_SERVER_ERROR' },
  });
}

/** Of errors that were thrown on purpose, with words for the client. */
function codeOf(error: unknown): string | undefined {
  const { extensions } = (error ?? {}) as { extensions?: { code?: unknown } };
  return typeof extensions?.code === 'string' ? extensions.code : undefined;
}

function placeOf({ nodes, source, positions, path }: GraphQLError) {
  return { nodes: nodes ?? null, source: source ?? null, positions: positions ?? null, path: path ?? null };
}
