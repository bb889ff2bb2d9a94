/**
 * A client of the event stream over a raw socket, so that one process can run thousands of them.
 * Reconnects like an EventSource.
 */
import { connect, type Socket } from 'node:net';

export interface StreamClient {
  /** The ids of its events over all its connections, in order of arrival. */
  ids: readonly number[];
  isOpen(): boolean;
  /** The number of its connections. */
  connections(): number;
  /** The reconnection delay that the server sent last. */
  retryMs(): number;
  close(): void;
}

const DEFAULT_RETRY_MS = 3_000;

export function openClient(url: string, token: string): StreamClient {
  const { hostname, port, host } = new URL(url);
  const ids: number[] = [];
  let connections = 0;
  let lastId: string | undefined;
  let retryMs = DEFAULT_RETRY_MS;
  let socket: Socket;
  let isOpen = false;
  let isClosed = false;

  function openConnection(): void {
    let text = '';
    socket = connect(Number(port), hostname);
    socket.setEncoding('latin1').on('error', () => undefined);
    socket.on('connect', () => {
      connections += 1;
      const since = lastId === undefined ? '' : `Last-Event-ID: ${lastId}\r\n`;
      socket.write(
        `GET /notifications/stream?token=${token} HTTP/1.1\r\nHost: ${host}\r\nAccept: text/event-stream\r\n${since}\r\n`,
      );
    });
    socket.on('data', (chunk: string) => {
      text += chunk;
      if (!isOpen && text.includes('\r\n\r\n')) isOpen = text.startsWith('HTTP/1.1 200 ');
      const end = text.lastIndexOf('\n\n');
      if (end === -1) return;
      read(text.slice(0, end));
      text = text.slice(end);
    });
    socket.on('close', () => {
      isOpen = false;
      if (!isClosed) setTimeout(openConnection, retryMs);
    });
  }

  /** Reads complete blocks only. A truncated block was not received. */
  function read(blocks: string): void {
    for (const block of blocks.split('\n\n')) {
      retryMs = Number(/^retry: ?(\d+)/m.exec(block)?.[1] ?? retryMs);
      lastId = /^id: ?(\d+)/m.exec(block)?.[1] ?? lastId;
      if (block.includes('event: notification')) ids.push(Number(lastId));
    }
  }

  openConnection();
  return {
    ids,
    connections: () => connections,
    retryMs: () => retryMs,
    isOpen: () => isOpen,
    close() {
      isClosed = true;
      socket.destroy();
    },
  };
}
