/** One exchange with LinkedIn's versioned API, and what its answer means whatever was asked. */

import { contextOf } from '../http/context.ts';
import { type Exchange, exchange, type HttpAnswer, type HttpRequest } from '../http/exchange.ts';
import { isObject } from '../http/json-fields.ts';
import {
  type Intent,
  outcomeOfRateLimit,
  outcomeOfRedirect,
  outcomeOfServerError,
  outcomeOfSilence,
  outcomeOfWeather,
} from '../http/outcomes.ts';
import type { ClientOptions, Outcome } from '../types.ts';
import { LINKEDIN_LABEL, LINKEDIN_VERSION } from './limits.ts';
import { outcomeOfRefusal, outcomeOfVersion } from './refusals.ts';

/** `path` is below the API's address. */
export type LinkedinRequest = Omit<HttpRequest, 'url'> & { path: string };

export function sendLinkedin(options: ClientOptions, { path, ...request }: LinkedinRequest): Promise<Exchange> {
  const headers = {
    ...authorization(options),
    'linkedin-version': versionOf(options),
    'x-restli-protocol-version': '2.0.0',
    ...request.headers,
  };
  const url = `${options.connection.baseUrl.replace(/\/+$/, '')}${path}`;
  return exchange({ ...request, url, headers }, contextOf(options));
}

export function authorization({ connection }: ClientOptions): Record<string, string> {
  return { authorization: `Bearer ${connection.credentials.accessToken ?? ''}` };
}

/** `done` for a 2xx that is JSON or has no body at all, which is how LinkedIn answers a write. */
export function judgeLinkedin(ended: Exchange, intent: Intent, options: ClientOptions): Outcome<HttpAnswer> {
  if (ended.kind === 'redirect') return outcomeOfRedirect(ended, intent, LINKEDIN_LABEL);
  if (ended.kind !== 'answer') return outcomeOfSilence(ended, intent, LINKEDIN_LABEL);
  // A daily quota, and no word of when it ends: how long to wait is for whoever counts the tries.
  if (ended.status === 429) return outcomeOfRateLimit(ended, LINKEDIN_LABEL, options.now());
  const isEmpty = ended.bytes.length === 0 && ended.status < 300;
  if (!isEmpty && !isObject(ended.json)) return outcomeOfWeather(ended, intent, LINKEDIN_LABEL);
  if (ended.status >= 500) return outcomeOfServerError(ended, intent, LINKEDIN_LABEL, options.now());
  if (ended.status === 426) return outcomeOfVersion(versionOf(options));
  if (ended.status >= 400) {
    const { accessToken = '' } = options.connection.credentials;
    return outcomeOfRefusal(ended, intent, { accessToken });
  }
  return { kind: 'done', value: ended };
}

function versionOf(options: ClientOptions): string {
  const { apiVersion = '' } = options.connection.credentials;
  return /^\d{6}$/.test(apiVersion) ? apiVersion : LINKEDIN_VERSION;
}
