/** Interprets Ghost's own 4xx responses: the outcome, and what the author can do. */
import type { HttpResponse, Redirect } from '../http/exchange.ts';
import { type Intent, reject } from '../http/failures.ts';
import { isObject, readField, readText } from '../http/read-field.ts';
import { formatReason, quoteRefusal } from '../http/reason.ts';
import type { Failure } from '../types.ts';

/** Every error of Ghost's own has `errors[]`. */
export function hasError(json: unknown): boolean {
  return isObject(readFirstError(json));
}

/** `answer` is Ghost's own: an error with a 4xx status other than 413 and 429. */
export function interpretRefusal(answer: HttpResponse, intent: Intent, secrets: Record<string, string>): Failure {
  const error = readFirstError(answer.json);
  // The message is general; the context names the cause.
  const messages = new Set([readText(error, 'message') ?? '', readText(error, 'context') ?? '']);
  const words = quoteRefusal([...messages].join(' ').trim(), secrets);
  switch (answer.status) {
    case 401:
      return {
        kind: 'unauthorised',
        reason: formatReason(
          `Ghost does not accept the Admin API key: ${words}. Copy it again from the integration there and connect again.`,
        ),
      };
    case 403:
      return reject('forbidden', `Ghost forbids this: ${words}. Check what its plan and this integration allow.`);
    case 404:
      if (intent === 'update' || intent === 'withdraw') return rejectDeleted();
      return reject(
        'not_found',
        'There is no Ghost Admin API at this address. Correct the address of this connection.',
      );
    case 406:
      return reject(
        'version_mismatch',
        `This Ghost does not support the request: ${words}. Courant requires Ghost 5 or later.`,
      );
    case 409:
      return reject('collision', 'Someone is editing the post on Ghost.');
    case 422:
      return {
        ...reject('invalid', `Ghost refuses the article: ${words}.`),
        // Ghost validates a post before it saves it, but later steps may refuse it too. A second
        // create would then succeed under another slug.
        ...(intent === 'create' ? { maybeSaved: true } : {}),
      };
    default:
      return reject('refused', `Ghost refuses the request (HTTP ${answer.status}): ${words}.`);
  }
}

/** A 413 may come from Ghost or from a proxy in front of it, in any format. */
export function interpretFromAnySender({ status }: HttpResponse): Failure | null {
  if (status !== 413) return null;
  return reject('body_too_large', 'The article is too large for Ghost, or for a proxy in front of it. Shorten it.');
}

/**
 * Redirects are not followed, so the author has to enter the target's address. Null if the redirect
 * names none.
 */
export function interpretMove({ status, location }: Redirect): Failure | null {
  const target = location !== null && URL.canParse(location) ? new URL(location) : null;
  if (target === null || !/^https?:$/.test(target.protocol)) return null;
  const newAddress = `${target.origin}${target.pathname.replace(/\/ghost(?:\/.*)?$/, '')}`;
  return reject(
    'endpoint_moved',
    `This address redirects to ${newAddress} (HTTP ${status}): enter the address at which Ghost’s admin area opens.`,
  );
}

export function rejectDeleted(): Failure {
  return reject('remote_gone', 'The post is no longer there on Ghost.');
}

function readFirstError(json: unknown): unknown {
  const errors = readField(json, 'errors');
  return Array.isArray(errors) ? errors[0] : undefined;
}
