/** Limits the exchanges of a client by its options, in the same way for all platforms. */
import type { ClientOptions } from '../types.ts';
import type { HttpContext } from './exchange.ts';
import { readPause } from './rate-headers.ts';

/** For exchanges with the platform. */
export function buildContext(options: ClientOptions): HttpContext {
  return {
    ...buildOutsideContext(options),
    onHeaders: (headers) => {
      const pauseMs = readPause(headers, options.now());
      if (pauseMs > 0) options.onPause?.(pauseMs);
    },
  };
}

/**
 * For a server other than the platform (of a cover): its rate limits do not concern the account.
 */
export function buildOutsideContext({ allowPrivate = false, timeoutMs, signal }: ClientOptions): HttpContext {
  return { timeoutMs, signal, addresses: { allowPrivate } };
}

/** The options with one deadline for several exchanges. Each also has its own time-out. */
export function limitTime(options: ClientOptions, ms: number): ClientOptions {
  const deadline = AbortSignal.timeout(ms);
  return { ...options, signal: options.signal ? AbortSignal.any([options.signal, deadline]) : deadline };
}
