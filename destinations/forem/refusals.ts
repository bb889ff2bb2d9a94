/** Interprets Forem's own 4xx responses: the outcome, and what the author can do. */
import type { HttpResponse } from '../http/exchange.ts';
import { type Intent, interpretStatus, reject, rejectArticle, rejectToken } from '../http/failures.ts';
import { readField } from '../http/read-field.ts';
import { quoteRefusal } from '../http/reason.ts';
import type { Failure } from '../types.ts';
import { LABEL } from './limits.ts';

/** Forem rejects a title that the account used within the last five minutes. */
const TITLE_RULE_MS = 5 * 60_000 + 5_000;

/** `answer` is Forem's own: JSON with a 4xx status other than 429. */
export function interpretRefusal(answer: HttpResponse, intent: Intent, secrets: Record<string, string>): Failure {
  const words = quoteRefusal(readField(answer.json, 'error'), secrets);
  if (answer.status === 401) {
    return rejectToken(`${LABEL} does not accept the API key. Create a new one in its settings and connect again.`);
  }
  if (answer.status !== 422) return interpretStatus(answer, intent, LABEL, words);
  // Forem may save an article that it refuses (observed), so it is searched for first.
  const saved = intent === 'create' ? { mayBeSaved: true } : {};
  if (/canonical url has already been taken/i.test(words)) {
    const sentence = `An article with this canonical URL is already published on ${LABEL}. If it is yours, remove it there.`;
    return { ...reject('canonical_taken', sentence), ...saved };
  }
  if (/used in the last five minutes/i.test(words)) {
    const sentence = `An article with this title was created on ${LABEL} less than five minutes ago.`;
    return { ...reject('title_recently_used', sentence), ...saved, retryOnceAfterMs: TITLE_RULE_MS };
  }
  return rejectArticle(LABEL, words, intent);
}
