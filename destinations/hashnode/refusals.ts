/** Interprets errors of Hashnode's GraphQL: the outcome, and what the author can do. */
import type { HttpResponse } from '../http/exchange.ts';
import { type Intent, reject, rejectArticle, rejectDeleted, rejectToken, rejectTooLarge } from '../http/failures.ts';
import { readField, readText } from '../http/read-field.ts';
import { formatReason, quoteRefusal } from '../http/reason.ts';
import type { Failure } from '../types.ts';
import { LABEL } from './limits.ts';

export const REFUSED_TOKEN = rejectToken(
  'Hashnode does not accept the token. Create a new one in its developer settings and connect again.',
);

export const UNKNOWN_PUBLICATION = reject(
  'publication_not_found',
  'Hashnode does not have this publication. Check its id and connect again.',
);

export function hasErrors(json: unknown): boolean {
  return readFirstError(json) !== undefined;
}

/** Null for an internal error of Hashnode's. */
export function interpretRefusal(
  answer: HttpResponse,
  intent: Intent,
  secrets: Record<string, string>,
): Failure | null {
  const error = readFirstError(answer.json);
  const message = readText(error, 'message') ?? '';
  const words = quoteRefusal(message, secrets);
  const path = readField(error, 'path');
  // The mutation succeeded, but a field of the new post could not be read.
  if (intent === 'create' && Array.isArray(path) && path.length > 1) {
    return { kind: 'unknown', reason: formatReason(`Hashnode could not show the new post: ${words}.`) };
  }
  // Without a code, the error comes from a gateway in front of the API.
  switch (String(readField(error, 'extensions', 'code') ?? '') || answer.status) {
    case 'UNAUTHENTICATED':
    case 401:
      return REFUSED_TOKEN;
    case 'FORBIDDEN':
    case 403:
      return /\bpro plan\b/i.test(message)
        ? reject(
            'plan_required',
            'Hashnode opens its API only to publications on its Pro plan. Upgrade this one there, then retry.',
          )
        : reject('forbidden', `Hashnode does not allow this account to do this: ${words}. Check its role there.`);
    case 'NOT_FOUND':
    case 404:
      return intent === 'update' || intent === 'withdraw' ? rejectDeleted(LABEL) : UNKNOWN_PUBLICATION;
    case 'BAD_USER_INPUT':
    case 422:
      // Nothing promises that a refused publish creates no post.
      return rejectArticle(LABEL, words, intent);
    case 'GRAPHQL_VALIDATION_FAILED':
    case 'GRAPHQL_PARSE_FAILED':
    case 400:
      return reject('protocol_mismatch', `Hashnode no longer understands Courant's request: ${words}. Update Courant.`);
    case 413:
      return rejectTooLarge(LABEL);
    default:
      // INTERNAL_SERVER_ERROR, which Hashnode returns for all unnamed errors.
      return null;
  }
}

function readFirstError(json: unknown): unknown {
  const errors = readField(json, 'errors');
  return Array.isArray(errors) ? errors[0] : undefined;
}
