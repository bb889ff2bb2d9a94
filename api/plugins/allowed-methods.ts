/** Responds 405 with `Allow` if the address has other methods; others get a 404. */
import type { FastifyInstance } from 'fastify';
import fp from 'fastify-plugin';
import findMyWay, { type HTTPMethod } from 'find-my-way';
import { ProblemError } from './errors/problem.ts';

export const allowedMethodsPlugin = fp(async (app: FastifyInstance) => {
  // A second router, because Fastify's cannot list the methods of an address.
  const router = findMyWay({ ignoreTrailingSlash: true, maxParamLength: 1_000 });
  const routeMethods = new Set<HTTPMethod>();
  app.addHook('onRoute', ({ method, url }) => {
    for (const candidate of [method].flat() as HTTPMethod[]) {
      routeMethods.add(candidate);
      router.on(candidate, url, () => undefined);
    }
  });
  // Before the body is read: some methods require a content type.
  app.addHook('onRequest', async ({ is404, method, url }) => {
    if (!is404) return;
    const path = url.split('?')[0] ?? url;
    const allowed = [...routeMethods].filter(
      (candidate) => candidate !== method && router.find(candidate, path) !== null,
    );
    if (allowed.length === 0) return;
    const allow = allowed.sort().join(', ');
    const detail = `${method} is not allowed here. This address accepts ${allow}.`;
    throw new ProblemError(405, 'method_not_allowed', detail, { headers: { allow } });
  });
});
