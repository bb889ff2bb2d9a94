/** What Forem's own 4xx answers mean for a delivery, and what an author can do about each. */
import type { HttpAnswer } from '../http/exchange.ts';
import type { Intent } from '../http/outcomes.ts';
import { authorReason, quoteRemote } from '../http/reason.ts';
import type { Outcome } from '../types.ts';

type Refusal = Exclude<Outcome<never>, { kind: 'done' }>;

/** `answer` has a 4xx status other than 429 and a JSON body, so it is Forem that speaks. */
export function outcomeOfRefusal(answer: HttpAnswer, intent: Intent, secrets: Record<string, string>): Refusal {
  const words = quoteRemote((answer.json as Record<string, unknown>).error, secrets);
  const reject = (code: string, sentence: string, maybeSaved = false): Refusal => {
    const reason = authorReason(sentence.replace('{words}', words || 'no reason'), secrets);
    return maybeSaved ? { kind: 'rejected', code, reason, maybeSaved } : { kind: 'rejected', code, reason };
  };
  switch (answer.status) {
    case 401:
      return {
        kind: 'unauthorised',
        reason: 'DEV / Forem does not accept the API key. Make a new one in its settings and connect again.',
      };
    case 403:
      return reject('forbidden', 'DEV / Forem forbids this: {words}. Check what this account may do there.');
    case 404:
      if (intent === 'update' || intent === 'withdraw') {
        return reject('remote_gone', 'The post is no longer there on DEV / Forem, or belongs to another account.');
      }
      return reject('not_found', 'There is no Forem API at this address: correct the address of this connection.');
    case 413:
      return reject('body_too_large', 'DEV / Forem finds the article too large: shorten it.');
    case 422:
      return refusedContent(words, intent, reject);
    default:
      return reject('refused', `DEV / Forem refuses the request (HTTP ${answer.status}): {words}.`);
  }
}

/** A refused create may have been saved all the same (seen at Forem): the delivery looks before it gives up. */
function refusedContent(
  words: string,
  intent: Intent,
  reject: (code: string, sentence: string, maybeSaved?: boolean) => Refusal,
): Refusal {
  const maybeSaved = intent === 'create';
  if (/canonical url has already been taken/i.test(words)) {
    const sentence =
      'An article with this canonical URL is already published on DEV / Forem. If it is yours, remove it there.';
    return reject('canonical_taken', sentence, maybeSaved);
  }
  if (/used in the last five minutes/i.test(words)) {
    const sentence = 'An article with this title was created on DEV / Forem less than five minutes ago.';
    return reject('title_recently_used', sentence, maybeSaved);
  }
  return reject('invalid', 'DEV / Forem refuses the article: {words}.', maybeSaved);
}
