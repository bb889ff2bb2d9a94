/**
 * The link that leaves a newsletter. As with the digest's, GET only asks, because machines follow links; POST acts, from the page's button or from
 * a mail program's own (RFC 8058: no cookie, no redirect, only the signed link).
 */
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { verifyLeave } from '../../store/newsletter/leave-token.ts';
import { ProblemError } from '../errors/problem.ts';
import { renderLeavePage, renderLeftPage, renderUnknownSubscriptionPage } from '../pages/newsletter-page.ts';
import { sendLinkPage } from '../pages/send-page.ts';
import { formBodyPlugin } from '../plugins/form-body.ts';

export interface NewsletterDeps {
  leaveKey: Buffer;
  /** Idempotent; does nothing for a subscription that is gone. */
  leave: (subscriptionId: string) => Promise<void>;
}

/** Two segments, because one alone would collide with article slugs. The token is in the query, which is never logged. */
const LEAVE_PATH = '/newsletter/leave';

export async function newsletterRoutes(fastify: FastifyInstance, { leaveKey, leave }: NewsletterDeps) {
  const app = fastify.withTypeProvider<TypeBoxTypeProvider>();
  await app.register(formBodyPlugin, { bodyLimit: 4 * 1024 });
  // Given twice it is an array, which is no token of ours.
  const schema = { hide: true, querystring: Type.Object({ token: Type.Optional(Type.Unknown()) }) };
  const readId = ({ token }: { token?: unknown }) => (typeof token === 'string' ? verifyLeave(leaveKey, token) : null);

  app.get(LEAVE_PATH, { schema }, async (request, reply) =>
    readId(request.query) === null
      ? sendLinkPage(reply, 404, renderUnknownSubscriptionPage())
      : sendLinkPage(reply, 200, renderLeavePage()),
  );

  app.post(LEAVE_PATH, { schema }, async (request, reply) => {
    const id = readId(request.query);
    if (id === null) return sendLinkPage(reply, 404, renderUnknownSubscriptionPage());
    const form: unknown = request.body;
    if (!(form instanceof FormData) || form.get('List-Unsubscribe') !== 'One-Click') {
      throw new ProblemError(400, 'not_one_click', 'The form must hold List-Unsubscribe=One-Click.');
    }
    await leave(id);
    return sendLinkPage(reply, 200, renderLeftPage());
  });
}
