/** A source's server with scripted responses, and the context of its requests. */
import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import type { TestContext } from 'node:test';
import { readFeed } from '../../article/import/feed/read-feed.ts';
import type { SourceContext } from '../../sources/types.ts';
import { startServer } from '../destinations/destination-harness.ts';

export interface SourceAnswer {
  status?: number;
  headers?: Record<string, string>;
  body?: string | Uint8Array | object;
}

export interface SourceServer {
  origin: string;
  /** As `METHOD path`, in order. */
  requests: string[];
  /** The bodies and headers of the same requests. */
  received: { body: string; headers: IncomingMessage['headers'] }[];
  /** Queues responses. Without one, the status is 404. */
  next(...answers: SourceAnswer[]): void;
}

export async function startSource(context: TestContext): Promise<SourceServer> {
  const answers: SourceAnswer[] = [];
  const requests: string[] = [];
  const received: SourceServer['received'] = [];
  const origin = await startServer(context, (request, response) => {
    void text(request).then((body) => {
      requests.push(`${request.method} ${request.url}`);
      received.push({ body, headers: request.headers });
      const { status = 200, headers = {}, body: answer = '' } = answers.shift() ?? { status: 404, body: {} };
      const isRaw = typeof answer === 'string' || answer instanceof Uint8Array;
      response.writeHead(status, headers).end(isRaw ? answer : JSON.stringify(answer));
    });
  });
  return { origin, requests, received, next: (...more) => void answers.push(...more) };
}

export const NOW = new Date('2026-11-21T12:00:00Z');

export const createContext = (changes: Partial<SourceContext> = {}): SourceContext => ({
  ...{ timeoutMs: 5_000, now: () => NOW, allowPrivate: true, readFeed: async (feed) => readFeed(feed) },
  ...changes,
});
