/** What bounds a document between its parsing and its execution. */
import type { FastifyInstance } from 'fastify';
import { type DocumentNode, type GraphQLSchema, Kind, Location, visit } from 'graphql';
import { type Cost, createCostCounter, MAX_COST, MAX_DEPTH } from './cost.ts';
import { findExcess } from './document-size.ts';
import { RefusedDocumentError } from './refused-document.ts';

export interface BoundsOptions {
  schema: GraphQLSchema;
  /** Whom the schema is shown to. */
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
 * Mercurius takes what is not GraphQL for a document's tree, in JSON. No limit on tokens has seen one, and validation trusts it to be a parser's:
 * only a parser's has places in a text.
 */
function refuseTree(document: DocumentNode | null): void {
  if (document?.loc instanceof Location) return;
  throw new RefusedDocumentError('BAD_SYNTAX', 'Syntax Error: the document is not GraphQL, but JSON.');
}

function refuseCostly({ fields, depth, introspection }: Cost, maxIntrospection: number): void {
  if (depth > MAX_DEPTH) {
    throw new RefusedDocumentError('TOO_DEEP', `A document may nest fields ${MAX_DEPTH} deep at most.`);
  }
  if (fields > MAX_COST) {
    const message = `The document may answer ${fields} values, and ${MAX_COST} are the most: ask for fewer entries or fields at once.`;
    throw new RefusedDocumentError('TOO_COSTLY', message);
  }
  if (introspection > maxIntrospection) {
    throw new RefusedDocumentError('TOO_COSTLY', 'The document asks more of the schema than there is to it.');
  }
}

/** Name, kind and description of a type. */
const OF_ONE_TYPE = 3;

/** A stranger may try out whether the endpoint answers, with the name of a type, and learns no more. */
function refuseIntrospection(document: DocumentNode, { introspection }: Cost): void {
  let asksSchema = false;
  visit(document, {
    [Kind.FIELD](node) {
      if (node.name.value === '__schema') asksSchema = true;
    },
  });
  if (!asksSchema && introspection <= OF_ONE_TYPE) return;
  const message = 'The schema is shown to signed-in people only; it is also in docs/schema.graphql of the source.';
  throw new RefusedDocumentError('INTROSPECTION_OFF', message);
}
