/** How a client's options bound one exchange with its platform, the same for all of them. */

import type { ClientOptions } from '../types.ts';
import type { HttpContext } from './exchange.ts';
import { readPause } from './rate-headers.ts';

export function contextOf(options: ClientOptions): HttpContext {
  return {
    ...elsewhere(options),
    heard: (headers) => {
      const pauseMs = readPause(headers, options.now());
      if (pauseMs > 0) options.onPause?.(pauseMs);
    },
  };
}

/** For a server that is not the platform (where a cover lies): what it says of limits concerns nobody's account. */
export function elsewhere(options: ClientOptions): HttpContext {
  const addresses = { allowPrivate: options.allowPrivate ?? false };
  return { timeoutMs: options.timeoutMs, signal: options.signal, addresses };
}
