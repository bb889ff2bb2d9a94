/** Interprets LinkedIn's own errors: the outcome, and what the author or the operator can do. */
import type { HttpResponse } from '../http/exchange.ts';
import { type Intent, interpretStatus, reject, rejectToken } from '../http/failures.ts';
import { isObject, readField, readText } from '../http/read-field.ts';
import { quoteRefusal } from '../http/reason.ts';
import { parseRetryAfter } from '../http/retry-after.ts';
import type { Failure } from '../types.ts';
import { LABEL } from './limits.ts';

/** The first two identify the person. The others allow posts by a person and by a page. */
const SCOPES = 'openid, profile and w_member_social (w_organization_social for a page)';
/** An ended version stays ended: the operator has to set another one. */
const VERSION_WAIT_MS = 60 * 60 * 1000;

/** `answer` is LinkedIn's own: JSON with a 4xx status. */
export function interpretRefusal(answer: HttpResponse, intent: Intent, secrets: Record<string, string>): Failure {
  const words = quoteRefusal(
    listMessages(answer.json).find((text) => text.trim() !== ''),
    secrets,
  );
  switch (answer.status) {
    case 401:
      return rejectToken('LinkedIn does not accept the access token, which is valid for 60 days. Connect again.');
    case 403:
      return reject(
        'forbidden',
        `LinkedIn does not allow this connection to do this. It needs the permissions ${SCOPES}: connect again with them. LinkedIn reports: ${words}.`,
      );
    case 404:
      return interpretStatus(answer, intent, LABEL, words);
    default:
      if (isDuplicate(answer)) {
        return reject(
          'duplicate_post',
          'LinkedIn already has an identical post and does not identify it. Check your posts there.',
        );
      }
      if (intent === 'create') return reject('invalid', `LinkedIn refuses the post: ${words}.`);
      return reject('refused', `LinkedIn refuses the request (HTTP ${answer.status}): ${words}.`);
  }
}

/** A daily quota ends at 00:00 UTC, which the response omits. Null for any other. */
export function interpretDailyQuota(answer: HttpResponse, now: Date): Failure | null {
  if (answer.status !== 429 || parseRetryAfter(answer.headers['retry-after'], now) !== null) return null;
  if (!listMessages(answer.json).some((text) => DAILY.test(text))) return null;
  const untilMidnightMs = DAY_MS - (now.getTime() % DAY_MS);
  const reason = 'LinkedIn accepts no more requests from this account today; its day ends at 00:00 UTC.';
  return { kind: 'rateLimited', retryAfterMs: untilMidnightMs + CLOCK_TOLERANCE_MS, reason };
}

/** "Resource level throttle MEMBER DAY limit for calls to this resource is reached." */
const DAILY = /\bday limit\b|\bdaily\b|\bapplication[ -]level throttle\b/i;
const DAY_MS = 24 * 60 * 60 * 1000;
/** Tolerance for the difference between both clocks. */
const CLOCK_TOLERANCE_MS = 60 * 1000;

/** An ended version affects every author, and none can change it, so deliveries wait. */
export function interpretEndedVersion(version: string): Failure {
  return {
    kind: 'unavailable',
    reason: `LinkedIn has ended version ${version} of its API. The operator of this server must set a newer one; deliveries wait until then.`,
    retryAfterMs: VERSION_WAIT_MS,
  };
}

/** True if LinkedIn refuses a post because an identical one exists. */
export function isDuplicate({ status, json }: HttpResponse): boolean {
  if (status !== 422 && status !== 400) return false;
  const codes = [readField(json, 'code'), ...listInputErrors(json).map((error) => readField(error, 'code'))];
  return (
    codes.includes('DUPLICATE_POST') ||
    listMessages(json).some((text) => /content is a duplicate of urn:li:/i.test(text))
  );
}

/** All messages in a response, the most general first. */
export function listMessages(json: unknown): string[] {
  const texts = [readText(json, 'message'), ...listInputErrors(json).map((error) => readText(error, 'description'))];
  return texts.filter((text) => text !== null).map((text) => text.slice(0, 4000));
}

function listInputErrors(json: unknown): unknown[] {
  const errors = readField(json, 'errorDetails', 'inputErrors');
  return Array.isArray(errors) ? errors.slice(0, 20).filter(isObject) : [];
}
