/** Interprets Ghost's own 4xx responses: the outcome, and what the author can do. */
import type { HttpResponse, Redirect } from '../http/exchange.ts';
import { type Intent, interpretStatus, reject, rejectArticle, rejectToken, rejectTooLarge } from '../http/failures.ts';
import { isObject, readField, readText } from '../http/read-field.ts';
import { quoteRefusal } from '../http/reason.ts';
import type { Failure } from '../types.ts';
import { LABEL } from './limits.ts';

export const REFUSED_KEY = rejectToken(
  'This is not a Ghost Admin API key, which has 24 characters, a colon and 64 characters. Copy the key from the custom integration in Ghost’s settings.',
);

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
      return rejectToken(
        `Ghost does not accept the Admin API key: ${words}. Copy it again from the integration there and connect again.`,
      );
    case 406:
      return reject(
        'version_mismatch',
        `This Ghost does not support the request: ${words}. Courant requires Ghost 5 or later.`,
      );
    case 409:
      return reject('collision', 'Someone is editing the post on Ghost.');
    case 422:
      return rejectArticle(LABEL, words, intent);
    default:
      return interpretStatus(answer, intent, LABEL, words, 'Check what its plan and this integration allow.');
  }
}

/** A 413 may come from Ghost or from a proxy in front of it, in any format. */
export function interpretFromAnySender({ status }: HttpResponse): Failure | null {
  return status === 413 ? rejectTooLarge(LABEL) : null;
}

/** The author has to enter the target's address. Null if the redirect names none. */
export function interpretMove({ status, location }: Redirect): Failure | null {
  const target = location !== null && URL.canParse(location) ? new URL(location) : null;
  if (target === null || !/^https?:$/.test(target.protocol)) return null;
  const newAddress = `${target.origin}${target.pathname.replace(/\/ghost(?:\/.*)?$/, '')}`;
  return reject(
    'endpoint_moved',
    `This address redirects to ${newAddress} (HTTP ${status}): enter the address at which Ghost’s admin area opens.`,
  );
}

function readFirstError(json: unknown): unknown {
  const errors = readField(json, 'errors');
  return Array.isArray(errors) ? errors[0] : undefined;
}
