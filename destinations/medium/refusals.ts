/** What Medium's own error answers mean for a delivery, and what an author can do about each. */

import type { HttpAnswer } from '../http/exchange.ts';
import { field } from '../http/json-fields.ts';
import type { Intent } from '../http/outcomes.ts';
import { authorReason, quoteRemote } from '../http/reason.ts';
import type { Outcome } from '../types.ts';
import { MEDIUM_DAILY_WAIT_MS } from './limits.ts';

type Refusal = Exclude<Outcome<never>, { kind: 'done' }>;

/** `answer` has a 4xx status and a JSON body, so it is Medium that speaks. */
export function outcomeOfRefusal(answer: HttpAnswer, intent: Intent, secrets: Record<string, string>): Refusal {
  const [error] = readErrors(answer.json);
  const words = quoteRemote(error?.message, secrets) || 'no reason given';
  const reject = (code: string, sentence: string): Refusal => ({
    kind: 'rejected',
    code,
    reason: authorReason(sentence, secrets),
  });
  const code = error?.code ?? 0;
  if (answer.status === 401 || (code >= 6000 && code <= 6003)) {
    const reason =
      'Medium does not accept the integration token. It gives out no new ones: connect again if you have another.';
    return { kind: 'unauthorised', reason };
  }
  if (code === 6004) return reject('account_unknown', 'Medium does not know this account any more: connect it again.');
  if (code === 6005) {
    const reason = 'Medium no longer knows the application that this token was made for: connect again with another.';
    return { kind: 'unauthorised', reason };
  }
  switch (answer.status) {
    case 403:
      return reject('forbidden', `Medium forbids this: ${words}. Check what this account may do there.`);
    case 404:
      return reject('not_found', 'There is no Medium API at this address: correct the address of this connection.');
    case 413:
      return reject('body_too_large', 'Medium finds the article too large: shorten it.');
    default:
      if (intent === 'create') return reject('invalid', `Medium refuses the article: ${words}.`);
      return reject('refused', `Medium refuses the request (HTTP ${answer.status}): ${words}.`);
  }
}

/** No source says with which status Medium tells of its daily limit, so its words count. */
export function isDailyLimit(answer: HttpAnswer): boolean {
  if (answer.status < 400) return false;
  const text = Buffer.from(answer.bytes.subarray(0, 4096)).toString('utf8');
  return /reached the rate limit for publishing/i.test(text);
}

export function outcomeOfDailyLimit(): Refusal {
  const reason = 'Medium takes no more posts from this account today (about ten in 24 hours).';
  return { kind: 'rateLimited', retryAfterMs: MEDIUM_DAILY_WAIT_MS, reason };
}

/** Cloudflare in front of Medium wants to see a browser. The request got no further, and the token may be good. */
export function outcomeOfChallenge(): Refusal {
  return { kind: 'unavailable', reason: 'The guard in front of Medium does not let this server through at present.' };
}

/** The API is no longer supported; this is how its end will look. */
export function outcomeOfRetirement(status: number): Refusal {
  return {
    kind: 'rejected',
    code: 'endpoint_moved',
    reason: `Medium has closed or moved its API (HTTP ${status}): publish there by hand, or correct the address of this connection.`,
  };
}

interface MediumError {
  message: unknown;
  code: number;
}

function readErrors(json: unknown): MediumError[] {
  const errors = field(json, 'errors');
  if (!Array.isArray(errors)) return [];
  return errors.map((entry: Record<string, unknown> | null) => ({
    message: entry?.message,
    code: typeof entry?.code === 'number' ? entry.code : 0,
  }));
}
