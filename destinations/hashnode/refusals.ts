/**
 * Interprets the errors in Hashnode's GraphQL responses: the outcome, and what the author can do.
 */
import type { HttpResponse } from '../http/exchange.ts';
import { type Intent, reject } from '../http/failures.ts';
import { readField, readText } from '../http/read-field.ts';
import { formatReason, quoteRefusal } from '../http/reason.ts';
import type { Failure } from '../types.ts';

interface GraphqlError {
  message: string;
  code: string;
  path: string;
}

export function hasErrors(json: unknown): boolean {
  return readFirstError(json) !== null;
}

/** Null for an internal error of Hashnode's. */
export function interpretRefusal(
  answer: HttpResponse,
  intent: Intent,
  secrets: Record<string, string>,
): Failure | null {
  const error = readFirstError(answer.json) ?? { message: '', code: '', path: '' };
  const words = quoteRefusal(error.message, secrets);
  // The mutation succeeded, but a field of the new post could not be read.
  if (intent === 'create' && error.path.includes('.')) {
    return { kind: 'unknown', reason: formatReason(`Hashnode could not show the new post: ${words}.`) };
  }
  switch (error.code || nameStatus(answer.status)) {
    case 'UNAUTHENTICATED':
      return rejectToken();
    case 'FORBIDDEN':
      if (/\bpro plan\b/i.test(error.message)) {
        const sentence =
          'Hashnode opens its API only to publications on its Pro plan. Upgrade this one there, then retry.';
        return reject('plan_required', sentence);
      }
      return reject('forbidden', `Hashnode does not allow this account to do this: ${words}. Check its role there.`);
    case 'NOT_FOUND':
      if (intent === 'update' || intent === 'withdraw') {
        return rejectDeleted();
      }
      return rejectPublication();
    case 'BAD_USER_INPUT':
      return {
        ...reject('invalid', `Hashnode refuses the article: ${words}.`),
        // The documentation does not promise that a refused publish creates no post, and there is
        // no idempotency key.
        ...(intent === 'create' ? { maybeSaved: true } : {}),
      };
    case 'GRAPHQL_VALIDATION_FAILED':
    case 'GRAPHQL_PARSE_FAILED':
      return reject('protocol_mismatch', `Hashnode no longer understands Courant's request: ${words}. Update Courant.`);
    case 'TOO_LARGE':
      return rejectTooLarge();
    default:
      // INTERNAL_SERVER_ERROR, which Hashnode returns for all unnamed errors.
      return null;
  }
}

export function rejectToken(): Failure {
  return {
    kind: 'unauthorised',
    reason: 'Hashnode does not accept the token. Create a new one in its developer settings and connect again.',
  };
}

export function rejectDeleted(): Failure {
  return reject('remote_gone', 'The post is no longer there on Hashnode, or is hidden from this account.');
}

export function rejectPublication(): Failure {
  return reject('publication_not_found', 'Hashnode does not have this publication. Check its id and connect again.');
}

export function rejectTooLarge(): Failure {
  return reject(
    'body_too_large',
    'The article is larger than the 100 KB that Hashnode accepts in one request. Shorten it.',
  );
}

/** The first of `errors[]`. Its code is in `extensions`, whatever the HTTP status. */
function readFirstError(json: unknown): GraphqlError | null {
  const errors = readField(json, 'errors');
  if (!Array.isArray(errors) || errors.length === 0) return null;
  const [entry] = errors as unknown[];
  const path = readField(entry, 'path');
  return {
    message: readText(entry, 'message') ?? '',
    code: String(readField(entry, 'extensions', 'code') ?? ''),
    path: Array.isArray(path) ? path.join('.') : '',
  };
}

/** For errors without a code, from a gateway in front of the API. */
function nameStatus(status: number): string {
  const codes: Record<number, string> = {
    400: 'GRAPHQL_VALIDATION_FAILED',
    401: 'UNAUTHENTICATED',
    403: 'FORBIDDEN',
    404: 'NOT_FOUND',
    413: 'TOO_LARGE',
    422: 'BAD_USER_INPUT',
  };
  return codes[status] ?? 'INTERNAL_SERVER_ERROR';
}
