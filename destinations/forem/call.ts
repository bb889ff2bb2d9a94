/** One exchange with Forem's REST API v1, and what its answer means. */
import { contextOf } from '../http/context.ts';
import { type Exchange, exchange, type HttpAnswer, type HttpRequest } from '../http/exchange.ts';
import {
  type Intent,
  outcomeOfRateLimit,
  outcomeOfRedirect,
  outcomeOfServerError,
  outcomeOfSilence,
  outcomeOfWeather,
} from '../http/outcomes.ts';
import type { ClientOptions, Outcome } from '../types.ts';
import { FOREM_LABEL } from './limits.ts';
import { outcomeOfRefusal } from './refusals.ts';

/** Articles carry their whole body, up to 800 KiB, as text and again as HTML; ten of them always fit. */
export const ARTICLES_MAX_BYTES = 32 * 1024 * 1024;

/** Authors give the site (`https://dev.to`) or its API (`https://dev.to/api`); both lead to the latter. */
export function endpoint(options: ClientOptions, path: string): string {
  const base = options.connection.baseUrl.replace(/\/+$/, '');
  return `${base.endsWith('/api') ? base : `${base}/api`}${path}`;
}

export function send(options: ClientOptions, request: HttpRequest): Promise<Exchange> {
  const headers = {
    'api-key': options.connection.credentials.apiKey ?? '',
    accept: 'application/vnd.forem.api-v1+json',
  };
  return exchange({ ...request, headers }, contextOf(options));
}

/** `done` for a 2xx whose body is JSON. */
export function judge(ended: Exchange, intent: Intent, options: ClientOptions): Outcome<HttpAnswer> {
  if (ended.kind === 'redirect') return outcomeOfRedirect(ended, intent, FOREM_LABEL);
  if (ended.kind !== 'answer') return outcomeOfSilence(ended, intent, FOREM_LABEL);
  // The edge says it in plain text, the application in JSON; neither has done anything by then.
  if (ended.status === 429) return outcomeOfRateLimit(ended, FOREM_LABEL, options.now());
  if (ended.json === null || typeof ended.json !== 'object') {
    return outcomeOfWeather(ended, intent, FOREM_LABEL);
  }
  if (ended.status >= 500) return outcomeOfServerError(ended, intent, FOREM_LABEL, options.now());
  if (ended.status >= 400) return outcomeOfRefusal(ended, intent, options.connection.credentials);
  return { kind: 'done', value: ended };
}
