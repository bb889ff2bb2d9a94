/** Opens an HTTP/2 connection, to find the error that gRPC reports only as a time-out. */
import { connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { TemporalConfig } from './connection.ts';

const TIMEOUT_MS = 4_000;
/** The client preface and an empty SETTINGS frame. */
const HTTP2_PREFACE = Buffer.concat([
  Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
  Buffer.from([0, 0, 0, 4, 0, 0, 0, 0, 0]),
]);
const TLS_ALERT = 0x15;

/**
 * Returns the error; null if the server responds with HTTP/2. Waits for bytes, because a refused
 * client certificate is reported only after the handshake.
 */
export async function probeTemporal(config: TemporalConfig): Promise<Error | null> {
  let socket: Socket | undefined;
  try {
    const opened = open(config);
    socket = opened;
    await new Promise<void>((resolve, reject) => {
      opened.setTimeout(TIMEOUT_MS, () => reject(new Error(`no response within ${TIMEOUT_MS / 1000} s`)));
      opened.once('error', reject);
      opened.once('close', () => reject(new Error('Connection dropped')));
      opened.once('data', ([first]: Buffer) =>
        first === TLS_ALERT ? reject(new Error('Protocol error: it responds with a TLS alert')) : resolve(),
      );
      opened.write(HTTP2_PREFACE);
    });
    return null;
  } catch (error) {
    return error as Error;
  } finally {
    socket?.destroy();
  }
}

/** Throws if a certificate or a key is unusable. */
function open({ connectionOptions }: TemporalConfig): Socket {
  const { address = 'localhost:7233', tls, apiKey } = connectionOptions ?? {};
  const { hostname, port } = new URL(`http://${address}`);
  const target = { host: hostname.replace(/^\[(.*)\]$/, '$1'), port: Number(port || 7233) };
  if (!tls && typeof apiKey !== 'string') return connect(target);
  const { serverNameOverride, serverRootCACertificate: ca, clientCertPair } = typeof tls === 'object' && tls ? tls : {};
  return connectTls({
    ...target,
    servername: serverNameOverride ?? target.host,
    ALPNProtocols: ['h2'],
    ...(ca && { ca: Buffer.from(ca) }),
    ...(clientCertPair && { cert: Buffer.from(clientCertPair.crt), key: Buffer.from(clientCertPair.key) }),
  });
}
