/**
 * An HTTP server that imitates the publish endpoint and the login mutation, and records requests.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, afterEach, before } from 'node:test';
import { type CliHome, createCliHome } from '../cli-home.ts';

interface ReceivedRequest {
  method: string;
  path: string;
  headers: IncomingMessage['headers'];
  body: Record<string, unknown>;
}

export type AnswerRequest = (response: ServerResponse, request: ReceivedRequest) => void;

export interface PublishServer {
  origin: string;
  /** The GraphQL address, for `--endpoint`. */
  endpoint: string;
  requests: ReceivedRequest[];
  /** Counts TCP connections, with or without a request. */
  connections(): number;
  /** Queues responses for the next requests, in order. Further requests get "created". */
  next(...answers: AnswerRequest[]): void;
  close(): Promise<void>;
}

export async function startPublishServer(): Promise<PublishServer> {
  const requests: ReceivedRequest[] = [];
  const queue: AnswerRequest[] = [];
  let connections = 0;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = JSON.parse(Buffer.concat(chunks).toString('utf8')) as Record<string, unknown>;
      const received = { method: request.method ?? '', path: request.url ?? '', headers: request.headers, body };
      requests.push(received);
      (queue.shift() ?? created())(response, received);
    });
  });
  server.on('connection', () => {
    connections += 1;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    endpoint: `${origin}/graphql`,
    requests,
    connections: () => connections,
    next: (...answers) => void queue.push(...answers),
    close: () =>
      new Promise<void>((resolve, reject) => {
        server.close((error) => (error === undefined ? resolve() : reject(error)));
        server.closeAllConnections();
      }),
  };
}

export interface PublishSetUp {
  home: CliHome;
  server: PublishServer;
  /** The path of a small post. */
  file: string;
}

/**
 * Sets up a home with a small post, and a server, for all tests of a suite. The fields are set
 * before its first test.
 */
export function setUpPublish(): PublishSetUp {
  const setUp = {} as PublishSetUp;
  before(async () => {
    setUp.home = await createCliHome();
    setUp.server = await startPublishServer();
    setUp.file = await setUp.home.write('post.md', '---\ntitle: Hello\n---\nText.\n');
  });
  afterEach(() => {
    setUp.server.requests.length = 0;
  });
  after(async () => {
    await setUp.server.close();
    await setUp.home.remove();
  });
  return setUp;
}

const ARTICLE = { id: 'a1', slug: 'hello', status: 'PUBLISHED', url: 'https://courant.example/hello' };

export function created(data: object = {}, more: object = {}): AnswerRequest {
  return json(201, { success: true, action: 'created', data: { ...ARTICLE, ...data }, ...more });
}

export function updated(data: object = {}, more: object = {}): AnswerRequest {
  return json(200, { success: true, action: 'updated', data: { ...ARTICLE, ...data }, ...more });
}

export function problem(status: number, body: object, headers: Record<string, string> = {}): AnswerRequest {
  const full = { success: false, type: 'about:blank', status, requestId: 'req-77', ...body };
  return json(status, full, { 'content-type': 'application/problem+json', ...headers });
}

export function json(status: number, body: unknown, headers: Record<string, string> = {}): AnswerRequest {
  return plain(status, JSON.stringify(body), { 'content-type': 'application/json', ...headers });
}

export function plain(status: number, body: string, headers: Record<string, string> = {}): AnswerRequest {
  return (response) => void response.writeHead(status, headers).end(body);
}

/** Closes the connection without a response. */
export function dropped(): AnswerRequest {
  return (response) => void response.destroy();
}

/** Never responds; the test closes the server. */
export function silent(): AnswerRequest {
  return () => undefined;
}
