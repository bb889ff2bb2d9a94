/** Serves `/robots.txt`. */
import type { FastifyInstance } from 'fastify';
import { formatContentSignal } from '../../article/discovery/content-signal.ts';
import { formatRobotsTxt } from '../../article/discovery/robots.ts';
import type { ApiDeps } from '../deps.ts';
import type { PublicResponder } from '../http-cache/public-responder.ts';

export async function robotsRoutes(
  app: FastifyInstance,
  { config, responder, now }: Pick<ApiDeps, 'config' | 'now'> & { responder: PublicResponder },
) {
  const contentSignal = formatContentSignal(config.contentSignal) || null;
  const body = formatRobotsTxt({ baseUrl: config.baseUrl, contentSignal });
  // The content depends only on the configuration, which is read at start.
  const lastModified = now();
  app.get('/robots.txt', { schema: { hide: true } }, (request, reply) =>
    responder.send(request, reply, {
      key: '/robots.txt',
      make: async () => ({ status: 200, type: 'text/plain; charset=utf-8', body, lastModified, cacheTags: [] }),
    }),
  );
}
