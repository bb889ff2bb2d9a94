/** The notification interface: a short-lived stream token, and the stream itself. */
import type { OutgoingHttpHeaders } from 'node:http';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { Database } from '../../../store/db/database.ts';
import { isDatabaseUnavailable } from '../../../store/db/pg-errors.ts';
import { findSessionStatus } from '../../../store/sessions/session-status.ts';
import { createUnauthenticatedProblem, getSession, requireSession } from '../../auth/session-hook.ts';
import type { SessionOwner, Sessions } from '../../auth/sessions.ts';
import type { ApiConfig } from '../../config.ts';
import { DATABASE_UNREACHABLE } from '../../plugins/errors/messages.ts';
import { buildProblemResponse } from '../../plugins/errors/problem.ts';
import { BYPASS_OVERLOAD } from '../../plugins/overload.ts';
import type { EventHub } from './event-hub.ts';
import { chooseRetryMs } from './event-stream.ts';

interface Options {
  db: Database;
  sessions: Sessions;
  hub: EventHub;
  config: ApiConfig;
  now: () => Date;
}

export async function notificationRoutes(fastify: FastifyInstance, { db, sessions, hub, config, now }: Options) {
  const app = fastify.withTypeProvider<TypeBoxTypeProvider>();

  // If the API has a separate origin, only pages of the site may call it.
  const siteOrigin = new URL(config.baseUrl).origin;
  app.addHook('onRequest', async (request, reply) => {
    if (request.headers.origin !== siteOrigin || siteOrigin === new URL(config.apiUrl).origin) return;
    reply.headers({ 'access-control-allow-origin': siteOrigin, vary: 'Origin' });
  });
  for (const path of ['/notifications/sse-token', '/notifications/stream']) {
    app.options(path, { schema: { hide: true } }, async (_request, reply) => {
      reply.header('access-control-allow-headers', 'authorization, last-event-id');
      reply.header('access-control-allow-methods', 'GET').header('access-control-max-age', '7200');
      return reply.code(204).send();
    });
  }

  app.get(
    '/notifications/sse-token',
    {
      schema: {
        summary: 'Get a stream token, valid for 5 minutes',
        security: [{ session: [] }],
        response: {
          200: Type.Object({ token: Type.String() }),
          401: buildProblemResponse('No valid session.'),
          403: buildProblemResponse('The author is suspended.'),
        },
      },
      onRequest: requireSession({ db, sessions, now }),
    },
    async (request, reply) => {
      reply.header('cache-control', 'no-store');
      return { token: (await sessions.issue('courant:stream', getSession(request))).token };
    },
  );

  app.get(
    '/notifications/stream',
    {
      config: BYPASS_OVERLOAD,
      // A HEAD request would open a stream that sends nothing.
      exposeHeadRoute: false,
      schema: {
        summary: 'Stream notifications as they occur (text/event-stream)',
        description:
          'Every message has `event: notification`, a growing number as `id`, and a JSON notification as `data`. ' +
          'Last-Event-ID replays missed messages. A stream starts with the `id` from which it continues, so that a client ' +
          'that is disconnected before its first message has one too. A new EventSource with a new token ' +
          'cannot send the header; it passes the number as `lastEventId`.',
        querystring: Type.Object({ token: Type.Optional(Type.String()), lastEventId: Type.Optional(Type.String()) }),
        headers: Type.Object({ 'last-event-id': Type.Optional(Type.String()) }),
        response: {
          200: { description: 'The stream.', content: { 'text/event-stream': { schema: Type.String() } } },
          204: Type.Null({
            description:
              'For a reconnecting client: its token has expired, or its stream was closed because its user opened too many others. ' +
              'An EventSource then stops reconnecting.',
          }),
          401: buildProblemResponse('The stream token is missing, expired or invalid.'),
          503: buildProblemResponse('The database is unreachable.'),
        },
      },
    },
    async (request, reply) => {
      const { token = '', lastEventId } = request.query;
      const owner = await sessions.verify('courant:stream', token);
      if (owner === null) return refuse(request, reply);
      // An EventSource that reconnects repeats its URL, so the header is newer than the parameter.
      const after = readEventId(request.headers['last-event-id']) ?? readEventId(lastEventId);
      if (after !== null && hub.consumeEviction(token)) return stopReconnecting(reply);
      const checkedAt = performance.now();
      // Before the hijack, so that an unreachable database still results in a 503.
      const newest = await findNewest(owner).catch((error: unknown) => sendUnavailable(error, request, reply));
      if (reply.sent) return reply;
      if (newest === undefined) return refuse(request, reply);
      reply.hijack();
      const holder = { ...owner, token, address: request.ip, checkedAt };
      const headers = reply.getHeaders() as OutgoingHttpHeaders;
      hub.open(holder, request.raw, reply.raw, { after: after === null ? newest : Math.min(after, newest), headers });
    },
  );

  /** Number of the newest notification. Undefined for an ended session or a suspended user. */
  async function findNewest(owner: SessionOwner): Promise<number | undefined> {
    const { state } = await findSessionStatus(db, { ...owner, now: now() });
    return state === 'open' ? hub.newest(owner.userId) : undefined;
  }
}

/** Responds to an EventSource with a 503 that contains its reconnection time as an event stream. */
async function sendUnavailable(error: unknown, request: FastifyRequest, reply: FastifyReply): Promise<undefined> {
  if (!isDatabaseUnavailable(error) || !request.headers.accept?.includes('text/event-stream')) throw error;
  const body = `retry: ${chooseRetryMs()}\n: ${DATABASE_UNREACHABLE}\n\n`;
  await reply.code(503).headers({ 'retry-after': '5', 'content-type': 'text/event-stream' }).send(body);
}

/** An EventSource does not reconnect after a 204. */
function stopReconnecting(reply: FastifyReply) {
  return reply.code(204).send();
}

/** A client that reconnects with an expired token stops. A first request gets a 401. */
function refuse(request: FastifyRequest, reply: FastifyReply) {
  if (request.headers['last-event-id'] !== undefined) return stopReconnecting(reply);
  throw createUnauthenticatedProblem(
    'The stream token is missing, expired or invalid. Get a new one at /notifications/sse-token.',
  );
}

function readEventId(text: string | undefined): number | null {
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : null;
}
