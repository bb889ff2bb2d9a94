/** Records every request that a client can send to the sandbox. */
import assert from 'node:assert/strict';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import type { TestContext } from 'node:test';
import type { DeliverableArticle } from '../../article/types.ts';
import {
  expectDone,
  makeArticle,
  openClient,
  preparePayload,
  startSandbox,
  startServer,
} from './destination-harness.ts';
import type { Row } from './rows/types.ts';

export interface RecordedRequest {
  method: string;
  /** With the query. */
  path: string;
  headers: IncomingHttpHeaders;
  /** Parsed JSON, a Buffer for any other body, undefined without a body. */
  body: unknown;
}

/**
 * Calls every operation that the client's limits allow, through a recording proxy in front of the
 * sandbox.
 */
export async function recordRequests(
  context: TestContext,
  row: Row,
  changes: Partial<DeliverableArticle> = {},
): Promise<RecordedRequest[]> {
  const { url: target } = await startSandbox(context);
  const recorded: RecordedRequest[] = [];
  let proxy = '';
  proxy = await startServer(context, (request, response) => {
    forward(request, response, recorded, target, () => proxy).catch((error: Error) =>
      response.writeHead(500).end(error.message),
    );
  });
  const { limits, format } = row.destination;
  const client = openClient(row, proxy);
  const tags = ['C#', 'Node.js', 'x', 'y', 'z'];
  const article = makeArticle({ ...row.article, subtitle: 'Sub', tags, generateToc: true, ...changes });
  expectDone(await openClient(row, proxy, row.entered ?? {}).probe());
  const post = expectDone(await client.create(await preparePayload(client, format(article).payload)));
  if (limits.canFind) {
    expectDone(await client.find(article));
    expectDone(await client.find(makeArticle()));
  }
  if (limits.canUpdate) {
    const bare = format({ ...article, subtitle: null, coverImage: null, tags: [] }).payload;
    expectDone(await client.update(post.remoteId, await preparePayload(client, bare), post.changedAt));
  }
  if (limits.withdraw !== 'none') expectDone(await client.withdraw(post.remoteId));
  assert.ok(recorded.length > 0);
  return recorded;
}

async function forward(
  request: IncomingMessage,
  response: ServerResponse,
  recorded: RecordedRequest[],
  target: string,
  proxy: () => string,
): Promise<void> {
  const bytes = await buffer(request);
  const { method = '', url = '', headers } = request;
  recorded.push({ method, path: url, headers, body: readBody(bytes, headers['content-type']) });
  const { connection: _, host: __, 'content-length': ___, ...forwarded } = headers as Record<string, string>;
  const body = bytes.length === 0 ? {} : { body: bytes };
  const answer = await fetch(`${target}${url}`, { method, headers: forwarded, redirect: 'manual', ...body });
  // Addresses in the response also lead through this proxy.
  const entries = [...answer.headers].filter(([name]) => !/^(connection|content-length|keep-alive|date)$/.test(name));
  response.writeHead(
    answer.status,
    Object.fromEntries(entries.map(([name, value]) => [name, value.replaceAll(target, proxy())])),
  );
  response.end((await answer.text()).replaceAll(target, proxy()));
}

function readBody(bytes: Buffer, type = ''): unknown {
  if (bytes.length === 0) return undefined;
  return /^application\/json\b/.test(type) ? JSON.parse(bytes.toString()) : bytes;
}
