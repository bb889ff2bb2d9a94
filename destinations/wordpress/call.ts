/** One request to a site's REST API, signed, and what its answer means. */

import { contextOf } from '../http/context.ts';
import { type Exchange, exchange, type HttpAnswer, type HttpRequest } from '../http/exchange.ts';
import { field } from '../http/json-fields.ts';
import {
  type Intent,
  outcomeOfRateLimit,
  outcomeOfRedirect,
  outcomeOfServerError,
  outcomeOfSilence,
  outcomeOfWeather,
} from '../http/outcomes.ts';
import type { ClientOptions, Outcome } from '../types.ts';
import { routeUrl } from './api-root.ts';
import { WORDPRESS_LABEL } from './limits.ts';
import { outcomeOfRefusal } from './refusals.ts';

export interface Call {
  method: 'GET' | 'POST';
  /** Below the API's root: `/wp/v2/posts`. */
  route: string;
  query?: Record<string, string>;
  body?: unknown;
  bytes?: Uint8Array;
  headers?: Record<string, string>;
  maxBytes?: number;
}

/** `done` for a 2xx whose body is JSON. */
export async function callWordPress(options: ClientOptions, call: Call, intent: Intent): Promise<Outcome<HttpAnswer>> {
  return judge(await sendToWordPress(options, call), intent, options);
}

export async function sendToWordPress(options: ClientOptions, call: Call): Promise<Exchange> {
  const authorization = basicAuthorization(options);
  if (authorization === null) return { kind: 'damagedCredential' };
  const { method, route, query, body, bytes, headers, maxBytes } = call;
  const request: HttpRequest = {
    method,
    url: routeUrl(options.connection.baseUrl, route, query),
    headers: { ...headers, authorization },
    ...(body === undefined ? {} : { body }),
    ...(bytes === undefined ? {} : { bytes }),
    ...(maxBytes === undefined ? {} : { maxBytes }),
  };
  return exchange(request, contextOf(options));
}

export function judge(ended: Exchange, intent: Intent, options: ClientOptions): Outcome<HttpAnswer> {
  if (ended.kind === 'redirect') return outcomeOfRedirect(ended, intent, WORDPRESS_LABEL);
  if (ended.kind !== 'answer') return outcomeOfSilence(ended, intent, WORDPRESS_LABEL);
  // Said by whatever stands in front of the site, in whatever format, and true in all of them: nothing was done.
  if (ended.status === 429) return outcomeOfRateLimit(ended, WORDPRESS_LABEL, options.now());
  if (ended.status === 413) {
    const reason =
      'The web server before WordPress finds the article too large: raise its limit or shorten the article.';
    return { kind: 'rejected', code: 'body_too_large', reason };
  }
  const { json } = ended;
  // A PHP warning in front of the JSON makes it none, and leaves open what was done.
  if (json === null || typeof json !== 'object') return outcomeOfWeather(ended, intent, WORDPRESS_LABEL);
  if (ended.status < 400) return { kind: 'done', value: ended };
  if (typeof field(json, 'code') !== 'string') return outcomeOfWeather(ended, intent, WORDPRESS_LABEL);
  if (ended.status >= 500) return outcomeOfServerError(ended, intent, WORDPRESS_LABEL, options.now());
  return outcomeOfRefusal(ended, intent, secretsOf(options));
}

/** Null where the credential holds what cannot be part of one. White space around it comes from pasting. */
function basicAuthorization({ connection }: ClientOptions): string | null {
  const username = (connection.credentials.username ?? '').trim();
  const password = (connection.credentials.applicationPassword ?? '').trim();
  if (/\p{Cc}/u.test(username + password) || username.includes(':')) return null;
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
}

/** The ways in which a site could repeat the password. The user's name is none, and stands in many a sentence. */
function secretsOf(options: ClientOptions): Record<string, string> {
  const password = (options.connection.credentials.applicationPassword ?? '').trim();
  const header = basicAuthorization(options)?.slice('Basic '.length) ?? '';
  return { password, joined: password.replace(/\s+/g, ''), header };
}
