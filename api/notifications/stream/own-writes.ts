/**
 * Who has changed something, and asks for it next, sees the change: after an answer to a request that may have written, what is kept is served
 * again once the announcements of what was committed before have arrived here. So no route has to say what it changed, and it is the reader of
 * that moment who waits, if there is one, not every writer. Where they do not come, what is kept is in doubt and made anew.
 */
import type { FastifyInstance } from 'fastify';
import fp from 'fastify-plugin';
import type { KeptAnswers } from '../../http-cache/cached-responses.ts';
import type { NotificationListener } from './notification-listener.ts';

/** A question to the database takes a fraction of a millisecond. */
const PATIENCE_MS = 250;
const READS = new Set(['GET', 'HEAD', 'OPTIONS']);

export const ownWritesPlugin = fp(
  async (app: FastifyInstance, { kept, listener }: { kept: KeptAnswers; listener: NotificationListener }) => {
    app.addHook('onSend', async ({ method, is404 }) => {
      if (READS.has(method) || is404) return;
      kept.settle(listener.catchUp(PATIENCE_MS));
    });
  },
);
