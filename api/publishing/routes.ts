/** `POST /api/v1/articles`, the only route for developer tokens: publishes an article. */

import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import { MAX_CONTENT_BYTES } from '../../article/content-limit.ts';
import { authenticateToken, getTokenOwner, refuseSuspended } from '../auth/developer-token.ts';
import type { PublishDeps } from '../deps.ts';
import { readIdempotencyKey, runIdempotently } from './idempotency.ts';
import { logPublish } from './observe-publish.ts';
import { publishDocument } from './publish-document.ts';
import { publishLimitPlugin } from './publish-limit.ts';
import { readPublishBody } from './request.ts';
import { type PublishResponseBody, publishSchema } from './schema.ts';

/** JSON escapes can make the content six times as long. The other fields have 64 KiB. */
const MAX_BODY_BYTES = 6 * MAX_CONTENT_BYTES + 64 * 1024;

export async function articleRoutes(fastify: FastifyInstance, deps: PublishDeps) {
  const app = fastify.withTypeProvider<TypeBoxTypeProvider>();
  // Registered in this scope only, because other routes have other limits.
  await app.register(publishLimitPlugin, { perMinute: deps.config.publishRatePerMinute });

  app.post(
    '/api/v1/articles',
    {
      schema: publishSchema,
      bodyLimit: MAX_BODY_BYTES,
      onRequest: [authenticateToken(deps.db, deps.now), app.rateLimit(), refuseSuspended],
    },
    async (request, reply) => {
      const owner = getTokenOwner(request);
      const input = readPublishBody(request.body);
      const key = readIdempotencyKey(request.headers['idempotency-key'], owner.userId, input);
      const { response, isReplay } = await runIdempotently(deps, key, (claim) =>
        publishDocument(deps, owner, input, claim),
      );
      reply.headers(isReplay ? { ...response.headers, 'idempotency-replayed': 'true' } : response.headers);
      const responseBody = response.body as PublishResponseBody;
      logPublish(request, { articleId: responseBody.data.id, action: responseBody.action, isReplay });
      return reply.code(response.status as 200 | 201).send(responseBody);
    },
  );
}
