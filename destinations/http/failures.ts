/** Maps failures that are the same on every platform to one outcome and one message each. */
import type { Failure, Outcome, RejectionCode } from '../types.ts';
import type { HttpResponse, NoResponse, Redirect } from './exchange.ts';
import { formatReason } from './reason.ts';
import { parseRetryAfter } from './retry-after.ts';

/** Only `create` must never be repeated blindly. `read` changes nothing. */
export type Intent = 'create' | 'update' | 'withdraw' | 'read';

/** A permanent refusal. A platform's text in `sentence` comes from `quoteRefusal`. */
export function reject(code: RejectionCode, sentence: string): Extract<Outcome<never>, { kind: 'rejected' }> {
  return { kind: 'rejected', code, reason: formatReason(sentence) };
}

/** The platform refuses the content. A refused create may have created the post nevertheless. */
export function rejectArticle(label: string, words: string, intent: Intent): Failure {
  const refusal = reject('invalid', `${label} refuses the article: ${words}.`);
  return intent === 'create' ? { ...refusal, mayBeSaved: true } : refusal;
}

export function rejectDeleted(label: string): ReturnType<typeof reject> {
  return reject('remote_gone', `The post is no longer there on ${label}, or belongs to another account.`);
}

export function rejectTooLarge(label: string): Failure {
  return reject('body_too_large', `The article is too large for ${label}, or for a proxy in front of it. Shorten it.`);
}

export function rejectToken(reason: string): Failure {
  return { kind: 'unauthorised', reason: formatReason(reason) };
}

/** A refusal by a status that means the same on most platforms. `advice` follows a 403. */
export function interpretStatus(
  { status }: HttpResponse,
  intent: Intent,
  label: string,
  words: string,
  advice = 'Check what this account may do there.',
): Failure {
  switch (status) {
    case 403:
      return reject('forbidden', `${label} forbids this: ${words}. ${advice}`);
    case 404:
      if (intent === 'update' || intent === 'withdraw') return rejectDeleted(label);
      return reject('not_found', `There is no ${label} API at this address. Correct the address of this connection.`);
    case 413:
      return rejectTooLarge(label);
    default:
      return reject('refused', `${label} refuses the request (HTTP ${status}): ${words}.`);
  }
}

/** The outcome of an exchange that ended without a response. */
export function interpretNoResponse(ended: NoResponse, intent: Intent, label: string): Failure {
  if (ended.kind === 'refusedAddress') return reject('address_refused', ended.cause);
  if (ended.kind === 'damagedCredential') {
    return rejectToken(`The stored credential for ${label} is damaged. Connect the destination again.`);
  }
  const reason = formatReason(`${label} could not be reached: ${ended.cause}.`);
  return ended.kind === 'neverSent' ? { kind: 'unavailable', reason } : reportUncertain(intent, reason);
}

/** HTML, nothing or foreign JSON is not the platform's response: its status proves nothing. */
export function interpretForeignResponse({ status }: { status: number }, intent: Intent, label: string): Failure {
  return reportUncertain(intent, `A server between Courant and ${label} responded instead (HTTP ${status}).`);
}

export function interpretRateLimit(answer: HttpResponse, label: string, now: Date): Failure {
  const retryAfterMs = parseRetryAfter(answer.headers['retry-after'], now, answer.headers.date);
  const pause = retryAfterMs === null ? 'a while' : `${Math.ceil(retryAfterMs / 1000)} s`;
  return {
    kind: 'rateLimited',
    retryAfterMs,
    reason: `${label} requires a pause of ${pause} before the next request.`,
  };
}

/**
 * The platform's own 5xx. Only a create may have left a post that a repeat would duplicate. A 502
 * or 504 comes from a gateway, in any format; behind it the request may continue.
 */
export function interpretServerError(answer: HttpResponse, intent: Intent, label: string, now: Date): Failure {
  const reason = `${label} reports an internal error (HTTP ${answer.status}).`;
  const isFromPlatform = answer.status !== 502 && answer.status !== 504;
  if (!isFromPlatform && intent !== 'read') return reportUncertain(intent, reason);
  if (intent === 'create') return { kind: 'unknown', reason, mayArriveLate: false };
  return {
    kind: 'unavailable',
    reason,
    retryAfterMs: parseRetryAfter(answer.headers['retry-after'], now, answer.headers.date),
  };
}

/** The API has another address, or is gone. */
export function interpretMove({ status }: Redirect, label: string): Failure {
  return reject(
    'endpoint_moved',
    `${label} has moved its API (HTTP ${status}). Correct the address of this connection.`,
  );
}

/** A look-up found our post without a usable id. It exists: it is not "not found". */
export function reportUnusablePost(label: string): Failure {
  return { kind: 'unavailable', reason: `${label} lists the post without a usable id or address.` };
}

/** The request may have been carried out, which matters for all but reads. */
function reportUncertain(intent: Intent, reason: string): Failure {
  return { kind: intent === 'read' ? 'unavailable' : 'unknown', reason };
}
