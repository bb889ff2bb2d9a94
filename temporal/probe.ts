/** Asks a server for the first bytes of HTTP/2, as gRPC would: gRPC itself says no more than that it did not connect in time. */
import { connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { TemporalConfig } from './connection.ts';

const TIMEOUT_MS = 4_000;
/** The preface of a client, and its empty settings. */
const HELLO = Buffer.concat([
  Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
  Buffer.from([0, 0, 0, 4, 0, 0, 0, 0, 0]),
]);
const TLS_ALERT = 0x15;

/** What is in the way; null where the server speaks HTTP/2 with us. A refused certificate comes to light after the handshake only, so bytes are awaited. */
export async function probeTemporal(config: TemporalConfig): Promise<Error | null> {
  let socket: Socket | undefined;
  try {
    const opened = open(config);
    socket = opened;
    await new Promise<void>((resolve, reject) => {
      opened.setTimeout(TIMEOUT_MS, () => reject(new Error(`nothing answered within ${TIMEOUT_MS / 1000} s`)));
      opened.once('error', reject);
      opened.once('close', () => reject(new Error('Connection dropped')));
      opened.once('data', ([first]: Buffer) =>
        first === TLS_ALERT ? reject(new Error('Protocol error: it answers with a TLS alert')) : resolve(),
      );
      opened.write(HELLO);
    });
    return null;
  } catch (error) {
    return error as Error;
  } finally {
    socket?.destroy();
  }
}

/** Throws where a certificate or a key cannot be used. */
function open({ connectionOptions }: TemporalConfig): Socket {
  const { address = 'localhost:7233', tls, apiKey } = connectionOptions ?? {};
  const { hostname, port } = new URL(`http://${address}`);
  const place = { host: hostname.replace(/^\[(.*)\]$/, '$1'), port: Number(port || 7233) };
  if (!tls && typeof apiKey !== 'string') return connect(place);
  const { serverNameOverride, serverRootCACertificate: ca, clientCertPair } = typeof tls === 'object' && tls ? tls : {};
  return connectTls({
    ...place,
    servername: serverNameOverride ?? place.host,
    ALPNProtocols: ['h2'],
    ...(ca && { ca: Buffer.from(ca) }),
    ...(clientCertPair && { cert: Buffer.from(clientCertPair.crt), key: Buffer.from(clientCertPair.key) }),
  });
}
