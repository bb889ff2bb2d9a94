/** Registers the checks of a document between parsing and execution. */
import type { FastifyInstance } from 'fastify';
import { type DocumentNode, type GraphQLSchema, Kind, Location, visit } from 'graphql';
import { type Cost, createCostCounter, MAX_COST, MAX_DEPTH } from './cost.ts';
import { findExcess } from './document-size.ts';
import { RefusedDocumentError } from './refused-document.ts';

export interface BoundsOptions {
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
  const message = 'Introspection requires a session. The schema is also in docs/schema.graphql of the source.';
  throw new RefusedDocumentError('INTROSPECTION_OFF', message);
}
