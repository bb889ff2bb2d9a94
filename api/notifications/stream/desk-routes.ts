/**
 * Server-sent events about the signed-in author's desk. `article`, `delivery` and `notification`
 * contain the id of a row; `reload` is sent for all other changes. Nothing is replayed: a page
 * reloads after a reconnect.
 */
import type { OutgoingHttpHeaders } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { findSessionStatus } from '../../../store/sessions/session-status.ts';
import { isSameOrigin } from '../../auth/same-origin.ts';
import { readSessionCookie } from '../../auth/session-cookie.ts';
import { createUnauthenticatedProblem } from '../../auth/session-hook.ts';
import type { ApiDeps } from '../../deps.ts';
import { BYPASS_OVERLOAD } from '../../plugins/overload.ts';
import type { EventHub } from './event-hub.ts';

export async function deskStreamRoute(app: FastifyInstance, deps: ApiDeps & { hub: EventHub }) {
  const { db, hub, now } = deps;
  // A HEAD request would open a stream that sends nothing.
  const options = { config: BYPASS_OVERLOAD, exposeHeadRoute: false, schema: { hide: true } };
  app.get('/desk/stream', options, async (request, reply) => {
    // A page of another site cannot read the stream, but would use up the author's limit.
    const isCrossSite = request.headers['sec-fetch-site'] !== undefined && !isSameOrigin(request);
    const owner = isCrossSite ? null : await readSessionCookie(request, deps);
    const checkedAt = performance.now();
    const status = owner && (await findSessionStatus(db, { ...owner, now: now() }));
    if (owner === null || status?.state !== 'open')
      throw createUnauthenticatedProblem('Your session has ended. Sign in, then reload the page.');
    reply.hijack();
    const headers = reply.getHeaders() as OutgoingHttpHeaders;
    hub.openDesk({ ...owner, address: request.ip, checkedAt }, request.raw, reply.raw, { headers });
    return reply;
  });
}
