/** `POST /api/v1/articles`, the only route for developer tokens: publishes an article. */
import type { FastifyInstance, onRequestAsyncHookHandler } from 'fastify';
import { MAX_CONTENT_BYTES } from '../../article/content-limit.ts';
import { authenticateToken, getTokenOwner, refuseSuspended } from '../auth/developer-token.ts';
import type { PublishDeps } from '../deps.ts';
import { createRateLimitProblem } from '../plugins/errors/problem.ts';
import { readIdempotencyKey, runIdempotently } from './idempotency.ts';
import { logPublish } from './observe-publish.ts';
import { publishDocument } from './publish-document.ts';
import { readPublishBody } from './request.ts';
import { type PublishBody, type PublishResponseBody, publishSchema } from './schema.ts';

/** JSON escapes can make the content six times as long. The other fields have 64 KiB. */
const MAX_BODY_BYTES = 6 * MAX_CONTENT_BYTES + 64 * 1024;

export async function articleRoutes(app: FastifyInstance, deps: PublishDeps) {
  const limit = limitPublishes(deps.config.publishRatePerMinute);
  const onRequest = [authenticateToken(deps.db, deps.now), limit, refuseSuspended];
  const options = { schema: publishSchema, bodyLimit: MAX_BODY_BYTES, onRequest };
  app.post<{ Body: PublishBody }>('/api/v1/articles', options, async (request, reply) => {
    const owner = getTokenOwner(request);
    const input = readPublishBody(request.body);
    const key = readIdempotencyKey(request.headers['idempotency-key'], owner.userId, input);
    const { response, isReplay } = await runIdempotently(deps, key, (claim) =>
      publishDocument(deps, owner, input, claim),
    );
    reply.headers(isReplay ? { ...response.headers, 'idempotency-replayed': 'true' } : response.headers);
    const body = response.body as PublishResponseBody;
    logPublish(request, { articleId: body.data.id, action: body.action, isReplay });
    return reply.code(response.status).send(body);
  });
}

/** Limits publishes per minute and valid token. Authentication has counted this one, for all instances. */
export function limitPublishes(perMinute: number): onRequestAsyncHookHandler {
  return async (request, reply) => {
    const { current, ttl } = getTokenOwner(request).uses;
    const seconds = Math.ceil(ttl / 1_000);
    reply.headers({
      'ratelimit-limit': perMinute,
      'ratelimit-remaining': Math.max(0, perMinute - current),
      'ratelimit-reset': seconds,
    });
    if (current <= perMinute) return;
    const detail = `This token has published ${perMinute} times within a minute, which is its limit. Try again in ${Math.max(1, seconds)} s.`;
    throw createRateLimitProblem(detail, Math.max(1, seconds));
  };
}
