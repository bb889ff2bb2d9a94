/** An SMTP server with scripted replies, for behaviour of incorrect servers. */
import { createServer, type Server, type Socket } from 'node:net';
import { MAIL, testMailer } from './smtp.ts';

export interface ScriptedServer {
  url: string;
  received: () => string;
  onDot: () => void;
}

export async function startScriptedServer(
  t: { after(fn: () => void): void },
  answer: (line: string, socket: Socket) => string,
  greeting = '220 hello\r\n',
  host = '127.0.0.1',
): Promise<ScriptedServer> {
  let received = '';
  const sockets = new Set<Socket>();
  const scripted: ScriptedServer = { url: '', received: () => received, onDot: () => undefined };
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.write(greeting);
    let rest = '';
    socket.on('data', (chunk) => {
      const lines = (rest + chunk.toString()).split('\r\n');
      rest = lines.pop() ?? '';
      for (const line of lines) {
        received += `${line}\n`;
        if (line === '.') scripted.onDot();
        const text = answer(line, socket);
        if (text !== '' && !socket.destroyed) socket.write(text);
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  scripted.url = `smtp://127.0.0.1:${(server.address() as { port: number }).port}`;
  return scripted;
}

export async function sendTo(
  server: ScriptedServer,
  beforeLastByte: () => Promise<void>,
  pool: { socketTimeout?: number } = {},
  signal?: AbortSignal,
) {
  const mailer = testMailer(server.url, { pool });
  const outcome = await mailer.send(MAIL, { beforeLastByte, ...(signal ? { signal } : {}) });
  await mailer.close();
  return { outcome, received: server.received };
}
