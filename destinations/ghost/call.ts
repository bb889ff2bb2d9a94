/** One signed request to Ghost's Admin API, and what its answer comes to. */

import { contextOf } from '../http/context.ts';
import { type Exchange, exchange, type HttpAnswer, type HttpRequest } from '../http/exchange.ts';
import { isObject } from '../http/json-fields.ts';
import {
  endpointMoved,
  type Intent,
  outcomeOfRateLimit,
  outcomeOfRedirect,
  outcomeOfServerError,
  outcomeOfSilence,
  outcomeOfWeather,
} from '../http/outcomes.ts';
import { authorReason } from '../http/reason.ts';
import type { ClientOptions, Outcome } from '../types.ts';
import { GHOST_LABEL } from './limits.ts';
import { outcomeOfRefusal, readError, tooLarge } from './refusals.ts';
import { readAdminKey, signToken } from './token.ts';

/** The answer to a write repeats the article, in plain text at least. */
const ANSWER_MAX_BYTES = 16 * 1024 * 1024;

export interface GhostRequest {
  method: 'GET' | 'POST' | 'PUT';
  /** Below `/ghost/api/admin`, with its trailing slash: without one Ghost redirects. */
  path: string;
  body?: object;
  /** Sent without a token. */
  isPublic?: boolean;
}

/** `done` for a 2xx whose body is JSON. */
export async function callGhost(
  options: ClientOptions,
  request: GhostRequest,
  intent: Intent,
): Promise<Outcome<HttpAnswer>> {
  const { adminKey = '' } = options.connection.credentials;
  const key = readAdminKey(adminKey);
  if (key === null) {
    const reason =
      'This is not an Admin API key of Ghost: it has 24 characters, a colon and 64 characters, and stands with the custom integration in Ghost’s settings.';
    return { kind: 'unauthorised', reason };
  }
  const token = await signToken(key, options.now());
  const sent: HttpRequest = {
    method: request.method,
    url: `${siteAddress(options)}/ghost/api/admin${request.path}`,
    headers: { 'accept-version': 'v5.0', ...(request.isPublic ? {} : { authorization: `Ghost ${token}` }) },
    maxBytes: ANSWER_MAX_BYTES,
    ...(request.body === undefined ? {} : { body: request.body }),
  };
  const ended = await exchange(sent, contextOf(options));
  return judge(ended, intent, options, { adminKey, secret: adminKey.trim().slice(25), token });
}

/** Authors give the site, its admin area or its API; all of them lead to the first, without a trailing slash. */
export function siteAddress({ connection: { baseUrl } }: ClientOptions): string {
  return baseUrl.replace(/[?#].*$/s, '').replace(/\/*(?:\/ghost(?:\/api(?:\/admin)?)?)?\/*$/, '');
}

function judge(
  ended: Exchange,
  intent: Intent,
  options: ClientOptions,
  secrets: Record<string, string>,
): Outcome<HttpAnswer> {
  if (ended.kind === 'redirect') return outcomeOfRedirect(ended, intent, GHOST_LABEL, moved(ended));
  if (ended.kind !== 'answer') return outcomeOfSilence(ended, intent, GHOST_LABEL);
  if (ended.status === 429) return outcomeOfRateLimit(ended, GHOST_LABEL, options.now());
  // Said by the proxy before Ghost, in whatever format, and true in all of them.
  if (ended.status === 413) return tooLarge();
  const error = readError(ended.json);
  if (ended.status >= 500 && error) return outcomeOfServerError(ended, intent, GHOST_LABEL, options.now());
  if (ended.status >= 400 && error) return outcomeOfRefusal(ended, error, intent, secrets);
  const isJson = isObject(ended.json);
  if (ended.status < 300 && isJson && !error) return { kind: 'done', value: ended };
  return outcomeOfWeather(ended, intent, GHOST_LABEL);
}

/** The token does not go along with a redirect, so the author has to name the place where it ends. */
function moved({ status, location }: { status: number; location: string | null }): Outcome<never> {
  const target = location !== null && URL.canParse(location) ? new URL(location) : null;
  if (target === null || !/^https?:$/.test(target.protocol)) return endpointMoved(status, GHOST_LABEL);
  const place = `${target.origin}${target.pathname.replace(/\/ghost(?:\/.*)?$/, '')}`;
  const reason = `This address of Ghost leads on to ${place} (HTTP ${status}): give the connection the address that its admin area ends at.`;
  return { kind: 'rejected', code: 'endpoint_moved', reason: authorReason(reason) };
}
