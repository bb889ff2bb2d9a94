/** Sends one request to LinkedIn's versioned API. */
import { buildCaller, type OpenCaller } from '../http/caller.ts';
import { buildContext, buildOutsideContext } from '../http/context.ts';
import { exchange, type HttpRequest } from '../http/exchange.ts';
import type { ResponseRules } from '../http/interpret.ts';
import { isObject } from '../http/read-field.ts';
import type { ClientOptions } from '../types.ts';
import { canReceiveToken, findApiRoot } from './address.ts';
import { API_VERSION, LABEL } from './limits.ts';
import { interpretDailyQuota, interpretEndedVersion, interpretRefusal } from './refusals.ts';

/** `path` is relative to the API's root: `/rest/posts`. */
export type LinkedinRequest = Pick<HttpRequest, 'method' | 'body' | 'headers'> & { path: string };

export interface LinkedinCaller extends OpenCaller<LinkedinRequest> {
  /** Sends bytes to the upload address from LinkedIn. False if that failed. */
  upload(url: string, bytes: Uint8Array): Promise<boolean>;
}

export function createCaller(options: ClientOptions): LinkedinCaller {
  const { baseUrl, credentials } = options.connection;
  const { accessToken = '' } = credentials;
  const root = findApiRoot(baseUrl);
  const version = readVersion(credentials);
  const authorization = `Bearer ${accessToken}`;
  const context = buildContext(options);
  const rules: ResponseRules = {
    label: LABEL,
    now: options.now,
    secrets: { accessToken },
    // LinkedIn responds to writes without a body.
    isPlatformResponse: ({ status, bytes, json }) => isObject(json) || (status < 300 && bytes.length === 0),
    interpretFromAnySender: (answer) => interpretDailyQuota(answer, options.now()),
    interpretRefusal: (answer, intent, secrets) =>
      answer.status === 426 ? interpretEndedVersion(version) : interpretRefusal(answer, intent, secrets),
  };
  const caller = buildCaller<LinkedinRequest>(rules, ({ path, headers, ...request }) => {
    const common = { authorization, 'linkedin-version': version, 'x-restli-protocol-version': '2.0.0' };
    return exchange({ ...request, url: `${root}${path}`, headers: { ...common, ...headers } }, context);
  });
  return {
    ...caller,
    async upload(url, bytes) {
      if (!canReceiveToken(url, baseUrl)) return false;
      const headers = { authorization, 'content-type': 'application/octet-stream' };
      const ended = await exchange({ method: 'PUT', url, bytes, headers }, buildOutsideContext(options));
      return ended.kind === 'answer' && ended.status >= 200 && ended.status < 300;
    },
  };
}

function readVersion({ apiVersion = '' }: Record<string, string>): string {
  return /^\d{6}$/.test(apiVersion) ? apiVersion : API_VERSION;
}
