/**
 * What the end of an exchange means for a delivery. The questions and their order are the same for every platform; a
 * platform adds only what it alone knows.
 */
import type { Failure, Outcome } from '../types.ts';
import type { Exchange, HttpAnswer, Redirect } from './exchange.ts';
import {
  type Intent,
  interpretForeignResponse,
  interpretMove,
  interpretNoResponse,
  interpretRateLimit,
  interpretServerError,
} from './failures.ts';
import { isObject } from './read-field.ts';

/** What a platform alone knows of its answers. */
export interface PlatformAnswers {
  label: string;
  now: () => Date;
  /** Values that must not be repeated in a reason. */
  secrets: Record<string, string>;
  /** True for the platform's own answer, false for one of something in between. Without it, any JSON object or list is its own. */
  isOwn?(answer: HttpAnswer): boolean;
  /** True where the platform's own answer refuses. Without it, any 4xx does. */
  isRefusal?(answer: HttpAnswer): boolean;
  /** What a refusal means; null for an internal error of the platform. */
  interpretRefusal(answer: HttpAnswer, intent: Intent, secrets: Record<string, string>): Failure | null;
  /** Answers that are valid from anybody and in any format, for example a proxy's 413. Asked first. */
  interpretAnyway?(answer: HttpAnswer): Failure | null;
  /** A permanent redirect, in words of the platform's own; null for the common ones. */
  interpretMove?(redirect: Redirect): Failure | null;
  /** Set where a temporary redirect means a move too. */
  isAlwaysMove?: boolean;
}

/** `done` with the platform's own answer to a request that it carried out. */
export function interpret(ended: Exchange, intent: Intent, platform: PlatformAnswers): Outcome<HttpAnswer> {
  const { label } = platform;
  if (ended.kind === 'redirect') return interpretRedirect(ended, intent, platform);
  if (ended.kind !== 'answer') return interpretNoResponse(ended, intent, label);
  const anyway = platform.interpretAnyway?.(ended);
  if (anyway) return anyway;
  // Often from a proxy, and valid from anybody: nothing has been done by then.
  if (ended.status === 429) return interpretRateLimit(ended, label, platform.now());
  const isOwn = platform.isOwn ?? (({ json }) => isObject(json));
  if (!isOwn(ended)) return interpretForeignResponse(ended, intent, label);
  const isRefusal = platform.isRefusal ?? (({ status }) => status >= 400 && status < 500);
  const refusal = isRefusal(ended) ? platform.interpretRefusal(ended, intent, platform.secrets) : undefined;
  if (refusal) return refusal;
  if (refusal === null || ended.status >= 500) return interpretServerError(ended, intent, label, platform.now());
  return { kind: 'done', value: ended };
}

/**
 * Redirects are not followed: the credential would go along. A permanent one means that the API has moved; a temporary
 * one is a login page or the like in its place.
 */
function interpretRedirect(redirect: Redirect, intent: Intent, platform: PlatformAnswers): Failure {
  const { status } = redirect;
  const isMove = status === 301 || status === 308 || platform.isAlwaysMove;
  if (!isMove) return interpretForeignResponse(redirect, intent, platform.label);
  return platform.interpretMove?.(redirect) ?? interpretMove(redirect, platform.label);
}
