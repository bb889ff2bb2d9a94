/** Interprets the end of an exchange by checks in one order, and the platform's own rules. */
import type { Failure, Outcome } from '../types.ts';
import type { Exchange, HttpResponse, Redirect } from './exchange.ts';
import {
  type Intent,
  interpretForeignResponse,
  interpretMove,
  interpretNoResponse,
  interpretRateLimit,
  interpretServerError,
} from './failures.ts';
import { isObject } from './read-field.ts';

/** A platform's own rules for its responses. */
export interface ResponseRules {
  label: string;
  now: () => Date;
  /** Values that must not be repeated in a reason. */
  secrets: Record<string, string>;
  /** True for the platform's own response. Default: any JSON object or list. */
  isPlatformResponse?(answer: HttpResponse): boolean;
  /** True if the platform's own response refuses. Default: any 4xx does. */
  isRefusal?(answer: HttpResponse): boolean;
  /** Interprets a refusal. Null for an internal error of the platform. */
  interpretRefusal(answer: HttpResponse, intent: Intent, secrets: Record<string, string>): Failure | null;
  /** Interprets responses that are valid from any sender, such as a proxy's 413. Called first. */
  interpretFromAnySender?(answer: HttpResponse): Failure | null;
  /** Interprets a permanent redirect with the platform's own message. Null for the common one. */
  interpretMove?(redirect: Redirect): Failure | null;
  /** Set if a temporary redirect also means a move. */
  isAlwaysMove?: boolean;
}

/** Returns `done` with the platform's own response to a request that it carried out. */
export function interpret(ended: Exchange, intent: Intent, platform: ResponseRules): Outcome<HttpResponse> {
  const { label } = platform;
  if (ended.kind === 'redirect') return interpretRedirect(ended, intent, platform);
  if (ended.kind !== 'answer') return interpretNoResponse(ended, intent, label);
  const fromAnySender = platform.interpretFromAnySender?.(ended);
  if (fromAnySender) return fromAnySender;
  // Often from a proxy, and valid from any sender: the request had no effect.
  if (ended.status === 429) return interpretRateLimit(ended, label, platform.now());
  const isPlatformResponse = platform.isPlatformResponse ?? (({ json }) => isObject(json));
  if (!isPlatformResponse(ended)) return interpretForeignResponse(ended, intent, label);
  const isRefusal = platform.isRefusal ?? (({ status }) => status >= 400 && status < 500);
  const refusal = isRefusal(ended) ? platform.interpretRefusal(ended, intent, platform.secrets) : undefined;
  if (refusal) return refusal;
  if (refusal === null || ended.status >= 500) return interpretServerError(ended, intent, label, platform.now());
  return { kind: 'done', value: ended };
}

/** Not followed with a credential. A permanent one is a move, a temporary one a login page. */
function interpretRedirect(redirect: Redirect, intent: Intent, platform: ResponseRules): Failure {
  const { status } = redirect;
  const isMove = status === 301 || status === 308 || platform.isAlwaysMove;
  if (!isMove) return interpretForeignResponse(redirect, intent, platform.label);
  return platform.interpretMove?.(redirect) ?? interpretMove(redirect, platform.label);
}
