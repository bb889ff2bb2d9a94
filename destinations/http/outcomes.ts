/** What every client says in the same way: how an exchange that brought no answer ends for a write and for a read. */

import type { Outcome } from '../types.ts';
import type { Exchange, HttpAnswer } from './exchange.ts';
import { authorReason } from './reason.ts';
import { parseRetryAfter } from './retry-after.ts';

/**
 * `create` must never be repeated blindly; `update` and `withdraw` may be (same post, same content), `read` changes
 * nothing.
 */
export type Intent = 'create' | 'update' | 'withdraw' | 'read';

type Failure = Exclude<Outcome<never>, { kind: 'done' }>;

/** The outcome of an exchange that ended without an answer. */
export function outcomeOfSilence(
  ended: Exclude<Exchange, HttpAnswer | { kind: 'redirect' }>,
  intent: Intent,
  label: string,
): Failure {
  if (ended.kind === 'refusedAddress') {
    return { kind: 'rejected', code: 'address_refused', reason: authorReason(ended.cause) };
  }
  if (ended.kind === 'damagedCredential') {
    return { kind: 'unauthorised', reason: `The credential for ${label} is damaged: connect it again.` };
  }
  const reason = authorReason(`${label} could not be reached: ${ended.cause}.`);
  return ended.kind === 'neverSent' ? { kind: 'unavailable', reason } : unclear(intent, reason);
}

/** HTML, an empty body, JSON of somebody else: not the platform speaking. Its status and headers prove nothing. */
export function outcomeOfWeather(answer: { status: number }, intent: Intent, label: string): Failure {
  return unclear(intent, `Something between here and ${label} answered in its place (HTTP ${answer.status}).`);
}

/** A look-up met our post in a form that cannot be used. It is there, so "not found" would make another. */
export function outcomeOfStrangePost(label: string): Failure {
  return { kind: 'unavailable', reason: `${label} lists the post without an id or address that can be used.` };
}

export function outcomeOfRateLimit(answer: HttpAnswer, label: string, now: Date): Failure {
  const retryAfterMs = parseRetryAfter(answer.headers['retry-after'], now);
  const wait = retryAfterMs === null ? 'a while' : `${Math.ceil(retryAfterMs / 1000)} s`;
  return { kind: 'rateLimited', retryAfterMs, reason: `${label} asks to wait ${wait} before the next request.` };
}

/** The platform's own 5xx. Only a create can have left something behind that a repeat would double. */
export function outcomeOfServerError(answer: HttpAnswer, intent: Intent, label: string, now: Date): Failure {
  const reason = `${label} reports an error of its own (HTTP ${answer.status}).`;
  if (intent === 'create') return { kind: 'unknown', reason };
  return { kind: 'unavailable', reason, retryAfterMs: parseRetryAfter(answer.headers['retry-after'], now) };
}

/**
 * Redirects are not followed. For good, the API has moved, which `moved` may say in the platform's own terms; elsewhere for now is a login page
 * in the way, not the platform.
 */
export function outcomeOfRedirect(
  { status }: { status: number },
  intent: Intent,
  label: string,
  moved: Outcome<never> = endpointMoved(status, label),
): Outcome<never> {
  return status === 301 || status === 308 ? moved : outcomeOfWeather({ status }, intent, label);
}

export function endpointMoved(status: number, label: string): Failure {
  return {
    kind: 'rejected',
    code: 'endpoint_moved',
    reason: `${label} has moved its API (HTTP ${status}): correct the address of this connection.`,
  };
}

function unclear(intent: Intent, reason: string): Failure {
  return { kind: intent === 'read' ? 'unavailable' : 'unknown', reason };
}
