/**
 * Routes of the links that confirm and leave a newsletter. Mail scanners follow links, so GET only
 * shows a button. POST acts; the page or a mail program sends it (RFC 8058: no cookie, no redirect,
 * only the signed link).
 */

import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { Type } from 'typebox';
import { RefusedCommandError } from '../../../store/commands/refused-command.ts';
import { unsubscribeReader } from '../../../store/newsletter/subscribe.ts';
import { signNewsletterToken, verifyNewsletterToken } from '../../../store/newsletter/unsubscribe-token.ts';
import type { AccountDeps } from '../../auth/account-deps.ts';
import { findOpenLink } from '../../auth/mail-links.ts';
import { renderDeadLinkPage } from '../../web/link-page.ts';
import { acceptOneClick, requireOneClick } from '../../web/one-click.ts';
import { sendLinkPage } from '../../web/send-page.ts';
import { confirmSubscription } from './newsletter.ts';
import {
  renderLeavePage,
  renderNewsletterLeftPage,
  renderSubscribedPage,
  renderSubscribePage,
  renderUnknownSubscriptionPage,
} from './page.ts';

export interface NewsletterDeps extends AccountDeps {
  /** Signs and verifies the links that leave a newsletter. */
  unsubscribeKey: Buffer;
}

/**
 * Two segments, because a single one would collide with article slugs. The token is in the query,
 * which is never logged.
 */
const CONFIRM_PATH = '/newsletter/confirm';
const LEAVE_PATH = '/newsletter/leave';

export async function newsletterRoutes(fastify: FastifyInstance, deps: NewsletterDeps) {
  const { db, now, unsubscribeKey: leaveKey } = deps;
  const app = fastify.withTypeProvider<TypeBoxTypeProvider>();
  await acceptOneClick(app);
  // A repeated parameter is an array, which is not a valid token.
  const schema = { hide: true, querystring: Type.Object({ token: Type.Optional(Type.Unknown()) }) };
  const readToken = ({ token }: { token?: unknown }) => (typeof token === 'string' ? token : '');
  const readId = (query: { token?: unknown }) => verifyNewsletterToken(leaveKey, readToken(query));

  app.get(CONFIRM_PATH, { schema }, (request, reply) =>
    respond(reply, async () => {
      await findOpenLink(deps, readToken(request.query), 'confirm_subscription');
      return renderSubscribePage();
    }),
  );

  app.post(CONFIRM_PATH, { schema }, (request, reply) =>
    respond(reply, async () => {
      const { subscriptionId, username } = await confirmSubscription(deps, readToken(request.query));
      const token = encodeURIComponent(signNewsletterToken(leaveKey, subscriptionId));
      return renderSubscribedPage(username, `${LEAVE_PATH}?token=${token}`);
    }),
  );

  app.get(LEAVE_PATH, { schema }, async (request, reply) =>
    readId(request.query) === null
      ? sendLinkPage(reply, 404, renderUnknownSubscriptionPage())
      : sendLinkPage(reply, 200, renderLeavePage()),
  );

  app.post(LEAVE_PATH, { schema }, async (request, reply) => {
    const id = readId(request.query);
    if (id === null) return sendLinkPage(reply, 404, renderUnknownSubscriptionPage());
    requireOneClick(request);
    await unsubscribeReader(db, id, now());
    return sendLinkPage(reply, 200, renderNewsletterLeftPage());
  });
}

async function respond(reply: FastifyReply, buildPage: () => Promise<string>) {
  try {
    return await sendLinkPage(reply, 200, await buildPage());
  } catch (error) {
    if (!(error instanceof RefusedCommandError)) throw error;
    return sendLinkPage(reply, 404, renderDeadLinkPage(error.message));
  }
}
