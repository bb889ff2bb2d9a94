/** Sends one signed request to a site's REST API. */
import { buildCaller, buildContext, type OpenCaller } from '../http/caller.ts';
import { exchange, type HttpRequest } from '../http/exchange.ts';
import type { ResponseRules } from '../http/interpret.ts';
import { isObject, readText } from '../http/read-field.ts';
import type { ClientOptions } from '../types.ts';
import { LABEL } from './limits.ts';
import { interpretFromAnySender, interpretRefusal } from './refusals.ts';
import { buildRouteUrl } from './site/api-root.ts';

export interface WordPressRequest extends Omit<HttpRequest, 'method' | 'url'> {
  method: 'GET' | 'POST';
  /** Below the API's root: `/wp/v2/posts`. */
  route: string;
  query?: Record<string, string>;
}

export type WordPressCaller = OpenCaller<WordPressRequest>;

export function createCaller(options: ClientOptions): WordPressCaller {
  const { baseUrl, credentials } = options.connection;
  const login = encodeLogin(credentials);
  const password = (credentials.applicationPassword ?? '').trim();
  const context = buildContext(options);
  const rules: ResponseRules = {
    label: LABEL,
    now: options.now,
    // The forms in which a site could repeat the password. The user name is not secret.
    secrets: { password, joined: password.replace(/\s+/g, ''), header: login ?? '' },
    // With a PHP warning before it the body is not JSON, and the effect of the request is unknown.
    isPlatformResponse: ({ status, json }) => isObject(json) && (status < 400 || readText(json, 'code') !== null),
    interpretFromAnySender,
    interpretRefusal,
  };
  return buildCaller(rules, async ({ route, query, headers, ...request }) =>
    login === null
      ? { kind: 'damagedCredential' }
      : exchange(
          {
            ...request,
            url: buildRouteUrl(baseUrl, route, query),
            headers: { ...headers, authorization: `Basic ${login}` },
          },
          context,
        ),
  );
}

/** Null if Basic authentication does not allow a character. Pasted blanks are cut. */
function encodeLogin({ username = '', applicationPassword = '' }: Record<string, string>): string | null {
  const [name, password] = [username.trim(), applicationPassword.trim()];
  if (/\p{Cc}/u.test(name + password) || name.includes(':')) return null;
  return Buffer.from(`${name}:${password}`).toString('base64');
}
