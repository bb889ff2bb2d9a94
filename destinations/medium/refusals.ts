/** Interprets Medium's own errors: the outcome, and what the author can do. */
import type { HttpResponse, Redirect } from '../http/exchange.ts';
import { type Intent, interpretStatus, reject, rejectToken } from '../http/failures.ts';
import { readField } from '../http/read-field.ts';
import { quoteRefusal } from '../http/reason.ts';
import type { Failure } from '../types.ts';
import { CHALLENGE_WAIT_MS, DAILY_WAIT_MS, LABEL, MAX_CHALLENGE_ATTEMPTS } from './limits.ts';

/** `answer` is Medium's own: JSON with a 4xx status. */
export function interpretRefusal(answer: HttpResponse, intent: Intent, secrets: Record<string, string>): Failure {
  const { message, code } = readFirstError(answer.json);
  const words = quoteRefusal(message, secrets);
  if (answer.status === 401 || (code >= 6000 && code <= 6003)) {
    return rejectToken(
      'Medium does not accept the integration token. Medium issues no new tokens: connect again if you have another one.',
    );
  }
  if (code === 6004) return reject('account_unknown', 'Medium no longer recognises this account. Connect it again.');
  if (code === 6005) {
    return rejectToken('Medium no longer recognises the application of this token. Connect again with another token.');
  }
  const isKnown = [403, 404, 413].includes(answer.status) || intent !== 'create';
  return isKnown
    ? interpretStatus(answer, intent, LABEL, words)
    : reject('invalid', `Medium refuses the article: ${words}.`);
}

/** Interprets responses that are recognised by their text or headers, and any 410. */
export function interpretFromAnySender(answer: HttpResponse): Failure | null {
  if (isDailyLimit(answer)) {
    const reason = 'Medium accepts no more posts from this account today (about ten in 24 hours).';
    return { kind: 'rateLimited', retryAfterMs: DAILY_WAIT_MS, reason };
  }
  if (isChallenge(answer)) {
    const reason =
      'Cloudflare in front of Medium blocks this server. Publish again later, or post the article on Medium manually.';
    return { kind: 'unavailable', reason, retryAfterMs: CHALLENGE_WAIT_MS, maxAttempts: MAX_CHALLENGE_ATTEMPTS };
  }
  return answer.status === 410 ? rejectRetired(answer) : null;
}

/** Medium may switch its API off. A permanent redirect or a 410 would show that. */
export function rejectRetired({ status }: HttpResponse | Redirect): Failure {
  return reject(
    'endpoint_moved',
    `Medium has closed or moved its API (HTTP ${status}). Publish there manually, or correct the address of this connection.`,
  );
}

/**
 * Cloudflare requires a browser. The request did not reach Medium, and the token may be valid.
 * Cloudflare's 502 and 504 have other pages: Medium may have received the request then.
 */
function isChallenge({ status, headers, json, bytes }: HttpResponse): boolean {
  if (status >= 400 && headers['cf-mitigated'] !== undefined) return true;
  if (![403, 429, 503].includes(status) || headers['cf-ray'] === undefined || json !== undefined) return false;
  return /just a moment|attention required|challenge-platform|cf-chl/i.test(readStart(bytes));
}

/** The status of Medium's daily limit is not documented, so the message is matched. */
function isDailyLimit(answer: HttpResponse): boolean {
  if (answer.status < 400) return false;
  return /reached the rate limit for publishing/i.test(readStart(answer.bytes));
}

function readStart(bytes: Uint8Array): string {
  return Buffer.from(bytes.subarray(0, 4096)).toString('utf8');
}

function readFirstError(json: unknown): { message: unknown; code: number } {
  const errors = readField(json, 'errors');
  const first = Array.isArray(errors) ? (errors[0] as unknown) : undefined;
  const code = readField(first, 'code');
  return { message: readField(first, 'message'), code: typeof code === 'number' ? code : 0 };
}
