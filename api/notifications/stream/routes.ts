/** The notification interface (a short-lived stream token, and the stream) and the desk's stream. */
import type { OutgoingHttpHeaders } from 'node:http';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { findSessionStatus } from '../../../store/sessions/session-status.ts';
import { isSameOrigin } from '../../auth/same-origin.ts';
import { readSessionCookie } from '../../auth/session-cookie.ts';
import { createUnauthenticatedProblem, getSession, requireSession } from '../../auth/session-hook.ts';
import type { SessionOwner } from '../../auth/sessions.ts';
import type { ApiDeps } from '../../deps.ts';
import { buildProblemResponse } from '../../plugins/errors/problem.ts';
import { BYPASS_OVERLOAD } from '../../plugins/overload.ts';
import type { EventHub } from './event-hub.ts';

type Deps = ApiDeps & { hub: EventHub };

// A HEAD request would open a stream that sends nothing.
const STREAM = { config: BYPASS_OVERLOAD, exposeHeadRoute: false };

export async function notificationRoutes(fastify: FastifyInstance, deps: Deps) {
  const { db, sessions, hub, config, now } = deps;
  const app = fastify.withTypeProvider<TypeBoxTypeProvider>();

  // If the API has a separate origin, only pages of the site may call it.
  const siteOrigin = new URL(config.baseUrl).origin;
  app.addHook('onRequest', async (request, reply) => {
    if (request.headers.origin !== siteOrigin || siteOrigin === new URL(config.apiUrl).origin) return;
    reply.headers({ 'access-control-allow-origin': siteOrigin, vary: 'Origin' });
  });
  for (const path of ['/notifications/sse-token', '/notifications/stream']) {
    app.options(path, async (_request, reply) => {
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
      onRequest: requireSession(deps),
    },
    async (request, reply) => {
      reply.header('cache-control', 'no-store');
      return { token: (await sessions.issue('courant:stream', getSession(request))).token };
    },
  );

  app.get(
    '/notifications/stream',
    {
      ...STREAM,
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
      // A stream is open for hours, and Fastify's request with it.
      request.query = {};
      const owner = await sessions.verify('courant:stream', token);
      if (owner === null) return refuse(request, reply);
      // An EventSource that reconnects repeats its URL, so the header is newer than the parameter.
      const after = readEventId(request.headers['last-event-id']) ?? readEventId(lastEventId);
      // An EventSource does not reconnect after a 204.
      if (after !== null && hub.consumeEviction(token)) return reply.code(204).send(null);
      const checkedAt = performance.now();
      // Before the hijack, so that an unreachable database still results in a 503.
      const newest = await findNewest(owner);
      if (newest === undefined) return refuse(request, reply);
      const holder = { ...owner, token, address: request.ip, checkedAt };
      const opening = { after: after === null ? newest : Math.min(after, newest), headers: takeOver(reply) };
      hub.open(holder, request.raw, reply.raw, opening);
    },
  );

  /** Number of the newest notification. Undefined for an ended session or a suspended user. */
  async function findNewest(owner: SessionOwner): Promise<number | undefined> {
    const { state } = await findSessionStatus(db, { ...owner, now: now() });
    return state === 'open' ? hub.newest(owner.userId) : undefined;
  }
}

/**
 * Server-sent events about the signed-in author's desk. `article`, `delivery` and `notification`
 * contain the id of a row; `reload` is sent for all other changes. Nothing is replayed: a page
 * reloads after a reconnect.
 */
export async function deskStreamRoute(app: FastifyInstance, deps: Deps) {
  app.get('/desk/stream', STREAM, async (request, reply) => {
    // A page of another site cannot read the stream, but would use up the author's limit.
    const isCrossSite = request.headers['sec-fetch-site'] !== undefined && !isSameOrigin(request);
    const owner = isCrossSite ? null : await readSessionCookie(request, deps);
    const checkedAt = performance.now();
    const status = owner && (await findSessionStatus(deps.db, { ...owner, now: deps.now() }));
    if (owner === null || status?.state !== 'open')
      throw createUnauthenticatedProblem('Your session has ended. Sign in, then reload the page.');
    const headers = takeOver(reply);
    deps.hub.openDesk({ ...owner, address: request.ip, checkedAt }, request.raw, reply.raw, { headers });
    return reply;
  });
}

/** Returns the headers set so far, which Fastify would drop. */
function takeOver(reply: FastifyReply): OutgoingHttpHeaders {
  reply.hijack();
  return reply.getHeaders() as OutgoingHttpHeaders;
}

/** A client that reconnects with an expired token stops. A first request gets a 401. */
function refuse(request: FastifyRequest, reply: FastifyReply) {
  if (request.headers['last-event-id'] !== undefined) return reply.code(204).send();
  throw createUnauthenticatedProblem(
    'The stream token is missing, expired or invalid. Get a new one at /notifications/sse-token.',
  );
}

function readEventId(text: string | undefined): number | null {
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : null;
}
