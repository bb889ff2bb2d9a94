/** Calls a platform's API. Each client creates one caller, so nothing else needs the connection. */
import type { ClientOptions, Outcome } from '../types.ts';
import { type Exchange, exchange, type HttpContext, type HttpRequest, type HttpResponse } from './exchange.ts';
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

/** `path` is relative to the root of the API: `/articles`. */
export type ApiRequest = Omit<HttpRequest, 'url'> & { path: string };

interface Api extends Omit<ResponseRules, 'now'> {
  root: string;
  headers: Record<string, string>;
  maxBytes?: number;
}

/** For APIs of plain paths, with the same headers in every request. */
export function createApiCaller(
  options: ClientOptions,
  { root, headers, maxBytes, ...rules }: Api,
): OpenCaller<ApiRequest> {
  const context = buildContext(options);
  const limit = maxBytes === undefined ? {} : { maxBytes };
  return buildCaller({ ...rules, now: options.now }, ({ path, headers: own, ...request }) =>
    exchange({ ...limit, ...request, url: `${root}${path}`, headers: { ...headers, ...own } }, context),
  );
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

/** Limits the exchanges of a client by its options, in the same way for all platforms. */
export function buildContext({ allowPrivate = false, timeoutMs, signal }: ClientOptions): HttpContext {
  return { timeoutMs, signal, addresses: { allowPrivate } };
}

/** The options with one deadline for several exchanges. Each also has its own time-out. */
export function limitTime(options: ClientOptions, ms: number): ClientOptions {
  const deadline = AbortSignal.timeout(ms);
  return { ...options, signal: options.signal ? AbortSignal.any([options.signal, deadline]) : deadline };
}
