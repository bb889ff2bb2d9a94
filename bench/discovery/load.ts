/** Asks one address over some connections, with several requests under way on each, and counts the answers: no client between it and the socket. */
import { once } from 'node:events';
import { connect } from 'node:net';

const CONNECTIONS = 32;
const PIPELINED = 4;

/** Requests a second. Every answer has to be as long as the first. */
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
      const whole = Math.floor(received / answerBytes);
      if (whole === 0) return;
      received -= whole * answerBytes;
      answers += whole;
      socket.write(request.repeat(whole));
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

/** Bytes of an answer with its head: both servers keep the connection open and say how long the body is. */
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
