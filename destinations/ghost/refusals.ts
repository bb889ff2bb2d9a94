/** What Ghost's own 4xx answers mean for a delivery, and what an author can do about each. */

import type { HttpAnswer, Redirect } from '../http/exchange.ts';
import { type Intent, reject } from '../http/failures.ts';
import { isObject, readField, readText } from '../http/read-field.ts';
import { formatReason, quoteRefusal } from '../http/reason.ts';
import type { Failure } from '../types.ts';

/** Every error of Ghost's own has `errors[]`. */
export function hasError(json: unknown): boolean {
  return isObject(readFirstError(json));
}

/** `answer` has a 4xx status other than 413 and 429, and an error of Ghost's own. */
export function interpretRefusal(answer: HttpAnswer, intent: Intent, secrets: Record<string, string>): Failure {
  const error = readFirstError(answer.json);
  // The context says what is wrong, the message that something is.
  const said = new Set([readText(error, 'message') ?? '', readText(error, 'context') ?? '']);
  const words = quoteRefusal([...said].join(' ').trim(), secrets);
  switch (answer.status) {
    case 401:
      return {
        kind: 'unauthorised',
        reason: formatReason(
          `Ghost does not accept the Admin API key: ${words}. Copy it anew from the integration there and connect again.`,
        ),
      };
    case 403:
      return reject('forbidden', `Ghost forbids this: ${words}. Check what its plan and this integration allow.`);
    case 404:
      if (intent === 'update' || intent === 'withdraw') return rejectGone();
      return reject(
        'not_found',
        'There is no Ghost Admin API at this address: correct the address of this connection.',
      );
    case 406:
      return reject(
        'version_mismatch',
        `This Ghost does not know the request: ${words}. Courant speaks to Ghost 5 and later.`,
      );
    case 409:
      return reject('collision', 'The post is being edited on Ghost.');
    case 422:
      return {
        ...reject('invalid', `Ghost refuses the article: ${words}.`),
        // A post is checked before it is saved, but what runs after may refuse too, and a second post would only get
        // another slug: better to look.
        ...(intent === 'create' ? { maybeSaved: true } : {}),
      };
    default:
      return reject('refused', `Ghost refuses the request (HTTP ${answer.status}): ${words}.`);
  }
}

/** Said by Ghost or by the proxy before it, in whatever format, and true in all of them. */
export function interpretAnyway({ status }: HttpAnswer): Failure | null {
  if (status !== 413) return null;
  return reject('body_too_large', 'Ghost, or what stands before it, finds the article too large: shorten it.');
}

/** The token does not go along with a redirect, so the author has to name the place where it ends. Null where it names none. */
export function interpretMove({ status, location }: Redirect): Failure | null {
  const target = location !== null && URL.canParse(location) ? new URL(location) : null;
  if (target === null || !/^https?:$/.test(target.protocol)) return null;
  const place = `${target.origin}${target.pathname.replace(/\/ghost(?:\/.*)?$/, '')}`;
  return reject(
    'endpoint_moved',
    `This address of Ghost leads on to ${place} (HTTP ${status}): give the connection the address that its admin area ends at.`,
  );
}

export function rejectGone(): Failure {
  return reject('remote_gone', 'The post is no longer there on Ghost.');
}

function readFirstError(json: unknown): unknown {
  const errors = readField(json, 'errors');
  return Array.isArray(errors) ? errors[0] : undefined;
}
