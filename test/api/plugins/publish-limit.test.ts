/** The rate limit of publishes counts by token. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fastify } from 'fastify';
import { chooseRequestId } from '../../../api/plugins/response-headers.ts';
import { limitPublishes } from '../../../api/publishing/routes.ts';

test('concurrent requests with the same X-Request-Id are counted for their own tokens', async () => {
  const app = fastify({ genReqId: chooseRequestId });
  app.decorateRequest('tokenOwner', null);
  const both = Promise.withResolvers<void>();
  let waiting = 0;
  const identify = async (request: { tokenOwner: unknown; headers: Record<string, unknown> }) => {
    request.tokenOwner = { uses: { current: Number(request.headers['x-uses']), ttl: 60_000 } };
    if (++waiting === 2) both.resolve();
    await both.promise;
  };
  app.get('/', { onRequest: [identify, limitPublishes(10)] }, async () => 'published');
  const answers = await Promise.all(
    [3, 11].map((uses) =>
      app.inject({ url: '/', headers: { 'x-request-id': 'the-same-for-all', 'x-uses': String(uses) } }),
    ),
  );
  assert.deepEqual(
    answers.map(({ statusCode, headers }) => [statusCode, headers['ratelimit-remaining']]),
    [
      [200, '7'],
      [429, '0'],
    ],
  );
  await app.close();
});
