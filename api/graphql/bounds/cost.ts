/**
 * Computes the cost of a valid document before it runs: one per field, times the maximum length of
 * each enclosing list, with fragments expanded. Introspection is counted separately: the standard
 * introspection query of tools is expensive, and harmless once.
 */
import { complexityFromQuery } from '@pothos/plugin-complexity';
import {
  type DocumentNode,
  GraphQLObjectType,
  GraphQLSchema,
  GraphQLString,
  getIntrospectionQuery,
  Kind,
  type OperationDefinitionNode,
  parse,
  SchemaMetaFieldDef,
  TypeMetaFieldDef,
} from 'graphql';

export interface Cost {
  fields: number;
  depth: number;
  introspection: number;
}

export const MAX_COST = 5_000;
export const MAX_DEPTH = 12;

export interface CostCounter {
  /** Cost of the operation that is executed. */
  count(document: DocumentNode, operationName: string | undefined, variables: Record<string, unknown>): Cost;
  /** Twice the cost of the standard introspection query. */
  maxIntrospection: number;
}

export function createCostCounter(schema: GraphQLSchema): CostCounter {
  const withMetaFields = addMetaFields(schema);
  const count: CostCounter['count'] = (document, operationName, variables) => {
    const requested = selectOperation(document, operationName);
    // The executor rejects an unknown operation name.
    if (requested === null) return { fields: 0, depth: 0, introspection: 0 };
    const { complexity, depth } = complexityFromQuery(requested, { schema, variables });
    const withIntrospection = complexityFromQuery(requested, { schema: withMetaFields, variables });
    return { fields: complexity, depth, introspection: withIntrospection.complexity - complexity };
  };
  const fullQuery = parse(getIntrospectionQuery({ specifiedByUrl: true, inputValueDeprecation: true, oneOf: true }));
  return { count, maxIntrospection: 2 * count(fullQuery, undefined, {}).introspection };
}

/** Lists `__schema` and `__type` in the query type, so that they are counted like other fields. */
function addMetaFields(schema: GraphQLSchema): GraphQLSchema {
  const { query, types, ...config } = schema.toConfig();
  if (!query) throw new Error('the schema has no queries');
  const { fields, ...queryConfig } = query.toConfig();
  const __type = { type: TypeMetaFieldDef.type, args: { name: { type: GraphQLString } } };
  const queryWithMetaFields = new GraphQLObjectType({
    ...queryConfig,
    fields: { ...fields, __schema: { type: SchemaMetaFieldDef.type }, __type },
  });
  return new GraphQLSchema({
    ...config,
    query: queryWithMetaFields,
    types: types.filter((type) => type !== query),
    assumeValid: true,
  });
}

function selectOperation(document: DocumentNode, name: string | undefined): DocumentNode | null {
  const isRequested = (node: OperationDefinitionNode) => name == null || node.name?.value === name;
  const operation = document.definitions.find((node) => node.kind === Kind.OPERATION_DEFINITION && isRequested(node));
  const fragments = document.definitions.filter((node) => node.kind === Kind.FRAGMENT_DEFINITION);
  return operation ? { kind: Kind.DOCUMENT, definitions: [operation, ...fragments] } : null;
}
