/** A process that holds event streams open, by hand over sockets, and tells its parent when which stream got an event. */
import { connect, type Socket } from 'node:net';

export type ToClients =
  | { do: 'open'; host: string; port: number; paths: string[] }
  /** Begins to count anew. */
  | { do: 'count' }
  | { do: 'close' };

/** `receipts`: when each event came, by the clock of `Date`, in milliseconds, in the order of arrival. */
export type FromClients =
  | { kind: 'opened'; tookMs: number }
  | { kind: 'ready' }
  | { kind: 'receipts'; receipts: { stream: number; at: number }[] };

const MARK = Buffer.from('event: notification');
const AT_ONCE = 100;

let sockets: Socket[] = [];
let receipts: { stream: number; at: number }[] = [];
let timer: NodeJS.Timeout | undefined;

process.on('message', async (message: ToClients) => {
  if (message.do === 'open') {
    const begun = performance.now();
    const { host, port, paths } = message;
    for (let from = 0; from < paths.length; from += AT_ONCE) {
      const part = paths.slice(from, from + AT_ONCE);
      sockets.push(...(await Promise.all(part.map((path, index) => open(host, port, path, from + index)))));
    }
    tell({ kind: 'opened', tookMs: performance.now() - begun });
  } else if (message.do === 'count') {
    receipts = [];
    // What came is told now and then: a message for each event would be the load that is measured.
    timer ??= setInterval(flush, 50);
    tell({ kind: 'ready' });
  } else {
    for (const socket of sockets) socket.destroy();
    sockets = [];
    clearInterval(timer);
    timer = undefined;
    tell({ kind: 'ready' });
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
  tell({ kind: 'receipts', receipts });
  receipts = [];
}

function tell(message: FromClients): void {
  process.send?.(message);
}
