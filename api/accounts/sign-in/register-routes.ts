/** Routes of the pages that register an account and request a reset link. */

import type { FastifyInstance } from 'fastify';
import { RefusedCommandError } from '../../../store/commands/refused-command.ts';
import type { AccountDeps } from '../../auth/account-deps.ts';
import { ALLOW_UNCONFIRMED } from '../../auth/confirmed-address.ts';
import { describeClient } from '../../auth/open-session.ts';
import { setSessionCookie } from '../../auth/session-cookie.ts';
import { compressPages } from '../../web/assets/compress-pages.ts';
import { acceptForms, readField } from '../../web/forms.ts';
import { readNextPath } from '../../web/next-path.ts';
import { redirectWithNotice } from '../../web/notice.ts';
import { PRIVATE_HEADERS, sendPage } from '../../web/send-page.ts';
import { allowViewer, type ViewerDeps } from '../../web/viewer.ts';
import { requestPasswordReset } from '../links/links.ts';
import { register } from './register.ts';
import { renderForgotPasswordPage, renderRegisterPage } from './register-page.ts';

const EMPTY = { username: '', name: '', email: '', problem: null };

export async function registerRoutes(app: FastifyInstance, deps: ViewerDeps & AccountDeps) {
  compressPages(app);
  await acceptForms(app);
  app.addHook('onRequest', allowViewer(deps));
  const schema = { hide: true };

  app.get<{ Querystring: { next?: unknown } }>('/register', { schema }, (request, reply) => {
    const next = readNextPath(request.query.next);
    if (request.viewer) return reply.header('cache-control', 'no-store').redirect(next, 303);
    return sendPage(reply, 200, renderRegisterPage({ next, ...EMPTY }), PRIVATE_HEADERS);
  });

  app.post('/register', { schema, config: ALLOW_UNCONFIRMED }, async (request, reply) => {
    const next = readNextPath(readField(request, 'next'));
    const fields = {
      username: readField(request, 'username').trim(),
      name: readField(request, 'name').trim(),
      email: readField(request, 'email').trim(),
    };
    try {
      const opened = await register(deps, describeClient(request), {
        ...fields,
        password: readField(request, 'password'),
      });
      await setSessionCookie(reply, deps, opened.owner);
      const text = `Account created. To confirm your address, open the link in the mail to ${fields.email}.`;
      return redirectWithNotice(reply, next, { kind: 'done', text });
    } catch (error) {
      if (!(error instanceof RefusedCommandError)) throw error;
      const problem = { field: error.field ?? null, message: error.message };
      const status = error.code === 'RATE_LIMITED' ? 429 : 422;
      return sendPage(reply, status, renderRegisterPage({ next, ...fields, problem }), PRIVATE_HEADERS);
    }
  });

  app.get('/account/forgot-password', { schema }, (_request, reply) =>
    sendPage(reply, 200, renderForgotPasswordPage({ email: '', notice: null }), PRIVATE_HEADERS),
  );

  app.post('/account/forgot-password', { schema, config: ALLOW_UNCONFIRMED }, async (request, reply) => {
    const email = readField(request, 'email').trim();
    try {
      await requestPasswordReset(deps, describeClient(request), email);
      // The response does not reveal whether the address has an account.
      const text = 'If this address has an account, we have sent a reset link to it. Check your inbox.';
      return redirectWithNotice(reply, '/login', { kind: 'done', text });
    } catch (error) {
      if (!(error instanceof RefusedCommandError)) throw error;
      const notice = { kind: 'refused', text: error.message } as const;
      const status = error.code === 'RATE_LIMITED' ? 429 : 422;
      return sendPage(reply, status, renderForgotPasswordPage({ email, notice }), PRIVATE_HEADERS);
    }
  });
}
