/** What the errors of Hashnode's GraphQL answers mean for a delivery, and what an author can do about each. */

import type { HttpAnswer } from '../http/exchange.ts';
import { field } from '../http/json-fields.ts';
import { type Intent, outcomeOfServerError } from '../http/outcomes.ts';
import { authorReason, quoteRemote } from '../http/reason.ts';
import type { ClientOptions, Outcome } from '../types.ts';
import { HASHNODE_LABEL } from './limits.ts';

type Refusal = Exclude<Outcome<never>, { kind: 'done' }>;

interface GraphqlError {
  message: string;
  code: string;
  path: string;
}

/** Reads `errors[]` of an answer; the code stands in `extensions`, whatever the HTTP status is. */
export function readErrors(json: unknown): GraphqlError[] {
  const errors = field(json, 'errors');
  if (!Array.isArray(errors)) return [];
  return errors.map((entry: Record<string, unknown> | null) => ({
    message: typeof entry?.message === 'string' ? entry.message : '',
    code: String((entry?.extensions as Record<string, unknown> | undefined)?.code ?? ''),
    path: Array.isArray(entry?.path) ? entry.path.join('.') : '',
  }));
}

export function outcomeOfError(
  error: GraphqlError,
  answer: HttpAnswer,
  intent: Intent,
  options: ClientOptions,
): Refusal {
  const secrets = { token: options.connection.credentials.token ?? '' };
  const words = quoteRemote(error.message, secrets) || 'no reason given';
  const reject = (code: string, sentence: string): Refusal => ({
    kind: 'rejected',
    code,
    reason: authorReason(sentence),
  });
  // The mutation itself went through: something below the post that it made could not be read.
  if (intent === 'create' && error.path.includes('.')) {
    return { kind: 'unknown', reason: authorReason(`Hashnode could not show the new post: ${words}.`) };
  }
  switch (error.code || codeOfStatus(answer.status)) {
    case 'UNAUTHENTICATED':
      return {
        kind: 'unauthorised',
        reason: 'Hashnode does not accept the token. Make a new one in its developer settings and connect again.',
      };
    case 'FORBIDDEN':
      if (/\bpro plan\b/i.test(error.message)) {
        const sentence =
          'Hashnode opens its API only to publications on its Pro plan: upgrade this one there, then retry.';
        return reject('plan_required', sentence);
      }
      return reject('forbidden', `Hashnode does not let this account do it: ${words}. Check its role there.`);
    case 'NOT_FOUND':
      if (intent === 'update' || intent === 'withdraw') {
        return reject('remote_gone', 'The post is no longer there on Hashnode, or is hidden from this account.');
      }
      return noPublication();
    case 'BAD_USER_INPUT':
      return {
        kind: 'rejected',
        code: 'invalid',
        reason: authorReason(`Hashnode refuses the article: ${words}.`, secrets),
        // Nothing says that a refused publish leaves no post, and there is no key against doubles: better to look.
        ...(intent === 'create' ? { maybeSaved: true } : {}),
      };
    case 'GRAPHQL_VALIDATION_FAILED':
    case 'GRAPHQL_PARSE_FAILED':
      return reject('protocol_mismatch', `Hashnode no longer understands Courant's request: ${words}. Update Courant.`);
    case 'TOO_LARGE':
      return reject('body_too_large', 'The article is larger than the 100 KB that Hashnode takes in one request.');
    default:
      // INTERNAL_SERVER_ERROR, under which Hashnode collapses everything it does not name.
      return outcomeOfServerError(answer, intent, HASHNODE_LABEL, options.now());
  }
}

export function noPublication(): Refusal {
  const reason = 'Hashnode does not know this publication: check its id and connect again.';
  return { kind: 'rejected', code: 'publication_not_found', reason };
}

/** For errors without a code, as a gateway in front of the API gives them. */
function codeOfStatus(status: number): string {
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
