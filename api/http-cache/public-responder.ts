/** Sends public responses: from the cache, or made once for all concurrent requests. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { SECURITY_HEADERS } from '../plugins/security-headers.ts';
import { CachedResponse } from './cached-response.ts';
import { chooseCoding } from './encodings.ts';
import { matchVersion } from './preconditions.ts';
import type { PermanentRedirect, PublicResponse } from './public-response.ts';
import type { ResponseCache } from './response-cache.ts';

export interface PublicResponder {
  /**
   * `key`: the path in its canonical spelling, under which the fast path finds the response. If a
   * path has several forms or queries, append a blank and the form or query. Errors are never
   * cached.
   */
  send(
    request: FastifyRequest,
    reply: FastifyReply,
    question: { key: string; make: () => Promise<PublicResponse | PermanentRedirect> },
  ): Promise<FastifyReply>;
}

export function createPublicResponder(cache: ResponseCache): PublicResponder {
  const inProgress = new Map<string, { version: number; response: Promise<CachedResponse> }>();

  /** A request that arrives after a change does not share a run that began before it. */
  function makeOnce(key: string, make: () => Promise<PublicResponse | PermanentRedirect>): Promise<CachedResponse> {
    const running = inProgress.get(key);
    if (running && running.version === cache.version) return running.response;
    const run = { version: cache.version, response: makeAndStore(key, make) };
    inProgress.set(key, run);
    const forget = () => {
      if (inProgress.get(key) === run) inProgress.delete(key);
    };
    run.response.then(forget, forget);
    return run.response;
  }

  async function makeAndStore(
    key: string,
    make: () => Promise<PublicResponse | PermanentRedirect>,
  ): Promise<CachedResponse> {
    const making = cache.begin(key);
    try {
      const cached = new CachedResponse(await make());
      making.store(cached);
      return cached;
    } finally {
      making.end();
    }
  }

  return {
    async send(request, reply, { key, make }) {
      const { headers } = request.raw;
      const cached = cache.get(key) ?? (await makeOnce(key, make));
      const coding = chooseCoding(headers['accept-encoding']);
      let form = cached.getEncoded(coding);
      if (!form) {
        form = await cached.encodeBody(coding);
        cache.measureAgain(key);
      }
      const match = form.validators && matchVersion(headers, form.validators);
      if (!match) return reply.code(form.status).headers(form.head.headers).send(form.body);
      // A 304 must not replace the stored response's security headers with the default ones.
      for (const name of Object.keys(SECURITY_HEADERS)) reply.removeHeader(name);
      return reply.code(304).headers(form.notModified[match].headers).send();
    },
  };
}
