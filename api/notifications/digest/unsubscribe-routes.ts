/**
 * Routes of the unsubscribe link of a digest. Mail scanners follow links, so GET only shows a
 * button. POST acts; the page or a mail program sends it (RFC 8058: no cookie, no redirect, only
 * the signed link).
 */
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { verifyUnsubscribe } from '../../../store/digests/unsubscribe-token.ts';
import { acceptOneClick, requireOneClick } from '../../web/one-click.ts';
import { sendLinkPage } from '../../web/send-page.ts';
import { renderUnknownLinkPage, renderUnsubscribedPage, renderUnsubscribePage } from './unsubscribe-page.ts';

export interface UnsubscribeDeps {
  /** From `loadUnsubscribeKey`. */
  unsubscribeKey: Buffer;
  /** Idempotent; does nothing for a user who no longer exists. */
  turnOffDigest: (userId: string) => Promise<unknown>;
}

/**
 * Two segments, because a single one would collide with article slugs. The token is in the query,
 * which is never logged.
 */
export const UNSUBSCRIBE_PATH = '/digest/unsubscribe';

export async function unsubscribeRoutes(fastify: FastifyInstance, { unsubscribeKey, turnOffDigest }: UnsubscribeDeps) {
  const app = fastify.withTypeProvider<TypeBoxTypeProvider>();
  await acceptOneClick(app);
  // A repeated parameter is an array, which is not a valid token.
  const schema = { hide: true, querystring: Type.Object({ token: Type.Optional(Type.Unknown()) }) };
  const readUserId = ({ token }: { token?: unknown }) =>
    typeof token === 'string' ? verifyUnsubscribe(unsubscribeKey, token) : null;

  app.get(UNSUBSCRIBE_PATH, { schema }, async (request, reply) =>
    readUserId(request.query) === null
      ? sendLinkPage(reply, 404, renderUnknownLinkPage())
      : sendLinkPage(reply, 200, renderUnsubscribePage()),
  );

  app.post(UNSUBSCRIBE_PATH, { schema }, async (request, reply) => {
    const userId = readUserId(request.query);
    if (userId === null) return sendLinkPage(reply, 404, renderUnknownLinkPage());
    requireOneClick(request);
    await turnOffDigest(userId);
    return sendLinkPage(reply, 200, renderUnsubscribedPage());
  });
}
