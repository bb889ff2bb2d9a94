/** Logger options of the API: one JSON line per event. */
import type { LoggerOptions } from 'pino';

export const API_LOG = {
  name: 'api',
  // URLs hold stream tokens and headers hold bearer tokens: neither is logged.
  serializers: { req: ({ method, url }: { method: string; url: string }) => ({ method, path: url.split('?')[0] }) },
} satisfies LoggerOptions;
