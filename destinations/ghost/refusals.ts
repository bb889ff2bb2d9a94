/** What Ghost's own 4xx answers mean for a delivery, and what an author can do about each. */

import type { HttpAnswer } from '../http/exchange.ts';
import { field } from '../http/json-fields.ts';
import type { Intent } from '../http/outcomes.ts';
import { authorReason, quoteRemote } from '../http/reason.ts';
import type { Outcome } from '../types.ts';

type Refusal = Exclude<Outcome<never>, { kind: 'done' }>;

interface GhostError {
  message: string;
  context: string;
  code: string;
}

/** The first of `errors[]`, which every error of Ghost's own has; null where it is not Ghost that speaks. */
export function readError(json: unknown): GhostError | null {
  const errors = field(json, 'errors');
  const first: unknown = Array.isArray(errors) ? errors[0] : undefined;
  if (first === null || typeof first !== 'object') return null;
  const text = (name: string) => {
    const value = (first as Record<string, unknown>)[name];
    return typeof value === 'string' ? value : '';
  };
  return { message: text('message'), context: text('context'), code: text('code') };
}

/** `answer` has a 4xx status other than 429. `secrets` are blotted out of what is quoted. */
export function outcomeOfRefusal(
  answer: HttpAnswer,
  error: GhostError,
  intent: Intent,
  secrets: Record<string, string>,
): Refusal {
  // The context says what is wrong, the message that something is.
  const said = [error.message, error.context].filter((text, index, all) => all.indexOf(text) === index).join(' ');
  const words = quoteRemote(said.trim(), secrets) || 'no reason';
  const reject = (code: string, sentence: string): Refusal => ({
    kind: 'rejected',
    code,
    reason: authorReason(sentence, secrets),
  });
  switch (answer.status) {
    case 401:
      return {
        kind: 'unauthorised',
        reason: authorReason(
          `Ghost does not accept the Admin API key: ${words}. Copy it anew from the integration there and connect again.`,
          secrets,
        ),
      };
    case 403:
      return reject('forbidden', `Ghost forbids this: ${words}. Check what its plan and this integration allow.`);
    case 404:
      if (intent === 'update' || intent === 'withdraw') return postGone();
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
    case 413:
      return tooLarge();
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

export function postGone(): Refusal {
  return { kind: 'rejected', code: 'remote_gone', reason: 'The post is no longer there on Ghost.' };
}

export function tooLarge(): Refusal {
  const reason = 'Ghost, or what stands before it, finds the article too large: shorten it.';
  return { kind: 'rejected', code: 'body_too_large', reason };
}
