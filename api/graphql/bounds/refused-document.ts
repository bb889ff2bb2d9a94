/** A document that is rejected before execution, with a 400. */
import type { GraphQLError } from 'graphql';
import { createGraphqlError, type ErrorCode } from '../errors.ts';

export class RefusedDocumentError extends Error {
  override name = 'RefusedDocumentError';
  readonly statusCode = 400;
  /** The framework's own rejections have the same property. */
  readonly errors: GraphQLError[];

  constructor(code: ErrorCode, message: string) {
    super(message);
    this.errors = [createGraphqlError(code, message)];
  }
}
