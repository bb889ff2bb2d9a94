/** Sends one request to Medium's API v1. */
import { buildCaller, type Caller } from '../http/caller.ts';
import { buildContext } from '../http/context.ts';
import { exchange } from '../http/exchange.ts';
import type { ClientOptions } from '../types.ts';
import { findApiRoot } from './address.ts';
import { LABEL } from './limits.ts';
import { interpretFromAnySender, interpretRefusal, rejectRetired } from './refusals.ts';

export interface MediumRequest {
  method: 'GET' | 'POST';
  /** Below the API's root: `/me`. */
  path: string;
  body?: unknown;
}

export function createCaller(options: ClientOptions): Caller<MediumRequest> {
  const { baseUrl, credentials } = options.connection;
  const { token = '' } = credentials;
  const root = findApiRoot(baseUrl);
  const headers = { authorization: `Bearer ${token}`, 'accept-charset': 'utf-8' };
  const context = buildContext(options);
  const rules = {
    label: LABEL,
    now: options.now,
    secrets: { token },
    interpretFromAnySender,
    interpretRefusal,
    interpretMove: rejectRetired,
  };
  return buildCaller(rules, ({ path, ...request }) =>
    exchange({ ...request, url: `${root}${path}`, headers }, context),
  );
}
