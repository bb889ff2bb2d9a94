/**
 * Shared parts of the destination tests: an article, the sandbox with its faults, and failing
 * servers.
 */
import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import type { DeliverableArticle } from '../../article/types.ts';
import type { DestinationClient, Outcome } from '../../destinations/types.ts';
import { buildSandbox, type SandboxOptions } from '../../sandbox/app.ts';
import type { LogEntry } from '../../sandbox/state.ts';
import type { Row } from './rows/types.ts';

let count = 0;

/** An article that is unique in this run. */
export function makeArticle(changes: Partial<DeliverableArticle> = {}): DeliverableArticle {
  count += 1;
  return {
    id: `article-${count}`,
    slug: `an-article-${count}`,
    title: `An article ${count}`,
    subtitle: null,
    excerpt: 'What it is about.',
    tags: ['node', 'testing'],
    canonicalUrl: `https://blog.example.com/an-article-${count}`,
    coverImage: 'https://blog.example.com/cover.png',
    generateToc: false,
    commentsEnabled: true,
    body: `Body of article ${count}.\n`,
    ...changes,
  };
}

export interface ClientChanges {
  path?: string;
  credentials?: Record<string, string>;
  timeoutMs?: number;
  signal?: AbortSignal;
  now?: () => Date;
}

/** A client of the row's platform at an origin (the sandbox's or another server's). */
export function openClient(row: Row, origin: string, changes: ClientChanges = {}): DestinationClient<unknown> {
  return row.destination.createClient({
    connection: {
      baseUrl: `${origin}${changes.path ?? row.path}`,
      credentials: changes.credentials ?? row.credentials,
    },
    timeoutMs: changes.timeoutMs ?? 5000,
    signal: changes.signal,
    now: changes.now ?? (() => new Date()),
    allowPrivate: true,
  });
}

/** The value of an outcome that has to be `expectDone`. */
export function expectDone<T>(outcome: Outcome<T>): T {
  assert.equal(outcome.kind, 'done', JSON.stringify(outcome));
  return (outcome as { value: T }).value;
}

interface Ready {
  article: DeliverableArticle;
  payload: unknown;
}

/** An article that suits the row's platform, and its prepared payload. */
export async function prepareArticle(
  row: Row,
  client: DestinationClient<unknown>,
  changes: Partial<DeliverableArticle> = {},
): Promise<Ready> {
  const article = makeArticle({ ...row.article, ...changes });
  return { article, payload: await preparePayload(client, row.destination.format(article).payload) };
}

/** Like `prepareArticle`, for servers that cannot prepare anything. */
export async function prepareArticleInSandbox(context: TestContext, row: Row): Promise<Ready> {
  const client = openClient(row, await closedOrigin());
  return prepareArticle(row, client.prepare ? openClient(row, (await startSandbox(context)).url) : client);
}

/** The payload after `prepare`, if the client has one. */
export async function preparePayload(client: DestinationClient<unknown>, payload: unknown): Promise<unknown> {
  return client.prepare ? expectDone(await client.prepare(payload)) : payload;
}

export interface RunningSandbox {
  url: string;
  setFaults(faults: object[]): Promise<void>;
  log(): Promise<LogEntry[]>;
}

/** A sandbox for one test, without rate limits by default. Stops when the test ends. */
export async function startSandbox(context: TestContext, options: SandboxOptions = {}): Promise<RunningSandbox> {
  const sandbox = await buildSandbox({ rateLimits: false, ...options });
  context.after(() => sandbox.close());
  const { url } = await sandbox.listen();
  return {
    url,
    async setFaults(faults) {
      const answer = await fetch(`${url}/faults`, {
        method: 'PUT',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(faults),
      });
      if (!answer.ok) throw new Error(await answer.text());
    },
    log: async () => (await (await fetch(`${url}/log`)).json()) as LogEntry[],
  };
}

/** A plain HTTP server with this handler; returns its origin. */
export async function startServer(
  context: TestContext,
  handler: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<string> {
  const server = createServer(handler);
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

/** An origin without a listener. */
export async function closedOrigin(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise<void>((resolve) => server.close(() => resolve()));
  return `http://127.0.0.1:${port}`;
}
