/**
 * What a valid document would cost, added up before it runs: one for each field, times the entries that each list around it may have, with all
 * fragments in place. Introspection is counted by the same rule, in an account of its own: the full question of tools is costly, and harmless
 * once.
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
  /** Of the operation that is to run. */
  count(document: DocumentNode, operationName: string | undefined, variables: Record<string, unknown>): Cost;
  /** Twice what tools ask. */
  maxIntrospection: number;
}

export function createCostCounter(schema: GraphQLSchema): CostCounter {
  const withMetaFields = addMetaFields(schema);
  const count: CostCounter['count'] = (document, operationName, variables) => {
    const only = keepOperation(document, operationName);
    // An unknown name of an operation is refused by whoever executes the document.
    if (only === null) return { fields: 0, depth: 0, introspection: 0 };
    const { complexity, depth } = complexityFromQuery(only, { schema, variables });
    const whole = complexityFromQuery(only, { schema: withMetaFields, variables });
    return { fields: complexity, depth, introspection: whole.complexity - complexity };
  };
  const everything = parse(getIntrospectionQuery({ specifiedByUrl: true, inputValueDeprecation: true, oneOf: true }));
  return { count, maxIntrospection: 2 * count(everything, undefined, {}).introspection };
}

/** In a schema `__schema` and `__type` are fields that no type lists; listed, they are counted like any other. */
function addMetaFields(schema: GraphQLSchema): GraphQLSchema {
  const { query, types, ...config } = schema.toConfig();
  if (!query) throw new Error('a schema without queries cannot be asked');
  const { fields, ...more } = query.toConfig();
  const __type = { type: TypeMetaFieldDef.type, args: { name: { type: GraphQLString } } };
  const listed = new GraphQLObjectType({
    ...more,
    fields: { ...fields, __schema: { type: SchemaMetaFieldDef.type }, __type },
  });
  return new GraphQLSchema({
    ...config,
    query: listed,
    types: types.filter((type) => type !== query),
    assumeValid: true,
  });
}

function keepOperation(document: DocumentNode, name: string | undefined): DocumentNode | null {
  const isChosen = (node: OperationDefinitionNode) => name == null || node.name?.value === name;
  const operation = document.definitions.find((node) => node.kind === Kind.OPERATION_DEFINITION && isChosen(node));
  const fragments = document.definitions.filter((node) => node.kind === Kind.FRAGMENT_DEFINITION);
  return operation ? { kind: Kind.DOCUMENT, definitions: [operation, ...fragments] } : null;
}
