/** A Ghost server with scripted responses, and the client and payloads for it. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { TestContext } from 'node:test';
import { createClient } from '../../../../destinations/ghost/client.ts';
import { ghost } from '../../../../destinations/ghost/index.ts';
import type { DestinationClient } from '../../../../destinations/types.ts';
import { DEMO_GHOST_KEY } from '../../../../sandbox/app.ts';
import { makeArticle, startServer } from '../../destination-harness.ts';

export const [keyId = '', secret = ''] = DEMO_GHOST_KEY.split(':');
export const POST = {
  id: '665f1f77bcf86cd799439099',
  url: 'https://blog.example.com/x/',
  slug: 'x',
  status: 'published',
  canonical_url: 'https://blog.example.com/x',
  updated_at: '2026-01-01T00:00:00.000Z',
};

export function openGhost(
  baseUrl: string,
  changes: { adminKey?: string; now?: () => Date } = {},
): DestinationClient<unknown> {
  return createClient({
    connection: { baseUrl, credentials: { adminKey: changes.adminKey ?? DEMO_GHOST_KEY } },
    timeoutMs: 5000,
    now: changes.now ?? (() => new Date()),
    allowPrivate: true,
  });
}

/** Starts a Ghost that sends scripted responses and records the requests. */
export async function startGhost(
  context: TestContext,
  answer: (request: { method: string; path: string; body: Record<string, unknown> }) => {
    status: number;
    json: unknown;
  },
) {
  const seen: { method: string; path: string; headers: IncomingMessage['headers']; body: Record<string, unknown> }[] =
    [];
  const origin = await startServer(context, (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString();
      const { method = '', url: path = '', headers } = request;
      const body = text === '' ? {} : (JSON.parse(text) as { posts: Record<string, unknown>[] }).posts[0];
      const received = { method, path, headers, body: body ?? {} };
      seen.push(received);
      const { status, json } = answer(received);
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(json));
    });
  });
  return { origin, seen };
}

export const collision = {
  status: 409,
  json: { errors: [{ message: 'Saving failed! Someone else is editing this post.', code: 'UPDATE_COLLISION' }] },
};
export const buildPayload = (changes = {}) => ghost.format(makeArticle(changes)).payload;
