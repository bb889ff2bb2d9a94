/**
 * A proxy in front of a real server that can forward a request and cut the connection instead of
 * responding.
 */
import { createServer, type IncomingMessage, request as openRequest, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';

export interface CuttingProxy {
  /** Replaces the origin of the server. */
  origin: string;
  /** Forwards the next matching request and drops its response. One cut per call. */
  cutNext(matches: (method: string, path: string) => boolean): void;
  /** The requests so far, including cut ones: `POST /wp-json/wp/v2/posts`. */
  seen: readonly string[];
}

/** `target` is an http origin. The proxy ends with the test. */
export async function startCuttingProxy(context: TestContext, target: string): Promise<CuttingProxy> {
  const cuts: ((method: string, path: string) => boolean)[] = [];
  const seen: string[] = [];
  const server = createServer((request, response) => {
    const { method = 'GET', url = '/' } = request;
    seen.push(`${method} ${url}`);
    const at = cuts.findIndex((matches) => matches(method, url));
    if (at !== -1) cuts.splice(at, 1);
    forward(target, request, response, at !== -1);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  context.after(
    () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  );
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cutNext: (matches) => cuts.push(matches),
    seen,
  };
}

/** Reads the response completely before a cut, so that the server has done its work. */
function forward(target: string, incoming: IncomingMessage, response: ServerResponse, isCut: boolean): void {
  const { method, url, headers } = incoming;
  const { host } = new URL(target);
  const outgoing = openRequest(new URL(url ?? '/', target), { method, headers: { ...headers, host } }, (answer) => {
    const chunks: Buffer[] = [];
    answer.on('data', (chunk: Buffer) => chunks.push(chunk));
    answer.on('end', () => {
      if (isCut) response.destroy();
      else response.writeHead(answer.statusCode ?? 502, answer.headers).end(Buffer.concat(chunks));
    });
    answer.on('error', () => response.destroy());
  });
  outgoing.on('error', () => response.destroy());
  incoming.pipe(outgoing);
}
