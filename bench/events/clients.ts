/**
 * A process that holds event streams open over raw sockets and reports to its parent when each
 * stream receives an event.
 */
import { connect, type Socket } from 'node:net';

export type ToClients =
  | { do: 'open'; host: string; port: number; paths: string[] }
  /** Resets the receipts. */
  | { do: 'count' }
  | { do: 'close' };

/**
 * `receipts` contains the arrival time of each event in epoch milliseconds, in order of arrival.
 */
export type FromClients =
  | { kind: 'opened'; tookMs: number }
  | { kind: 'ready' }
  | { kind: 'receipts'; receipts: { stream: number; at: number }[] };

const MARK = Buffer.from('event: notification');
const BATCH_SIZE = 100;

let sockets: Socket[] = [];
let receipts: { stream: number; at: number }[] = [];
let timer: NodeJS.Timeout | undefined;

process.on('message', async (message: ToClients) => {
  if (message.do === 'open') {
    const begun = performance.now();
    const { host, port, paths } = message;
    for (let from = 0; from < paths.length; from += BATCH_SIZE) {
      const part = paths.slice(from, from + BATCH_SIZE);
      sockets.push(...(await Promise.all(part.map((path, index) => open(host, port, path, from + index)))));
    }
    sendMessage({ kind: 'opened', tookMs: performance.now() - begun });
  } else if (message.do === 'count') {
    receipts = [];
    // Reports in batches, because a message per event would become the measured load.
    timer ??= setInterval(flush, 50);
    sendMessage({ kind: 'ready' });
  } else {
    for (const socket of sockets) socket.destroy();
    sockets = [];
    clearInterval(timer);
    timer = undefined;
    sendMessage({ kind: 'ready' });
  }
});

function open(host: string, port: number, path: string, stream: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, host, () => {
      socket.write(`GET ${path} HTTP/1.1\r\nHost: ${host}:${port}\r\nAccept: text/event-stream\r\n\r\n`);
    });
    let isOpen = false;
    socket.setNoDelay(true).on('error', reject);
    socket.on('data', (chunk) => {
      const at = performance.timeOrigin + performance.now();
      if (!isOpen && !chunk.includes(' 200 ')) return reject(new Error(chunk.toString().slice(0, 200)));
      isOpen = true;
      for (let from = chunk.indexOf(MARK); from !== -1; from = chunk.indexOf(MARK, from + 1))
        receipts.push({ stream, at });
      resolve(socket);
    });
  });
}

function flush(): void {
  if (receipts.length === 0) return;
  sendMessage({ kind: 'receipts', receipts });
  receipts = [];
}

function sendMessage(message: FromClients): void {
  process.send?.(message);
}
