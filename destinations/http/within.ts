/** One patience for several exchanges, of which each has its own. */
import type { ClientOptions } from '../types.ts';

/** The options with a signal that ends everything after so long. */
export function withinMs(options: ClientOptions, ms: number): ClientOptions {
  const deadline = AbortSignal.timeout(ms);
  return { ...options, signal: options.signal ? AbortSignal.any([options.signal, deadline]) : deadline };
}
