/** Opens the connection of one exchange, and describes why one fails. */
import { buildConnector, Client } from 'undici';
import { type AddressPolicy, createGuardedLookup } from './address-guard.ts';

interface ConnectionContext {
  timeoutMs: number;
  addresses: AddressPolicy;
}

/**
 * Each exchange opens its own connection. A reused one that the server just closed would turn a
 * write into an unknown outcome, which costs far more than a handshake. The connector records when
 * the first byte can leave.
 */
export function openConnection(url: URL, context: ConnectionContext, progress: { connected: boolean }): Client {
  const connect = buildConnector({
    lookup: createGuardedLookup(url, context.addresses),
    timeout: context.timeoutMs,
    allowH2: false,
  });
  return new Client(url.origin, {
    headersTimeout: context.timeoutMs,
    bodyTimeout: context.timeoutMs,
    pipelining: 1,
    connect: (options, callback) => {
      connect(options, (error, socket) => {
        if (error) {
          callback(error, null);
        } else {
          progress.connected = true;
          callback(null, socket);
        }
      });
    },
  });
}

/** The reason why an exchange failed, as the end of a sentence for the author. */
export function describeCause(error: unknown, deadline: AbortSignal): string {
  if (deadline.aborted) return 'it did not respond in time';
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return KNOWN_CAUSES[code] ?? (TLS_CODE.test(code) ? 'its TLS certificate is not valid' : 'the connection failed');
}

const TLS_CODE = /CERT|TLS|SSL|SELF_SIGNED|ISSUER/;

const KNOWN_CAUSES: Record<string, string> = {
  ECONNREFUSED: 'it refuses connections',
  ENOTFOUND: 'its host name does not exist',
  EAI_AGAIN: 'its host name could not be looked up',
  EHOSTUNREACH: 'it cannot be reached',
  ENETUNREACH: 'it cannot be reached',
  UND_ERR_CONNECT_TIMEOUT: 'it did not respond in time',
  UND_ERR_HEADERS_TIMEOUT: 'it did not respond in time',
  UND_ERR_BODY_TIMEOUT: 'it did not respond in time',
  ECONNRESET: 'the connection was cut',
  UND_ERR_SOCKET: 'the connection was cut',
};
