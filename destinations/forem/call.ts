/** Sends one request to Forem's REST API v1. */
import { buildCaller, type OpenCaller } from '../http/caller.ts';
import { buildContext } from '../http/context.ts';
import { exchange, type HttpRequest } from '../http/exchange.ts';
import type { ClientOptions } from '../types.ts';
import { findApiRoot } from './address.ts';
import { LABEL } from './limits.ts';
import { interpretRefusal } from './refusals.ts';

/**
 * An article contains its body (up to 800 KiB) as text and again as HTML. Ten articles, the
 * smallest page of `find`, always fit.
 */
const MAX_ARTICLES_BYTES = 32 * 1024 * 1024;

export interface ForemRequest extends Pick<HttpRequest, 'body'> {
  method: 'GET' | 'POST' | 'PUT';
  /** Below the API's root: `/articles`. */
  path: string;
}

export function createCaller(options: ClientOptions): OpenCaller<ForemRequest> {
  const { baseUrl, credentials } = options.connection;
  const { apiKey = '' } = credentials;
  const root = findApiRoot(baseUrl);
  const headers = { 'api-key': apiKey, accept: 'application/vnd.forem.api-v1+json' };
  const context = buildContext(options);
  const rules = { label: LABEL, now: options.now, secrets: { apiKey }, interpretRefusal };
  return buildCaller(rules, ({ path, ...request }) => {
    const bounds = path.startsWith('/articles') ? { maxBytes: MAX_ARTICLES_BYTES } : {};
    return exchange({ ...request, ...bounds, url: `${root}${path}`, headers }, context);
  });
}
