/** GraphQL's answers with errors: a client's error in full, one on our side without its details. */
import type { FastifyError } from 'fastify';
import { GraphQLError } from 'graphql';
import type { MercuriusContext } from 'mercurius';
import { isStackOverflow } from '../../article/errors.ts';
import { isDatabaseUnavailable } from '../../store/db/pg-errors.ts';
import { describeDatabaseFailure, describeInternalError, TOO_DEEP } from '../plugins/errors/messages.ts';
import { describeRefusedCommand } from '../plugins/errors/refused-command.ts';

interface Execution {
  data?: Record<string, unknown> | null;
  errors?: readonly (GraphQLError | FastifyError)[] | null;
}

export function formatAnswer(execution: Execution, context: Pick<MercuriusContext, 'request'>) {
  const errors = (execution.errors ?? []).map((error) => formatError(error, context));
  const status = errors.some((error) => error.extensions?.code === 'DATABASE_UNAVAILABLE') ? 503 : getStatus(execution);
  // What was not executed has no data, not even null.
  const response = status === 400 ? { errors } : { data: execution.data ?? null, errors };
  return { statusCode: status, response };
}

/** An error without a path is one of the document: nothing was executed. */
function getStatus({ errors }: Execution): number {
  return (errors ?? []).some((error) => !(error instanceof GraphQLError) || error.path === undefined) ? 400 : 200;
}

function formatError(error: GraphQLError | FastifyError, context: Pick<MercuriusContext, 'request'>): GraphQLError {
  const original = error instanceof GraphQLError ? error.originalError : error;
  const extensions = readExtensions(original);
  // One GraphQLError inside another: a variable that does not fit its type. Nothing broke.
  const isOfClient = original === undefined || original === null || original instanceof GraphQLError;
  if (error instanceof GraphQLError && (isOfClient || extensions !== null)) {
    return new GraphQLError(extensions === null ? removeValues(error.message) : error.message, {
      ...getPlace(error),
      extensions: { ...error.extensions, ...extensions },
    });
  }
  if (isStackOverflow(original ?? error)) {
    return new GraphQLError(TOO_DEEP, { extensions: { code: 'TOO_DEEP' } });
  }
  context.request?.log.error({ err: original ?? error }, 'a resolver failed');
  const place = error instanceof GraphQLError ? getPlace(error) : {};
  if (isDatabaseUnavailable(original ?? error)) {
    return new GraphQLError(describeDatabaseFailure(original ?? error), {
      ...place,
      extensions: { code: 'DATABASE_UNAVAILABLE' },
    });
  }
  return new GraphQLError(describeInternalError(context.request?.id ?? ''), {
    ...place,
    extensions: { code: 'INTERNAL_SERVER_ERROR' },
  });
}

/** Where and why stand at the end of a message, behind the value; so much of it holds both. */
const TAIL = 800;

/**
 * GraphQL repeats the values that it does not take, and those may be credentials: the message keeps where and why, without them. A value may
 * be as long as the body and is anybody's, so only its bounded neighbourhood is searched.
 */
function removeValues(message: string): string {
  const variable = /^(Variable "\$\w{1,100}") got invalid value /.exec(message);
  if (!variable) return message.slice(0, TAIL).replace(/( cannot represent [\w\s-]{1,60}): [\s\S]*$/, '$1.');
  const tail = message.slice(-TAIL);
  const why =
    /(?:Field "\w{1,100}" (?:is not defined|of required type) [\w\s"![\].]{1,200}|Expected [\w\s"![\]]{1,200}\.)$/.exec(
      tail,
    );
  const path = readPath(tail);
  return `${variable[1]} got an invalid value${path ? ` at "${path}"` : ''}${why ? `: ${why[0]}` : '.'}`;
}

/** The last one: what stands before it may be part of the value. */
function readPath(tail: string): string | null {
  const start = tail.lastIndexOf(' at "');
  return /^ at "([\w.[\]]{1,200})"; /.exec(start === -1 ? '' : tail.slice(start))?.[1] ?? null;
}

/** Of errors that were thrown on purpose, with a message for the client; null of others. */
function readExtensions(error: unknown): { code: string } | null {
  const refusal = describeRefusedCommand(error);
  if (refusal) return refusal.extensions;
  const { extensions } = (error ?? {}) as { extensions?: { code?: unknown } };
  return typeof extensions?.code === 'string' ? { code: extensions.code } : null;
}

function getPlace({ nodes, source, positions, path }: GraphQLError) {
  return { nodes: nodes ?? null, source: source ?? null, positions: positions ?? null, path: path ?? null };
}
