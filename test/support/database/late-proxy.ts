/** A proxy for the sandbox that forwards some requests after their sender has timed out. */
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

export interface LateProxy {
  url: string;
  /** Forwards the next `times` matching requests `afterMs` later, and drops their responses. */
  delay(matches: (request: ProxiedRequest) => boolean, afterMs: number, times?: number): void;
  /** Resolves when all delayed requests are forwarded. */
  settled(): Promise<void>;
  close(): Promise<void>;
}

export interface ProxiedRequest {
  method: string;
  path: string;
  body: string;
}

export async function startLateProxy(target: string): Promise<LateProxy> {
  let rule: { matches: (request: ProxiedRequest) => boolean; afterMs: number; remaining: number } | null = null;
  const lateForwards: Promise<unknown>[] = [];
  const server = createServer(async (incoming, outgoing) => {
    const { method = 'GET', url: path = '/' } = incoming;
    const body = await readBody(incoming);
    const forward = () =>
      fetch(`${target}${path}`, { method, headers: copyHeaders(incoming), ...(body ? { body } : {}) });
    if (rule && rule.remaining > 0 && rule.matches({ method, path, body })) {
      rule.remaining -= 1;
      // The sender receives nothing, times out and disconnects.
      lateForwards.push(
        sleep(rule.afterMs)
          .then(forward)
          .then((answer) => answer.arrayBuffer()),
      );
      return;
    }
    const answer = await forward();
    const headers = Object.fromEntries([...answer.headers].filter(([name]) => !HOP_BY_HOP_HEADERS.has(name)));
    outgoing.writeHead(answer.status, headers).end(Buffer.from(await answer.arrayBuffer()));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    delay(matches, afterMs, times = 1) {
      rule = { matches, afterMs, remaining: times };
    },
    settled: async () => void (await Promise.all(lateForwards)),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const HOP_BY_HOP_HEADERS = new Set(['connection', 'content-length', 'host', 'keep-alive', 'transfer-encoding']);

function copyHeaders(incoming: IncomingMessage): Record<string, string> {
  return Object.fromEntries(
    Object.entries(incoming.headers).flatMap(([name, value]) =>
      typeof value === 'string' && !HOP_BY_HOP_HEADERS.has(name) ? [[name, value]] : [],
    ),
  );
}

async function readBody(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}
