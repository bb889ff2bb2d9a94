/** The notification interface: a short-lived stream token, and the stream itself. */
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { Database } from '../../store/db/database.ts';
import { findSessionStanding } from '../../store/sessions/standing.ts';
import { createUnauthenticatedProblem, getSession, requireSession } from '../auth/session-hook.ts';
import type { Sessions } from '../auth/sessions.ts';
import type { EventHub } from '../background/event-hub.ts';
import type { ApiConfig } from '../config.ts';
import { buildProblemResponse } from '../errors/problem.ts';

interface Options {
  db: Database;
  sessions: Sessions;
  hub: EventHub;
  config: ApiConfig;
  now: () => Date;
}

export async function notificationRoutes(fastify: FastifyInstance, { db, sessions, hub, config, now }: Options) {
  const app = fastify.withTypeProvider<TypeBoxTypeProvider>();

  // Where the site and this interface have different origins, only the site's pages may call it.
  const siteOrigin = new URL(config.baseUrl).origin;
  app.addHook('onRequest', async (request, reply) => {
    if (request.headers.origin !== siteOrigin || siteOrigin === new URL(config.apiUrl).origin) return;
    const allow = { 'access-control-allow-origin': siteOrigin, vary: 'Origin' };
    reply.headers(allow);
    for (const [name, value] of Object.entries(allow)) reply.raw.setHeader(name, value);
  });
  app.options('/notifications/sse-token', { schema: { hide: true } }, async (_request, reply) => {
    reply.header('access-control-allow-headers', 'authorization').header('access-control-allow-methods', 'GET');
    return reply.code(204).send();
  });

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
      // A HEAD request would open a stream that sends nothing.
      exposeHeadRoute: false,
      schema: {
        summary: 'Notifications as they happen (text/event-stream)',
        description:
          'Every message has `event: notification`, a growing number as `id`, and a JSON notification as `data`. ' +
          'Last-Event-ID replays what was missed. A stream begins with the `id` from which it goes on, so that a client ' +
          'that is cut off before its first message has one too. An EventSource that is made anew, with a new token, ' +
          'cannot send the header: it gives the number as `lastEventId`.',
        querystring: Type.Object({ token: Type.Optional(Type.String()), lastEventId: Type.Optional(Type.String()) }),
        headers: Type.Object({ 'last-event-id': Type.Optional(Type.String()) }),
        response: {
          200: { description: 'The stream.', content: { 'text/event-stream': { schema: Type.String() } } },
          204: Type.Null({ description: 'The token of a client that comes back has expired: an EventSource stops.' }),
          401: buildProblemResponse('The stream token is missing, expired or not valid.'),
          503: buildProblemResponse('The database is unreachable.'),
        },
      },
    },
    async (request, reply) => {
      const owner = await sessions.verify('courant:stream', request.query.token ?? '');
      const standing = owner && (await findSessionStanding(db, { ...owner, now: now() }));
      if (!owner || standing?.state !== 'open') return refuse(request, reply);
      const { userId } = owner;
      // An EventSource that reconnects by itself repeats its address: the header is the later of the two.
      const after = readEventId(request.headers['last-event-id']) ?? readEventId(request.query.lastEventId);
      // Before the hijack: until then an unreachable database is answered with a 503.
      const newest = await hub.newest(userId);
      reply.hijack();
      request.raw.socket.setTimeout(0);
      hub.open(userId, request.raw, reply.raw, after === null ? newest : Math.min(after, newest));
    },
  );
}

/** 204 makes an EventSource that reconnects with an old token stop; a first request is told why. */
function refuse(request: FastifyRequest, reply: FastifyReply) {
  if (request.headers['last-event-id'] !== undefined) return reply.code(204).send();
  throw createUnauthenticatedProblem(
    'The stream token is missing, expired or not valid. Get a new one at /notifications/sse-token.',
  );
}

function readEventId(text: string | undefined): number | null {
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : null;
}
