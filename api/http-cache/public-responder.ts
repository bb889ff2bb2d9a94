/** Sends public responses: from the cache, or built once for all concurrent requests. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { SECURITY_HEADERS } from '../plugins/response-headers.ts';
import { CachedResponse } from './cached-response.ts';
import { chooseCoding } from './encodings.ts';
import { matchVersion } from './preconditions.ts';
import type { PermanentRedirect, PublicResponse } from './public-response.ts';
import type { ResponseCache } from './response-cache.ts';

export interface PublicResponder {
  /**
   * `key`: the path in its canonical spelling, by which the fast path finds the response. If a path
   * has several forms or queries, append a space and the form or query. Errors are never cached.
   */
  send(
    request: FastifyRequest,
    reply: FastifyReply,
    question: { key: string; make: () => Promise<PublicResponse | PermanentRedirect> },
  ): Promise<FastifyReply>;
  /** Serves a response at a fixed path. */
  serve(app: FastifyInstance, path: string, make: () => Promise<PublicResponse>): void;
}

export function createPublicResponder(cache: ResponseCache): PublicResponder {
  const inProgress = new Map<string, { version: number; response: Promise<CachedResponse> }>();

  /** A request that arrives after a change does not share a run that began before it. */
  function buildOnce(key: string, make: () => Promise<PublicResponse | PermanentRedirect>): Promise<CachedResponse> {
    const running = inProgress.get(key);
    if (running && running.version === cache.version) return running.response;
    const run = { version: cache.version, response: buildAndStore(key, make) };
    inProgress.set(key, run);
    const removeRun = () => {
      if (inProgress.get(key) === run) inProgress.delete(key);
    };
    run.response.then(removeRun, removeRun);
    return run.response;
  }

  async function buildAndStore(
    key: string,
    make: () => Promise<PublicResponse | PermanentRedirect>,
  ): Promise<CachedResponse> {
    const pending = cache.begin(key);
    try {
      const cached = new CachedResponse(await make());
      pending.store(cached);
      return cached;
    } finally {
      pending.end();
    }
  }

  const responder: PublicResponder = {
    async send(request, reply, { key, make }) {
      const { headers } = request.raw;
      const cached = cache.get(key) ?? (await buildOnce(key, make));
      const coding = chooseCoding(headers['accept-encoding']);
      let encoded = cached.getEncoded(coding);
      if (!encoded) {
        encoded = await cached.encodeBody(coding);
        cache.updateSize(key);
      }
      const match = encoded.validators && matchVersion(headers, encoded.validators);
      if (!match) return reply.code(encoded.status).headers(encoded.headers).send(encoded.body);
      // A 304 must not replace the stored response's security headers with the default ones.
      for (const name of Object.keys(SECURITY_HEADERS)) reply.removeHeader(name);
      return reply.code(304).headers(encoded.notModified[match]).send();
    },
    serve(app, path, make) {
      app.get(path, (request, reply) => responder.send(request, reply, { key: path, make }));
    },
  };
  return responder;
}
