/** Interprets Forem's own 4xx responses: the outcome, and what the author can do. */
import type { HttpResponse } from '../http/exchange.ts';
import { type Intent, reject } from '../http/failures.ts';
import { readField } from '../http/read-field.ts';
import { quoteRefusal } from '../http/reason.ts';
import type { Failure } from '../types.ts';
import { LABEL } from './limits.ts';

/** `answer` is Forem's own: JSON with a 4xx status other than 429. */
export function interpretRefusal(answer: HttpResponse, intent: Intent, secrets: Record<string, string>): Failure {
  const words = quoteRefusal(readField(answer.json, 'error'), secrets);
  switch (answer.status) {
    case 401:
      return {
        kind: 'unauthorised',
        reason: `${LABEL} does not accept the API key. Create a new one in its settings and connect again.`,
      };
    case 403:
      return reject('forbidden', `${LABEL} forbids this: ${words}. Check what this account may do there.`);
    case 404:
      if (intent === 'update' || intent === 'withdraw') {
        return reject('remote_gone', `The post is no longer there on ${LABEL}, or belongs to another account.`);
      }
      return reject('not_found', 'There is no Forem API at this address. Correct the address of this connection.');
    case 413:
      return reject('body_too_large', `The article is too large for ${LABEL}. Shorten it.`);
    case 422: {
      const { code, sentence, ...rule } = explainContent(words);
      // Forem may save an article that it refuses to create (observed), so the delivery searches
      // for it first.
      return { ...reject(code, sentence), ...rule, ...(intent === 'create' ? { maybeSaved: true } : {}) };
    }
    default:
      return reject('refused', `${LABEL} refuses the request (HTTP ${answer.status}): ${words}.`);
  }
}

/** Forem rejects a title that the account used within the last five minutes. */
const TITLE_RULE_MS = 5 * 60_000 + 5_000;

function explainContent(words: string): { code: string; sentence: string; retryOnceAfterMs?: number } {
  if (/canonical url has already been taken/i.test(words)) {
    const sentence = `An article with this canonical URL is already published on ${LABEL}. If it is yours, remove it there.`;
    return { code: 'canonical_taken', sentence };
  }
  if (/used in the last five minutes/i.test(words)) {
    const sentence = `An article with this title was created on ${LABEL} less than five minutes ago.`;
    return { code: 'title_recently_used', sentence, retryOnceAfterMs: TITLE_RULE_MS };
  }
  return { code: 'invalid', sentence: `${LABEL} rejects the article: ${words}.` };
}
