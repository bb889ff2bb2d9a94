/** Calls a platform's API. Each client creates one caller, so nothing else needs the connection. */
import type { Outcome } from '../types.ts';
import type { Exchange, HttpResponse } from './exchange.ts';
import { type Intent, interpretForeignResponse } from './failures.ts';
import { interpret, type ResponseRules } from './interpret.ts';

/** Reads a successful response. Undefined if it differs from the platform's documentation. */
export type Read<T> = (answer: HttpResponse) => T | undefined;

/** `R` is a request in the platform's own terms. */
export interface Caller<R> {
  /** Sends one request. A response that cannot be read counts as foreign. */
  call<T>(request: R, intent: Intent, read: Read<T>): Promise<Outcome<T>>;
}

/** Offers both halves of `call`, for results that must be inspected before they are interpreted. */
export interface OpenCaller<R> extends Caller<R> {
  send(request: R): Promise<Exchange>;
  interpret<T>(ended: Exchange, intent: Intent, read: Read<T>): Outcome<T>;
}

export function buildCaller<R>(platform: ResponseRules, send: (request: R) => Promise<Exchange>): OpenCaller<R> {
  const interpretAndRead = <T>(ended: Exchange, intent: Intent, read: Read<T>): Outcome<T> => {
    const outcome = interpret(ended, intent, platform);
    if (outcome.kind !== 'done') return outcome;
    const value = read(outcome.value);
    return value === undefined
      ? interpretForeignResponse(outcome.value, intent, platform.label)
      : { kind: 'done', value };
  };
  return {
    send,
    interpret: interpretAndRead,
    call: async (request, intent, read) => interpretAndRead(await send(request), intent, read),
  };
}

/** For calls without a response body to read. */
export function ignoreResponse(): null {
  return null;
}
