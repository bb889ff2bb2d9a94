/** Sends one request to Ghost's Admin API, with a token signed for it. */
import { buildCaller, type Caller } from '../http/caller.ts';
import { buildContext } from '../http/context.ts';
import { exchange, type HttpRequest } from '../http/exchange.ts';
import type { ResponseRules } from '../http/interpret.ts';
import { isObject } from '../http/read-field.ts';
import type { ClientOptions, Failure } from '../types.ts';
import { findSite } from './address.ts';
import { LABEL } from './limits.ts';
import { hasError, interpretFromAnySender, interpretMove, interpretRefusal } from './refusals.ts';
import { readAdminKey, signToken } from './token.ts';

/** The response to a write repeats the article as plain text. */
const MAX_RESPONSE_BYTES = 16 * 1024 * 1024;

export interface GhostRequest extends Pick<HttpRequest, 'body'> {
  method: 'GET' | 'POST' | 'PUT';
  /** Below `/ghost/api/admin`, with a trailing slash: without one Ghost redirects. */
  path: string;
  /** Sent without a token. */
  isPublic?: boolean;
}

export interface GhostCaller extends Caller<GhostRequest> {
  /** The address of the site, without a trailing slash. */
  site: string;
}

export function createCaller(options: ClientOptions): GhostCaller {
  const { baseUrl, credentials } = options.connection;
  const { adminKey = '' } = credentials;
  const key = readAdminKey(adminKey);
  const site = findSite(baseUrl);
  const context = buildContext(options);

  const buildSignedCaller = (token: string) =>
    buildCaller<GhostRequest>(buildRules(options, { adminKey, token }), ({ path, isPublic, ...request }) => {
      const headers = { 'accept-version': 'v5.0', ...(isPublic ? {} : { authorization: `Ghost ${token}` }) };
      const url = `${site}/ghost/api/admin${path}`;
      return exchange({ ...request, url, headers, maxBytes: MAX_RESPONSE_BYTES }, context);
    });

  return {
    site,
    // Signs a token for each request: a token is valid for five minutes, and a client may exist
    // longer.
    call: async (request, intent, read) =>
      key === null ? NO_KEY : buildSignedCaller(await signToken(key, options.now())).call(request, intent, read),
  };
}

const NO_KEY: Failure = {
  kind: 'unauthorised',
  reason:
    'This is not a Ghost Admin API key, which has 24 characters, a colon and 64 characters. Copy the key from the custom integration in Ghost’s settings.',
};

function buildRules(options: ClientOptions, { adminKey, token }: { adminKey: string; token: string }): ResponseRules {
  return {
    label: LABEL,
    now: options.now,
    secrets: { adminKey, secret: adminKey.trim().slice(25), token },
    // Ghost's own errors, and nothing else, have `errors[]`.
    isPlatformResponse: ({ status, json }) => (status >= 400 ? hasError(json) : isObject(json) && !hasError(json)),
    interpretFromAnySender,
    interpretRefusal,
    interpretMove,
  };
}
