/** Sends one operation to Hashnode's GraphQL API. */
import { buildCaller, type Caller } from '../http/caller.ts';
import { buildContext } from '../http/context.ts';
import { exchange, type HttpResponse } from '../http/exchange.ts';
import type { ResponseRules } from '../http/interpret.ts';
import { isObject, readField } from '../http/read-field.ts';
import type { ClientOptions } from '../types.ts';
import { LABEL, REQUEST_BYTES } from './limits.ts';
import { hasErrors, interpretRefusal, rejectTooLarge } from './refusals.ts';

export interface HashnodeRequest {
  query: string;
  variables: Record<string, unknown>;
}

export function createCaller(options: ClientOptions): Caller<HashnodeRequest> {
  const { baseUrl, credentials } = options.connection;
  const { token = '' } = credentials;
  const headers = { authorization: `Bearer ${token}` };
  const context = buildContext(options);
  const rules: ResponseRules = {
    label: LABEL,
    now: options.now,
    secrets: { token },
    // Errors come with any status, 200 included; data comes with 200 only.
    isPlatformResponse: (answer) =>
      isRefusal(answer) ||
      (answer.status === 200 && isObject(readField(answer.json, 'data'))) ||
      (answer.status >= 500 && isObject(answer.json)),
    isRefusal,
    interpretRefusal,
    // There is one endpoint and no login page. Even a temporary redirect means that the endpoint
    // has moved.
    isAlwaysMove: true,
  };
  const { call } = buildCaller<HashnodeRequest>(rules, (body) =>
    exchange({ method: 'POST', url: baseUrl, headers, body }, context),
  );
  return {
    call: async (request, intent, read) =>
      Buffer.byteLength(JSON.stringify(request)) > REQUEST_BYTES ? rejectTooLarge() : call(request, intent, read),
  };
}

/** A 413 often comes from a proxy in front of Hashnode, in any format. It is valid nevertheless. */
function isRefusal(answer: HttpResponse): boolean {
  return hasErrors(answer.json) || answer.status === 413;
}
