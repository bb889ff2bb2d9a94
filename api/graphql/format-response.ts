/** Formats GraphQL responses with errors: client errors in full, internal ones without details. */
import type { FastifyError } from 'fastify';
import { GraphQLError } from 'graphql';
import type { MercuriusContext } from 'mercurius';
import { isStackOverflow } from '../../article/errors.ts';
import { RefusedCommandError } from '../../store/commands/refused-command.ts';
import { isDatabaseUnavailable } from '../../store/db/pg-errors.ts';
import { describeDatabaseFailure, describeInternalError, TOO_DEEP } from '../plugins/errors/to-problem.ts';

interface Execution {
  data?: Record<string, unknown> | null;
  errors?: readonly (GraphQLError | FastifyError)[] | null;
}

export function formatGraphqlResponse(execution: Execution, context: Pick<MercuriusContext, 'request'>) {
  const errors = (execution.errors ?? []).map((error) => formatError(error, context));
  const status = errors.some((error) => error.extensions?.code === 'DATABASE_UNAVAILABLE') ? 503 : getStatus(execution);
  // A response without execution has no `data`, not even null.
  const response = status === 400 ? { errors } : { data: execution.data ?? null, errors };
  return { statusCode: status, response };
}

/** An error without a path concerns the document: nothing was executed. */
function getStatus({ errors }: Execution): number {
  return (errors ?? []).some((error) => !(error instanceof GraphQLError) || error.path === undefined) ? 400 : 200;
}

function formatError(error: GraphQLError | FastifyError, context: Pick<MercuriusContext, 'request'>): GraphQLError {
  const original = error instanceof GraphQLError ? error.originalError : error;
  const extensions = readExtensions(original);
  // A GraphQLError inside another is a variable of the wrong type, which is a client error.
  const isClientError = original === undefined || original === null || original instanceof GraphQLError;
  if (error instanceof GraphQLError && (isClientError || extensions !== null)) {
    return new GraphQLError(extensions === null ? removeValues(error.message) : error.message, {
      ...getLocation(error),
      extensions: { ...error.extensions, ...extensions },
    });
  }
  if (isStackOverflow(original ?? error)) {
    return new GraphQLError(TOO_DEEP, { extensions: { code: 'TOO_DEEP' } });
  }
  context.request?.log.error({ err: original ?? error }, 'a resolver failed');
  const location = error instanceof GraphQLError ? getLocation(error) : {};
  if (isDatabaseUnavailable(original ?? error)) {
    return new GraphQLError(describeDatabaseFailure(original ?? error), {
      ...location,
      extensions: { code: 'DATABASE_UNAVAILABLE' },
    });
  }
  return new GraphQLError(describeInternalError(context.request?.id ?? ''), {
    ...location,
    extensions: { code: 'INTERNAL_SERVER_ERROR' },
  });
}

/** GraphQL writes path and reason at the end of a message, after the value. This holds both. */
const TAIL_CHARACTERS = 800;

/**
 * GraphQL quotes rejected values, which may be credentials; this keeps the path and the reason
 * only. A value is untrusted and may be as long as the body, so only the tail is searched.
 */
function removeValues(message: string): string {
  const variable = /^(Variable "\$\w{1,100}") got invalid value /.exec(message);
  if (!variable) return message.slice(0, TAIL_CHARACTERS).replace(/( cannot represent [\w\s-]{1,60}): [\s\S]*$/, '$1.');
  const tail = message.slice(-TAIL_CHARACTERS);
  const reason =
    /(?:Field "\w{1,100}" (?:is not defined|of required type) [\w\s"![\].]{1,200}|Expected [\w\s"![\]]{1,200}\.)$/.exec(
      tail,
    );
  const path = readPath(tail);
  return `${variable[1]} got an invalid value${path ? ` at "${path}"` : ''}${reason ? `: ${reason[0]}` : '.'}`;
}

/** Reads the last path: text before it may be part of the value. */
function readPath(tail: string): string | null {
  const start = tail.lastIndexOf(' at "');
  return /^ at "([\w.[\]]{1,200})"; /.exec(start === -1 ? '' : tail.slice(start))?.[1] ?? null;
}

/** The code of an error thrown for the client; null for any other error. */
function readExtensions(error: unknown): { code: string } | null {
  if (error instanceof RefusedCommandError) {
    const { code, field } = error;
    return { code, ...(field !== undefined && { field }) };
  }
  const { extensions } = (error ?? {}) as { extensions?: { code?: unknown } };
  return typeof extensions?.code === 'string' ? { code: extensions.code } : null;
}

function getLocation({ nodes, source, positions, path }: GraphQLError) {
  return { nodes: nodes ?? null, source: source ?? null, positions: positions ?? null, path: path ?? null };
}
