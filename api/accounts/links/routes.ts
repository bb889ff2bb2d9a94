/**
 * Routes of the links in account mails. Mail scanners and previews follow every link with GET, so
 * GET only shows a form. POST acts. The signed link authorises it, so it requires no cookie and no
 * origin.
 */

import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { Type } from 'typebox';
import { RefusedCommandError } from '../../../store/commands/refused-command.ts';
import type { AccountDeps } from '../../auth/account-deps.ts';
import { formBodyPlugin } from '../../plugins/form-body.ts';
import { renderDeadLinkPage } from '../../web/link-page.ts';
import { sendLinkPage } from '../../web/send-page.ts';
import { confirmEmail, describeConfirmation, describeReset, resetPassword } from './links.ts';
import { renderConfirmedPage, renderConfirmPage, renderResetDonePage, renderResetPage } from './pages.ts';

/**
 * Two segments, because a single one would collide with article slugs. The token is in the query,
 * which is never logged.
 */
const CONFIRM_PATH = '/account/confirm-email';
const RESET_PATH = '/account/reset-password';

export async function accountLinkRoutes(fastify: FastifyInstance, deps: AccountDeps) {
  const app = fastify.withTypeProvider<TypeBoxTypeProvider>();
  await app.register(formBodyPlugin, { bodyLimit: 16 * 1024 });
  // A repeated parameter is an array, which is not a valid token.
  const schema = { hide: true, querystring: Type.Object({ token: Type.Optional(Type.Unknown()) }) };

  app.get(CONFIRM_PATH, { schema }, (request, reply) =>
    respond(reply, async () => {
      return renderConfirmPage(await describeConfirmation(deps, readToken(request.query)));
    }),
  );
  app.post(CONFIRM_PATH, { schema }, (request, reply) =>
    respond(reply, async () => {
      await confirmEmail(deps, readToken(request.query));
      return renderConfirmedPage();
    }),
  );

  app.get(RESET_PATH, { schema }, (request, reply) =>
    respond(reply, async () => renderResetPage(await describeReset(deps, readToken(request.query)), null)),
  );
  app.post(RESET_PATH, { schema }, (request, reply) =>
    respond(reply, async () => {
      const token = readToken(request.query);
      const form = request.body instanceof FormData ? request.body : new FormData();
      const password = form.get('password');
      try {
        const done = await resetPassword(deps, token, {
          password: typeof password === 'string' ? password : '',
          keepDeveloperTokens: form.has('keepDeveloperTokens'),
        });
        return renderResetDonePage(done);
      } catch (error) {
        if (!(error instanceof RefusedCommandError) || error.code === 'LINK_INVALID') throw error;
        const page = renderResetPage(await describeReset(deps, token), error.message);
        return sendLinkPage(reply, error.code === 'RATE_LIMITED' ? 429 : 422, page);
      }
    }),
  );
}

function readToken({ token }: { token?: unknown }): string {
  return typeof token === 'string' ? token : '';
}

async function respond(reply: FastifyReply, buildPage: () => Promise<string | FastifyReply>) {
  try {
    const page = await buildPage();
    return typeof page === 'string' ? sendLinkPage(reply, 200, page) : page;
  } catch (error) {
    if (!(error instanceof RefusedCommandError) || error.code !== 'LINK_INVALID') throw error;
    return sendLinkPage(reply, 404, renderDeadLinkPage(error.message));
  }
}
