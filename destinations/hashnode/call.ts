/** One exchange with Hashnode's GraphQL API, and what its answer means. */

import { contextOf } from '../http/context.ts';
import { type Exchange, exchange } from '../http/exchange.ts';
import { isObject } from '../http/json-fields.ts';
import {
  endpointMoved,
  type Intent,
  outcomeOfRateLimit,
  outcomeOfServerError,
  outcomeOfSilence,
  outcomeOfWeather,
} from '../http/outcomes.ts';
import type { ClientOptions, Outcome } from '../types.ts';
import { HASHNODE_LABEL, HASHNODE_REQUEST_BYTES } from './limits.ts';
import { at, type Json } from './post.ts';
import { outcomeOfError, readErrors } from './refusals.ts';

/** One operation; `done` with `data` where it came without errors. */
export async function callHashnode(
  options: ClientOptions,
  query: string,
  variables: Json,
  intent: Intent,
): Promise<Outcome<Json>> {
  const body = { query, variables };
  if (Buffer.byteLength(JSON.stringify(body)) > HASHNODE_REQUEST_BYTES) {
    const reason = 'The article is larger than the 100 KB that Hashnode takes in one request.';
    return { kind: 'rejected', code: 'body_too_large', reason };
  }
  const headers = { authorization: `Bearer ${options.connection.credentials.token ?? ''}` };
  return judge(
    await exchange({ method: 'POST', url: options.connection.baseUrl, headers, body }, contextOf(options)),
    intent,
    options,
  );
}

function judge(ended: Exchange, intent: Intent, options: ClientOptions): Outcome<Json> {
  if (ended.kind === 'redirect') return endpointMoved(ended.status, HASHNODE_LABEL);
  if (ended.kind !== 'answer') return outcomeOfSilence(ended, intent, HASHNODE_LABEL);
  if (ended.status === 429) return outcomeOfRateLimit(ended, HASHNODE_LABEL, options.now());
  const [error] = readErrors(ended.json);
  if (error) return outcomeOfError(error, ended, intent, options);
  if (ended.status === 413) {
    // Said by whatever stands in front, in whatever format, and true in all of them: too large to be read at all.
    return outcomeOfError({ message: '', code: 'TOO_LARGE', path: '' }, ended, intent, options);
  }
  const data = at(ended.json, 'data');
  if (ended.status === 200 && isObject(data)) return { kind: 'done', value: data };
  if (ended.status >= 500 && isObject(ended.json)) {
    return outcomeOfServerError(ended, intent, HASHNODE_LABEL, options.now());
  }
  return outcomeOfWeather(ended, intent, HASHNODE_LABEL);
}
