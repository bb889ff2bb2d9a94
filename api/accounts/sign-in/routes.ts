/** Routes that sign in and out with a browser and return the viewer. */

import type { FastifyInstance } from 'fastify';
import { RefusedCommandError } from '../../../store/commands/refused-command.ts';
import { endSession } from '../../../store/sessions/end-sessions.ts';
import type { AccountDeps } from '../../auth/account-deps.ts';
import { ALLOW_UNCONFIRMED } from '../../auth/confirmed-address.ts';
import { login } from '../../auth/login.ts';
import { describeClient } from '../../auth/open-session.ts';
import { clearSessionCookie, setSessionCookie } from '../../auth/session-cookie.ts';
import { compressPages } from '../../web/assets/compress-pages.ts';
import { acceptForms, readField } from '../../web/forms.ts';
import { readNextPath } from '../../web/next-path.ts';
import { consumeNotice, handleForm, redirectWithNotice } from '../../web/notice.ts';
import { PRIVATE_HEADERS, sendPage } from '../../web/send-page.ts';
import { allowViewer, getViewer, type ViewerDeps } from '../../web/viewer.ts';
import { resendConfirmation } from '../links/links.ts';
import { renderSignInPage } from './page.ts';

const NOBODY = { name: null, username: null, unread: 0 };

export async function signInRoutes(app: FastifyInstance, deps: ViewerDeps & AccountDeps) {
  compressPages(app);
  await acceptForms(app);
  app.addHook('onRequest', allowViewer(deps));
  const schema = { hide: true };

  app.get<{ Querystring: { next?: unknown } }>('/login', { schema }, (request, reply) => {
    const next = readNextPath(request.query.next);
    if (request.viewer) return reply.header('cache-control', 'no-store').redirect(next, 303);
    const notice = consumeNotice(request, reply);
    return sendPage(reply, 200, renderSignInPage({ next, email: '', notice }), PRIVATE_HEADERS);
  });

  app.post('/login', { schema, config: ALLOW_UNCONFIRMED }, async (request, reply) => {
    const email = readField(request, 'email').trim();
    const next = readNextPath(readField(request, 'next'));
    try {
      const opened = await login(deps, describeClient(request), { email, password: readField(request, 'password') });
      await setSessionCookie(reply, deps, opened.owner);
      return reply.header('cache-control', 'no-store').redirect(next, 303);
    } catch (error) {
      if (!(error instanceof RefusedCommandError)) throw error;
      const notice = { kind: 'refused', text: error.message } as const;
      const status = error.code === 'RATE_LIMITED' ? 429 : 401;
      return sendPage(reply, status, renderSignInPage({ next, email, notice }), PRIVATE_HEADERS);
    }
  });

  app.post('/logout', { schema, config: ALLOW_UNCONFIRMED }, async (request, reply) => {
    if (request.viewer) await endSession(deps.db, { ...request.viewer, now: deps.now() });
    clearSessionCookie(reply, deps);
    return redirectWithNotice(reply, '/login', { kind: 'done', text: 'You are signed out.' });
  });

  app.post('/account/resend-confirmation', { schema, config: ALLOW_UNCONFIRMED }, async (request, reply) =>
    handleForm(reply, '/desk', async () => {
      const isSent = await resendConfirmation(deps, describeClient(request), getViewer(request).userId);
      return isSent ? 'Mail sent. Check your inbox to confirm.' : 'Your address is already confirmed.';
    }),
  );

  // Not an error without a session: the cookie that triggers the request can outlast its session.
  app.get('/account/viewer', { schema }, async ({ viewer }, reply) => {
    reply.header('cache-control', 'no-store');
    return viewer === null ? NOBODY : { name: viewer.name, username: viewer.username, unread: viewer.unread };
  });
}
