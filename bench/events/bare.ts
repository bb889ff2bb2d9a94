/**
 * The baseline of the event streams: a bare `node:http` server that writes the same bytes to as
 * many sockets from memory.
 */
import { createServer, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * `each` writes to every stream at once; `some` writes to `count` streams in sequence at
 * `perSecond`.
 */
export type ToBare = { do: 'each' } | { do: 'some'; count: number; perSecond: number };
/** The start of each write, as epoch milliseconds. */
export interface FromBare {
  port?: number;
  written?: number[];
}

const streams: ServerResponse[] = [];
const server = createServer((request, response) => {
  const index = Number(new URL(request.url ?? '', 'http://x').searchParams.get('stream'));
  streams[index] = response;
  response.writeHead(200, { 'content-type': 'text/event-stream;charset=UTF-8', 'cache-control': 'no-cache' });
  response.write(':ok\n\nid: 0\nretry: 3000\n\n');
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (typeof address === 'object') sendMessage({ port: address?.port ?? 0 });
});

process.on('message', async (message: ToBare) => {
  const written: number[] = [];
  const frame = process.env.FRAME ?? '';
  if (message.do === 'each') {
    const at = performance.timeOrigin + performance.now();
    for (const response of streams) {
      written.push(at);
      response.write(frame);
    }
  } else {
    for (let index = 0; index < message.count; index++) {
      written.push(performance.timeOrigin + performance.now());
      streams[index]?.write(frame);
      await sleep(1_000 / message.perSecond);
    }
  }
  sendMessage({ written });
});

function sendMessage(message: FromBare): void {
  process.send?.(message);
}
