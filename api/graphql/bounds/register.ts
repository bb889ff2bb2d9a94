/** Registers the checks of a document between parsing and execution. */
import type { FastifyInstance } from 'fastify';
import { BREAK, type DocumentNode, type GraphQLError, type GraphQLSchema, Kind, Location, visit } from 'graphql';
import { createGraphqlError, type ErrorCode } from '../errors.ts';
import { type Cost, createCostCounter, MAX_COST, MAX_DEPTH } from './cost.ts';

interface BoundsOptions {
  schema: GraphQLSchema;
  /** Who may introspect the schema. */
  introspection: 'everybody' | 'signed-in';
}

export function registerBounds(app: FastifyInstance, { schema, introspection }: BoundsOptions): void {
  const counter = createCostCounter(schema);
  app.graphql.addHook('preValidation', async (_schema, document) => {
    refuseTree(document);
    const excess = findExcess(document);
    if (excess !== null) throw new RefusedDocumentError('TOO_LARGE', excess);
  });
  app.graphql.addHook('preExecution', async (_schema, document, context, variables) => {
    const { request } = context;
    const { operationName } = (request.body ?? {}) as { operationName?: string | null };
    const cost = counter.count(document, operationName ?? undefined, variables ?? {});
    refuseCostly(cost, counter.maxIntrospection);
    if (introspection === 'signed-in' && request.session === null) refuseIntrospection(document, cost);
  });
}

/**
 * Mercurius accepts a JSON document tree where GraphQL is expected. The token limit does not apply
 * to it and validation trusts it. Only a parsed document has locations.
 */
function refuseTree(document: DocumentNode | null): void {
  if (document?.loc instanceof Location) return;
  throw new RefusedDocumentError('BAD_SYNTAX', 'Syntax Error: the document is JSON, not GraphQL.');
}

function refuseCostly({ fields, depth, introspection }: Cost, maxIntrospection: number): void {
  if (depth > MAX_DEPTH) {
    throw new RefusedDocumentError('TOO_DEEP', `A document can nest fields at most ${MAX_DEPTH} levels deep.`);
  }
  if (fields > MAX_COST) {
    const message = `The document can return up to ${fields} values; the limit is ${MAX_COST}. Request fewer entries or fields at once.`;
    throw new RefusedDocumentError('TOO_COSTLY', message);
  }
  if (introspection > maxIntrospection) {
    throw new RefusedDocumentError('TOO_COSTLY', 'The document requests more of the schema than it contains.');
  }
}

/** Cost of the name, kind and description of one type. */
const MAX_ANONYMOUS_INTROSPECTION = 3;

/** Anonymous clients may read one type name, to check that the endpoint responds. */
function refuseIntrospection(document: DocumentNode, { introspection }: Cost): void {
  let readsSchema = false;
  visit(document, {
    [Kind.FIELD](node) {
      if (node.name.value === '__schema') readsSchema = true;
    },
  });
  if (!readsSchema && introspection <= MAX_ANONYMOUS_INTROSPECTION) return;
  const message =
    'Introspection requires a session. The schema is also in docs/reference/schema.graphql of the source.';
  throw new RefusedDocumentError('INTROSPECTION_OFF', message);
}

const MAX_COUNTS = {
  [Kind.FIELD]: { max: 300, name: 'fields' },
  alias: { max: 50, name: 'aliases' },
  [Kind.FRAGMENT_SPREAD]: { max: 100, name: 'fragment spreads' },
  [Kind.INLINE_FRAGMENT]: { max: 100, name: 'inline fragments' },
  [Kind.FRAGMENT_DEFINITION]: { max: 30, name: 'fragments' },
  [Kind.OPERATION_DEFINITION]: { max: 20, name: 'operations' },
  [Kind.VARIABLE_DEFINITION]: { max: 50, name: 'variables' },
  [Kind.ARGUMENT]: { max: 300, name: 'arguments' },
  [Kind.DIRECTIVE]: { max: 50, name: 'directives' },
} as const;

/** Returns a message that names the exceeded limit; null if the document may be validated. */
function findExcess(document: DocumentNode): string | null {
  const counts = new Map<string, number>();
  let excess: string | null = null;
  visit(document, {
    enter(node) {
      const kinds = node.kind === Kind.FIELD && node.alias ? [node.kind, 'alias'] : [node.kind];
      for (const kind of kinds) {
        const limit = MAX_COUNTS[kind as keyof typeof MAX_COUNTS];
        if (!limit) continue;
        const count = (counts.get(kind) ?? 0) + 1;
        counts.set(kind, count);
        if (count > limit.max) excess = `A document can have at most ${limit.max} ${limit.name}.`;
      }
      return excess === null ? undefined : BREAK;
    },
  });
  return excess;
}

class RefusedDocumentError extends Error {
  override name = 'RefusedDocumentError';
  readonly statusCode = 400;
  /** The framework's own rejections have the same property. */
  readonly errors: GraphQLError[];

  constructor(code: ErrorCode, message: string) {
    super(message);
    this.errors = [createGraphqlError(code, message)];
  }
}
