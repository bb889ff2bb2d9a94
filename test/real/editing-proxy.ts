/** A proxy that edits a post between its read and the response. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { TestContext } from 'node:test';
import { editByHand } from './ghost-site.ts';

/**
 * Returns an origin in front of `target` whose first GET is followed by an edit. It ends with the
 * test.
 */
export async function startEditingProxy(context: TestContext, target: string, remoteId: string): Promise<string> {
  let isQuiet = true;
  const server = createServer((request, response) => {
    const carry = async () => {
      const { method = 'GET', url = '/' } = request;
      const bytes = await buffer(request);
      const { host: _, connection: __, 'content-length': ___, ...headers } = request.headers as Record<string, string>;
      const answer = await fetch(`${target}${url}`, {
        method,
        headers,
        ...(bytes.length === 0 ? {} : { body: bytes }),
      });
      const text = await answer.text();
      if (method === 'GET' && isQuiet) {
        isQuiet = false;
        await editByHand(remoteId, { title: 'Meddled with' });
      }
      response.writeHead(answer.status, { 'content-type': 'application/json' }).end(text);
    };
    carry().catch((error: Error) => response.writeHead(500).end(error.message));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  context.after(
    () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  );
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
