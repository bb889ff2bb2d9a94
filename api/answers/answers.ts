/** Sends answers to readers, with their validators: whoever has the present version is told so (RFC 9110, 13.2.2). */
import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Answer, Redirect } from './answer.ts';

export interface Answers {
  /**
   * `key` names what is asked for, whoever asks: the kind of document and its parameters, in their one spelling. What `make` throws is
   * answered by the error handler and never kept.
   */
  send(
    request: FastifyRequest,
    reply: FastifyReply,
    question: { key: string; make: () => Promise<Answer | Redirect> },
  ): Promise<FastifyReply>;
}

export function createAnswers(): Answers {
  return {
    async send(request, reply, { make }) {
      const answer = await make();
      if (answer.status === 301) return reply.redirect(answer.location, 301);
      reply
        .code(answer.status)
        .type(answer.type)
        .headers(answer.headers ?? {});
      if (answer.lastModified === null) return reply.header('cache-control', 'no-store').send(answer.body);
      const etag = `"${createHash('sha256').update(answer.body).digest('base64url').slice(0, 27)}"`;
      reply.header('etag', etag).header('last-modified', answer.lastModified.toUTCString());
      reply.header('cache-control', 'public, max-age=0, must-revalidate');
      if (answer.status === 200 && isCurrent(request, etag, answer.lastModified)) return reply.code(304).send();
      return reply.send(answer.body);
    },
  };
}

/** If-None-Match decides alone where it is given. */
function isCurrent(request: FastifyRequest, etag: string, lastModified: Date): boolean {
  const match = request.headers['if-none-match'];
  if (match !== undefined) {
    return match.split(',').some((candidate) => ['*', etag].includes(candidate.trim().replace(/^W\//, '')));
  }
  const since = Date.parse(request.headers['if-modified-since'] ?? '');
  return !Number.isNaN(since) && Math.floor(lastModified.getTime() / 1000) * 1000 <= since;
}
