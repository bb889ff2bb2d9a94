/** GraphQL's answers with errors: what the client did wrong in full, what broke on our side without its insides. */
import type { FastifyError } from 'fastify';
import { GraphQLError } from 'graphql';
import type { MercuriusContext } from 'mercurius';
import { isDatabaseUnavailable } from '../../store/db/pg-errors.ts';
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
  // One of GraphQL's own inside another: a variable that does not fit its type. Nothing broke.
  const isOfClient = original === undefined || original === null || original instanceof GraphQLError;
  if (error instanceof GraphQLError && (isOfClient || code !== undefined)) {
    return new GraphQLError(code === undefined ? withoutValues(error.message) : error.message, {
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

/** GraphQL repeats the values that it does not take, and those may be credentials: where and why is said without them. */
function withoutValues(message: string): string {
  const variable = /^(Variable "\$\w{1,100}") got invalid value [\s\S]*?(?: at "([\w.[\]]{1,200})")?; /.exec(message);
  const why =
    /(?:Field "\w{1,100}" (?:is not defined|of required type) [\w\s"![\].]{1,200}|Expected [\w\s"![\]]{1,200}\.)$/.exec(
      message,
    );
  if (variable) {
    const path = /.* at "([\w.[\]]{1,200})"; /s.exec(message)?.[1] ?? variable[2];
    return `${variable[1]} got an invalid value${path ? ` at "${path}"` : ''}${why ? `: ${why[0]}` : '.'}`;
  }
  return message.replace(/( cannot represent [\w\s-]{1,60}): [\s\S]*$/, '$1.');
}

/** Of errors that were thrown on purpose, with words for the client. */
function codeOf(error: unknown): string | undefined {
  const { extensions } = (error ?? {}) as { extensions?: { code?: unknown } };
  return typeof extensions?.code === 'string' ? extensions.code : undefined;
}

function placeOf({ nodes, source, positions, path }: GraphQLError) {
  return { nodes: nodes ?? null, source: source ?? null, positions: positions ?? null, path: path ?? null };
}
