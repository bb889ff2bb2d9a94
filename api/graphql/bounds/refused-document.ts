/** A document that is not executed at all: a 400. */
import type { GraphQLError } from 'graphql';
import { createGraphqlError, type ErrorCode } from '../errors.ts';

export class RefusedDocumentError extends Error {
  override name = 'RefusedDocumentError';
  readonly statusCode = 400;
  /** As the framework's own refusals carry them. */
  readonly errors: GraphQLError[];

  constructor(code: ErrorCode, message: string) {
    super(message);
    this.errors = [createGraphqlError(code, message)];
  }
}
