/** Making an account with a browser, and asking for a new password. */
import type { AccountDeps } from '../../deps.ts';
import type { FastifyInstance } from 'fastify';
import { RefusedCommandError } from '../../../store/commands/refused-command.ts';
import { requestPasswordReset } from '../links/links.ts';
import { describeClient } from './open-session.ts';
import { register } from './register.ts';
import { ALLOW_UNCONFIRMED } from '../../auth/confirmed-address.ts';
import { renderForgotPasswordPage, renderRegisterPage } from './register-page.ts';
import { PRIVATE_HEADERS, sendPage } from '../../web/send-page.ts';
import { compressPages } from '../../web/assets/compress-pages.ts';
import { acceptForms, readField } from '../../web/forms.ts';
import { readNextPath } from '../../web/next-path.ts';
import { redirectWithNotice } from '../../web/notice.ts';
import { setSessionCookie } from '../../auth/session-cookie.ts';
import { allowViewer, type ViewerDeps } from '../../web/viewer.ts';

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
    const given = {
      username: readField(request, 'username').trim(),
      name: readField(request, 'name').trim(),
      email: readField(request, 'email').trim(),
    };
    try {
      const opened = await register(deps, describeClient(request), {
        ...given,
        password: readField(request, 'password'),
      });
      await setSessionCookie(reply, deps, opened.owner);
      const text = `Welcome. Open the link in the mail to ${given.email}, which confirms your address.`;
      return redirectWithNotice(reply, next, { kind: 'done', text });
    } catch (error) {
      if (!(error instanceof RefusedCommandError)) throw error;
      const problem = { field: error.field ?? null, message: error.message };
      const status = error.code === 'RATE_LIMITED' ? 429 : 422;
      return sendPage(reply, status, renderRegisterPage({ next, ...given, problem }), PRIVATE_HEADERS);
    }
  });

  app.get('/account/forgot-password', { schema }, (_request, reply) =>
    sendPage(reply, 200, renderForgotPasswordPage({ email: '', notice: null }), PRIVATE_HEADERS),
  );

  app.post('/account/forgot-password', { schema, config: ALLOW_UNCONFIRMED }, async (request, reply) => {
    const email = readField(request, 'email').trim();
    try {
      await requestPasswordReset(deps, describeClient(request), email);
      // The same where the address has no account.
      const text = 'If this address has an account, a mail with a link is on its way to it.';
      return redirectWithNotice(reply, '/login', { kind: 'done', text });
    } catch (error) {
      if (!(error instanceof RefusedCommandError)) throw error;
      const notice = { kind: 'refused', text: error.message } as const;
      const status = error.code === 'RATE_LIMITED' ? 429 : 422;
      return sendPage(reply, status, renderForgotPasswordPage({ email, notice }), PRIVATE_HEADERS);
    }
  });
}
