/**
 * Limits the duration and the response size of a running document, whatever its estimated cost. A
 * mutation that has started always returns its result; later ones in the document are not started.
 */
import {
  defaultFieldResolver,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  getNamedType,
  isIntrospectionType,
  isLeafType,
  isObjectType,
} from 'graphql';
import { createGraphqlError } from '../errors.ts';

const MAX_DURATION_MS = 10_000;
const MAX_RESPONSE_CHARACTERS = 4 * 1024 * 1024;

export interface ResponseMeter {
  /** Throws TOO_SLOW. */
  checkTime(info: Pick<GraphQLResolveInfo, 'operation' | 'path'>): void;
  /** Throws TOO_LARGE. */
  count(value: unknown): void;
}

export function createResponseMeter(
  limits = { ms: MAX_DURATION_MS, characters: MAX_RESPONSE_CHARACTERS },
): ResponseMeter {
  const deadline = performance.now() + limits.ms;
  let characters = 0;
  return {
    checkTime({ operation, path }) {
      if (performance.now() < deadline || (operation.operation === 'mutation' && path.prev !== undefined)) return;
      const message = `The request took longer than ${limits.ms / 1000} seconds. Fields that had not started by then were not executed. Request less at once.`;
      throw createGraphqlError('TOO_SLOW', message);
    },
    count(value) {
      characters += measure(value);
      if (characters <= limits.characters) return;
      throw createGraphqlError('TOO_LARGE', 'The response is too large. Request less at once.');
    },
  };
}

/** Wraps every resolver of the schema in the meter of its request. Changes and returns `schema`. */
export function meterResponses(schema: GraphQLSchema): GraphQLSchema {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || isIntrospectionType(type)) continue;
    for (const field of Object.values(type.getFields())) {
      const resolve = field.resolve ?? defaultFieldResolver;
      const isLeaf = isLeafType(getNamedType(field.type));
      field.resolve = (source, args, context: { meter: ResponseMeter }, info) => {
        const { meter } = context;
        meter.checkTime(info);
        const value: unknown = resolve(source, args, context, info);
        if (!isLeaf) return value;
        const countAndReturn = (settled: unknown) => {
          meter.count(settled);
          return settled;
        };
        return value instanceof Promise ? value.then(countAndReturn) : countAndReturn(value);
      };
    }
  }
  return schema;
}

function measure(value: unknown): number {
  if (typeof value === 'string') return value.length;
  return Array.isArray(value) ? value.reduce((sum: number, item) => sum + measure(item), 0) : 1;
}
