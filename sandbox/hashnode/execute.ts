/** Executes one GraphQL request with the responses of Hashnode's server. */
import { type DocumentNode, execute, GraphQLError, Kind, parse, validate } from 'graphql';
import type { SandboxContext } from '../context.ts';
import type { SandboxResponse } from '../faults.ts';
import { buildHashnodeRoot } from './resolvers.ts';
import { hashnodeSchema } from './schema.ts';

export interface GraphqlRequest {
  query: string;
  variables: Record<string, unknown>;
  operationName: string | undefined;
}

const MAX_DEPTH = 10;

/** The parsed document, or the parse error. */
export function readDocument({ query }: GraphqlRequest): DocumentNode | GraphQLError {
  try {
    return parse(query);
  } catch (error) {
    return error instanceof GraphQLError ? error : new GraphQLError('The query cannot be read.');
  }
}

export async function handleGraphql(
  sandbox: SandboxContext,
  request: GraphqlRequest,
  token: string | null,
): Promise<SandboxResponse> {
  const document = readDocument(request);
  if (document instanceof GraphQLError) return buildFailure(400, [document], 'GRAPHQL_PARSE_FAILED');
  const errors = validate(hashnodeSchema, document);
  if (errors.length > 0) return buildFailure(400, errors, 'GRAPHQL_VALIDATION_FAILED');
  if (measureDepth(document) > MAX_DEPTH) {
    return buildFailure(
      400,
      [new GraphQLError(`The query is deeper than ${MAX_DEPTH} levels.`)],
      'GRAPHQL_VALIDATION_FAILED',
    );
  }
  const result = await execute({
    schema: hashnodeSchema,
    document,
    rootValue: buildHashnodeRoot(sandbox, token),
    variableValues: request.variables,
    operationName: request.operationName,
  });
  const body = { ...result, ...(result.errors ? { errors: result.errors.map(addCode) } : {}) };
  return { status: 200, body };
}

/**
 * Variables of a wrong type are a `BAD_USER_INPUT`. Any other error without a code is an internal
 * server error.
 */
function addCode(error: GraphQLError) {
  const isVariable = error.path === undefined && /^Variable "/.test(error.message);
  const code = error.extensions.code ?? (isVariable ? 'BAD_USER_INPUT' : 'INTERNAL_SERVER_ERROR');
  const message = code === 'INTERNAL_SERVER_ERROR' ? 'Internal server error' : error.message;
  return { message, path: error.path, locations: error.locations, extensions: { code } };
}

function buildFailure(status: number, errors: readonly GraphQLError[], code: string): SandboxResponse {
  const body = { errors: errors.map(({ message, locations }) => ({ message, locations, extensions: { code } })) };
  return { status, body };
}

interface Node {
  kind: string;
  selectionSet?: { selections: readonly Node[] } | undefined;
}

/** Deepest nesting of fields. Fragments count at their definition; validation refuses cycles. */
function measureDepth(document: DocumentNode): number {
  const depth = (node: Node): number => {
    const inner = (node.selectionSet?.selections ?? []).map(depth);
    return (node.kind === Kind.FIELD ? 1 : 0) + Math.max(0, ...inner);
  };
  return Math.max(0, ...document.definitions.map((definition) => depth(definition as Node)));
}
