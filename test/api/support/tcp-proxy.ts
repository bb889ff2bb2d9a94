/** A TCP proxy that can freeze or cut connections between two processes. */
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface TcpProxy {
  port: number;
  /**
   * Stops both directions of the open connections for good, without closing them. New ones work.
   */
  freezeOpenConnections(): number;
  /** Closes open connections, and new ones until `restore`. */
  cut(): void;
  restore(): void;
  close(): Promise<void>;
}

interface Link {
  client: Socket;
  server: Socket;
}

export interface TcpProxyOptions {
  port: number;
  host?: string;
  /** True for client bytes after which that client receives nothing. The server still gets them. */
  stopAnswersAfter?: (sent: Buffer, client: Socket) => boolean;
}

export async function startTcpProxy({
  port,
  host = '127.0.0.1',
  stopAnswersAfter,
}: TcpProxyOptions): Promise<TcpProxy> {
  const links = new Set<Link>();
  let isCut = false;
  const endAll = () => {
    for (const { client, server } of links) {
      client.destroy();
      server.destroy();
    }
  };
  const listener = createServer((client) => {
    if (isCut) return void client.destroy();
    const server = connect(port, host);
    const link = { client, server };
    links.add(link);
    for (const [socket, other] of [
      [client, server],
      [server, client],
    ] as const) {
      socket.setNoDelay(true);
      socket.on('error', () => other.destroy());
      socket.on('close', () => {
        links.delete(link);
        other.destroy();
      });
    }
    client.on('data', (chunk: Buffer) => {
      if (stopAnswersAfter?.(chunk, client)) server.pause().removeAllListeners('data');
      server.write(chunk);
    });
    server.on('data', (chunk: Buffer) => client.write(chunk));
  });
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  return {
    port: (listener.address() as AddressInfo).port,
    freezeOpenConnections() {
      for (const { client, server } of links) {
        for (const socket of [client, server]) socket.pause().removeAllListeners('data');
      }
      return links.size;
    },
    cut() {
      isCut = true;
      endAll();
    },
    restore() {
      isCut = false;
    },
    async close() {
      endAll();
      await new Promise((resolve) => listener.close(resolve));
    },
  };
}
