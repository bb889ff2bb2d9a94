/** Sends answers to readers: those that are kept, and others made once for all who ask meanwhile. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { SECURITY_HEADERS } from '../plugins/security-headers.ts';
import type { Answer, Redirect } from './respond.ts';
import { chooseCoding } from './encodings.ts';
import { matchVersion } from './preconditions.ts';
import type { KeptAnswers } from './cached-responses.ts';
import { Sendable } from './cached-response.ts';

export interface Answers {
  /**
   * `key` names what is asked for, whoever asks: its path in its one spelling, by which the front door finds it, and behind a blank the form
   * or the question, where an address has several. What `make` throws is answered by the error handler and never kept.
   */
  send(
    request: FastifyRequest,
    reply: FastifyReply,
    question: { key: string; make: () => Promise<Answer | Redirect> },
  ): Promise<FastifyReply>;
}

export function createAnswers(kept: KeptAnswers): Answers {
  const inProgress = new Map<string, { version: number; made: Promise<Sendable> }>();

  /** Who asks after a change does not get what was begun before it. */
  function makeOnce(key: string, make: () => Promise<Answer | Redirect>): Promise<Sendable> {
    const begun = inProgress.get(key);
    if (begun && begun.version === kept.version) return begun.made;
    const making = { version: kept.version, made: makeAndKeep(key, make) };
    inProgress.set(key, making);
    const forget = () => {
      if (inProgress.get(key) === making) inProgress.delete(key);
    };
    making.made.then(forget, forget);
    return making.made;
  }

  async function makeAndKeep(key: string, make: () => Promise<Answer | Redirect>): Promise<Sendable> {
    const making = kept.begin(key);
    try {
      const sendable = new Sendable(await make());
      making.keep(sendable);
      return sendable;
    } finally {
      making.end();
    }
  }

  return {
    async send(request, reply, { key, make }) {
      const { headers } = request.raw;
      const sendable = kept.get(key) ?? (await makeOnce(key, make));
      const coding = chooseCoding(headers['accept-encoding']);
      let form = sendable.getForm(coding);
      if (!form) {
        form = await sendable.makeForm(coding);
        kept.measureAgain(key);
      }
      const match = form.validators && matchVersion(headers, form.validators);
      if (!match) return reply.code(form.status).headers(form.head.headers).send(form.body);
      // Those of every answer would take the place of the page's own.
      for (const name of Object.keys(SECURITY_HEADERS)) reply.removeHeader(name);
      return reply.code(304).headers(form.notModified[match].headers).send();
    },
  };
}
