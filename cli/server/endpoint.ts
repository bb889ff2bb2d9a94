/** Resolves the server of a command, and rejects unencrypted connections for credentials. */
import type { CliConfig } from '../config.ts';
import { createInputFailure } from '../failure.ts';

export const DEFAULT_ENDPOINT = 'http://localhost:3000/graphql';

export interface Endpoint {
  /** As configured; `/graphql` is added to a bare origin. */
  graphqlUrl: string;
  publishUrl: string;
  origin: string;
  /** The setting that names the address, for messages. */
  source: string;
}

/**
 * Returns `--endpoint`, else COURANT_ENDPOINT, else the stored one, else the local server. Throws
 * if it is not an http(s) URL.
 */
export function resolveEndpoint(
  flag: string | undefined,
  config: Pick<CliConfig, 'endpoint'>,
  stored: string | undefined,
): Endpoint {
  if (flag !== undefined) return parseEndpoint(flag, '--endpoint');
  if (config.endpoint !== undefined) return parseEndpoint(config.endpoint, 'COURANT_ENDPOINT');
  if (stored !== undefined) return parseEndpoint(stored, 'stored');
  return parseEndpoint(DEFAULT_ENDPOINT, 'default');
}

export function parseEndpoint(text: string, source: string): Endpoint {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    throw createInputFailure(`The endpoint "${text}" (${source}) is not an http or https URL.`, {
      hints: [`Use the address of the GraphQL endpoint, for example ${DEFAULT_ENDPOINT}.`],
    });
  }
  if (url.username !== '' || url.password !== '') {
    throw createInputFailure(`The endpoint (${source}) must not contain a user name or a password.`);
  }
  url.hash = '';
  if (url.pathname === '/') url.pathname = '/graphql';
  return { graphqlUrl: url.href, publishUrl: `${url.origin}/api/v1/articles`, origin: url.origin, source };
}

/** Throws if credentials would cross a network unencrypted. */
export function refuseClearText(endpoint: Endpoint, config: Pick<CliConfig, 'allowHttp'>): void {
  const url = new URL(endpoint.origin);
  if (url.protocol === 'https:' || isLoopback(url.hostname) || config.allowHttp) return;
  throw createInputFailure(
    `Your credentials were not sent to ${endpoint.origin}: others could read them over plain http.`,
    {
      hints: ['Use an https endpoint, or set COURANT_ALLOW_HTTP=1 if you trust every network in between.'],
    },
  );
}

export function isLoopback(hostname: string): boolean {
  // The URL parser has already normalised 127.1, 0x7f000001 and the like.
  return (
    hostname === 'localhost' ||
    hostname.endsWith('.localhost') ||
    /^127\.\d+\.\d+\.\d+$/.test(hostname) ||
    hostname === '[::1]'
  );
}
