/** What the destination tests share: an article, the sandbox with its levers, and servers that behave worse than it can. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import type { DeliverableArticle, DestinationKey } from '../../article/types.ts';
import { forem } from '../../destinations/forem/index.ts';
import { hashnode } from '../../destinations/hashnode/index.ts';
import type { Destination, DestinationClient } from '../../destinations/types.ts';
import {
  buildSandbox,
  DEMO_FOREM_KEY,
  DEMO_HASHNODE_PUBLICATION,
  DEMO_HASHNODE_TOKEN,
  type SandboxOptions,
} from '../../sandbox/app.ts';
import type { LogEntry } from '../../sandbox/posts.ts';

/** One row a destination: all that the shared contract needs to know of it. */
export interface Row {
  key: DestinationKey;
  destination: Destination;
  /** Where the platform's API is, below an origin. */
  path: string;
  credentials: Record<string, string>;
  wrong: Record<string, string>;
  account: string;
}

export const ROWS: readonly Row[] = [
  {
    key: 'blogsite_a',
    destination: forem,
    path: '/forem/api',
    credentials: { apiKey: DEMO_FOREM_KEY },
    wrong: { apiKey: 'expired-forem-key' },
    account: 'demo',
  },
  {
    key: 'blogsite_b',
    destination: hashnode,
    path: '/hashnode',
    credentials: { token: DEMO_HASHNODE_TOKEN, publicationId: DEMO_HASHNODE_PUBLICATION },
    wrong: { token: 'expired-hashnode-token', publicationId: DEMO_HASHNODE_PUBLICATION },
    account: 'demo',
  },
];

let count = 0;

/** An article like no other in this run. */
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
  credentials?: Record<string, string>;
  timeoutMs?: number;
  signal?: AbortSignal;
}

/** A client of the row's platform at an origin (the sandbox's, or a worse server's). */
export function openClient(row: Row, origin: string, changes: ClientChanges = {}): DestinationClient<unknown> {
  return row.destination.createClient({
    connection: { baseUrl: `${origin}${row.path}`, credentials: changes.credentials ?? row.credentials },
    timeoutMs: changes.timeoutMs ?? 5000,
    signal: changes.signal,
    now: () => new Date(),
    allowPrivate: true,
  });
}

export interface RunningSandbox {
  url: string;
  setFaults(faults: object[]): Promise<void>;
  log(): Promise<LogEntry[]>;
}

/** A sandbox of the test's own, without rate limits unless asked for, stopped at its end. */
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

/** A plain HTTP server that does as told; answers where it is. */
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

/** An origin on which nobody listens. */
export async function closedOrigin(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise<void>((resolve) => server.close(() => resolve()));
  return `http://127.0.0.1:${port}`;
}
