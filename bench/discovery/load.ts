/**
 * Sends pipelined requests to one address over raw sockets and counts the responses, without the
 * cost of an HTTP client.
 */
import { once } from 'node:events';
import { connect } from 'node:net';

const CONNECTIONS = 32;
const PIPELINED = 4;

/** Returns requests per second. All responses must have the length of the first one. */
export async function measureRate(
  url: string,
  { headers = {}, ms }: { headers?: Record<string, string>; ms: number },
): Promise<number> {
  const { host, hostname, port, pathname } = new URL(url);
  const lines = Object.entries({ host, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  const request = `GET ${pathname} HTTP/1.1\r\n${lines.join('')}\r\n`;
  const answerBytes = await measureAnswer(hostname, Number(port), request);
  let answers = 0;
  const sockets = Array.from({ length: CONNECTIONS }, () => {
    const socket = connect(Number(port), hostname).setNoDelay(true);
    let received = 0;
    socket.on('error', () => undefined);
    socket.on('data', (chunk: Buffer) => {
      received += chunk.length;
      const complete = Math.floor(received / answerBytes);
      if (complete === 0) return;
      received -= complete * answerBytes;
      answers += complete;
      socket.write(request.repeat(complete));
    });
    socket.write(request.repeat(PIPELINED));
    return socket;
  });
  const [begun, before] = [performance.now(), answers];
  await new Promise((resolve) => setTimeout(resolve, ms));
  const rate = ((answers - before) / (performance.now() - begun)) * 1000;
  for (const socket of sockets) socket.destroy();
  return rate;
}

/**
 * Returns the bytes of a response with its headers. Both servers keep the connection open and send
 * the length of the body.
 */
async function measureAnswer(hostname: string, port: number, request: string): Promise<number> {
  const socket = connect(port, hostname);
  await once(socket, 'connect');
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  socket.write(request);
  await new Promise((resolve) => setTimeout(resolve, 500));
  socket.destroy();
  return Buffer.concat(chunks).length;
}
