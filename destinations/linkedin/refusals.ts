/** What LinkedIn's own error answers mean for a delivery, and what an author or the operator can do about each. */
import type { HttpAnswer } from '../http/exchange.ts';
import type { Intent } from '../http/outcomes.ts';
import { authorReason, quoteRemote } from '../http/reason.ts';
import type { Outcome } from '../types.ts';

type Refusal = Exclude<Outcome<never>, { kind: 'done' }>;

const URN = /urn:li:(?:share|ugcPost):\d{1,30}/;
/** The first two say whose token it is, the others let it post: for a person, for a page. */
const SCOPES = 'openid, profile and w_member_social (w_organization_social for a page)';
/** Versions do not come back by themselves; somebody has to look. */
const VERSION_WAIT_MS = 60 * 60 * 1000;

/** `answer` has a 4xx status and a JSON body, so it is LinkedIn that speaks. */
export function outcomeOfRefusal(answer: HttpAnswer, intent: Intent, secrets: Record<string, string>): Refusal {
  const words =
    quoteRemote(
      messagesOf(answer.json).find((text) => text.trim() !== ''),
      secrets,
    ) || 'no reason given';
  const reject = (code: string, sentence: string): Refusal => ({
    kind: 'rejected',
    code,
    reason: authorReason(sentence, secrets),
  });
  switch (answer.status) {
    case 401:
      return {
        kind: 'unauthorised',
        reason: 'LinkedIn does not accept the access token, which lives for 60 days. Connect again.',
      };
    case 403:
      return reject(
        'forbidden',
        `LinkedIn does not let this connection do it. It needs the permissions ${SCOPES}: connect again with them. LinkedIn says: ${words}.`,
      );
    case 404:
      if (intent === 'withdraw') return reject('remote_gone', 'The post is no longer there on LinkedIn.');
      return reject('not_found', 'There is no LinkedIn API at this address: correct the address of this connection.');
    default:
      if (isDuplicate(answer)) {
        return reject(
          'duplicate_post',
          'LinkedIn has an identical post already and does not say which: look at yours there.',
        );
      }
      if (intent === 'create') return reject('invalid', `LinkedIn refuses the post: ${words}.`);
      return reject('refused', `LinkedIn refuses the request (HTTP ${answer.status}): ${words}.`);
  }
}

/** A month version that has ended concerns every author and none of them can help it: what waits, waits. */
export function outcomeOfVersion(version: string): Refusal {
  return {
    kind: 'unavailable',
    reason: `LinkedIn has ended version ${version} of its API: the operator of this server has to set a newer one. Nothing is lost meanwhile.`,
    retryAfterMs: VERSION_WAIT_MS,
  };
}

/**
 * The URN of the identical post that LinkedIn quotes when it refuses a second one: it is the one already made. After a
 * deletion it may name a post that is gone, for a day or two; nothing that an ordinary permission allows tells the two
 * apart.
 */
export function duplicateOf(answer: HttpAnswer): string | null {
  if (!isDuplicate(answer)) return null;
  return (
    messagesOf(answer.json)
      .map((text) => URN.exec(text)?.[0])
      .find((urn) => urn !== undefined) ?? null
  );
}

function isDuplicate(answer: HttpAnswer): boolean {
  if (answer.status !== 422 && answer.status !== 400) return false;
  const body = answer.json as { code?: unknown };
  return (
    body.code === 'DUPLICATE_POST' ||
    inputErrors(answer.json).some(({ code }) => code === 'DUPLICATE_POST') ||
    messagesOf(answer.json).some((text) => /content is a duplicate of urn:li:/i.test(text))
  );
}

/** All that an answer says in words, the nearest first. */
function messagesOf(json: unknown): string[] {
  const { message } = (json ?? {}) as { message?: unknown };
  const texts = [message, ...inputErrors(json).map(({ description }) => description)];
  return texts.filter((text): text is string => typeof text === 'string').map((text) => text.slice(0, 4000));
}

function inputErrors(json: unknown): { code?: unknown; description?: unknown }[] {
  const { errorDetails } = (json ?? {}) as { errorDetails?: { inputErrors?: unknown } | null };
  const errors = errorDetails?.inputErrors;
  if (!Array.isArray(errors)) return [];
  return errors.slice(0, 20).filter((entry) => entry !== null && typeof entry === 'object');
}
