/** Pages that sign in and out with a browser, register an account and request a reset link. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { endSession } from '../../../store/sessions/end-sessions.ts';
import type { AccountDeps } from '../../auth/account-deps.ts';
import { ALLOW_UNCONFIRMED } from '../../auth/confirmed-address.ts';
import { login } from '../../auth/login.ts';
import { describeClient } from '../../auth/open-session.ts';
import { clearSessionCookie, setSessionCookie } from '../../auth/session-cookie.ts';
import { compressPages } from '../../web/assets/compress-pages.ts';
import { findProblem, renderOtherProblems } from '../../web/desk/settings-page.ts';
import { type FieldProblem, renderInput, renderSignInFields } from '../../web/fields.ts';
import { acceptForms, readField } from '../../web/forms.ts';
import { type Html, html } from '../../web/html.ts';
import { renderPage } from '../../web/layout.ts';
import { readNextPath } from '../../web/next-path.ts';
import { consumeNotice, handleForm, redirectWithNotice, renderNotice } from '../../web/notice.ts';
import { handlePageForm } from '../../web/page-form.ts';
import { PRIVATE_HEADERS, sendPage } from '../../web/send-page.ts';
import { allowViewer, getViewer, type ViewerDeps } from '../../web/viewer.ts';
import { requestPasswordReset, resendConfirmation } from '../links/links.ts';
import { MAX_DISPLAY_NAME_CHARACTERS } from '../profile/profile-rules.ts';
import { register } from './register.ts';

const NOBODY = { name: null, username: null, unread: 0 };

interface AccountForm {
  path: string;
  title: string;
  /** Fields that show their own problems. */
  fields: readonly string[];
  /** Where an accepted form redirects to; by default the path in the field or parameter `next`. */
  next?: string;
  /** Renders the values of the request, which are empty without a body. */
  render(request: FastifyRequest, next: string, problems: readonly FieldProblem[]): Html;
  submit(request: FastifyRequest, reply: FastifyReply): Promise<string | null>;
}

export async function signInRoutes(app: FastifyInstance, deps: ViewerDeps & AccountDeps) {
  compressPages(app);
  await acceptForms(app);
  app.addHook('onRequest', allowViewer(deps));

  for (const { path, title, fields, next: after, render, submit } of [signIn(deps), registration(deps), reset(deps)]) {
    const show = (
      request: FastifyRequest,
      reply: FastifyReply,
      next: string,
      problems: FieldProblem[],
      status = 200,
    ) => {
      const notices = html`${renderNotice(consumeNotice(request, reply))}${renderOtherProblems(problems, fields)}`;
      const body = html`<div class="account"><h1>${title}</h1>\n${notices}\n${render(request, next, problems)}</div>`;
      const page = renderPage({ title: `${title} · Courant`, isNoindex: true, current: 'account' }, body);
      return sendPage(reply, status, page, PRIVATE_HEADERS);
    };
    app.get<{ Querystring: { next?: unknown } }>(path, (request, reply) => {
      const next = after ?? readNextPath(request.query.next);
      if (!request.viewer || after) return show(request, reply, next, []);
      return reply.header('cache-control', 'no-store').redirect(next, 303);
    });
    app.post(path, { config: ALLOW_UNCONFIRMED }, (request, reply) => {
      const next = after ?? readNextPath(readField(request, 'next'));
      return handlePageForm(
        reply,
        next,
        () => submit(request, reply),
        (problems, status) => show(request, reply, next, problems, status),
      );
    });
  }

  app.post('/logout', { config: ALLOW_UNCONFIRMED }, async (request, reply) => {
    if (request.viewer) await endSession(deps.db, { ...request.viewer, now: deps.now() });
    clearSessionCookie(reply, deps);
    return redirectWithNotice(reply, '/login', { kind: 'done', text: 'You are signed out.' });
  });

  app.post('/account/resend-confirmation', { config: ALLOW_UNCONFIRMED }, async (request, reply) =>
    handleForm(reply, '/desk', async () => {
      const isSent = await resendConfirmation(deps, describeClient(request), getViewer(request).userId);
      return isSent ? 'Mail sent. Check your inbox to confirm.' : 'Your address is already confirmed.';
    }),
  );

  // Not an error without a session: the cookie that triggers the request can outlast its session.
  app.get('/account/viewer', async ({ viewer }, reply) => {
    reply.header('cache-control', 'no-store');
    return viewer === null ? NOBODY : { name: viewer.name, username: viewer.username, unread: viewer.unread };
  });
}

function signIn(deps: ViewerDeps & AccountDeps): AccountForm {
  return {
    ...{ path: '/login', title: 'Sign in', fields: [] },
    render: (request, next) => html`<form method="post" action="/login">
<input type="hidden" name="next" value="${next}">
${renderSignInFields(readText(request, 'email'))}
<div class="actions"><button class="button primary">Sign in</button><a href="/account/forgot-password">Forgot your password?</a></div>
</form>
<p class="soft">New here? <a href="/register?next=${encodeURIComponent(next)}">Create account</a></p>`,
    async submit(request, reply) {
      const credentials = { email: readText(request, 'email'), password: readField(request, 'password') };
      const { owner } = await login(deps, describeClient(request), credentials);
      await setSessionCookie(reply, deps, owner);
      return null;
    },
  };
}

function registration(deps: ViewerDeps & AccountDeps): AccountForm {
  return {
    ...{ path: '/register', title: 'Create account', fields: ['username', 'name', 'email', 'password'] },
    render(request, next, problems) {
      const field = (name: string) => ({ name, value: readText(request, name), problem: findProblem(problems, name) });
      return html`<form method="post" action="/register">
<input type="hidden" name="next" value="${next}">
${renderInput({ ...field('username'), label: 'User name', hint: 'In the address of your page: 2 to 39 letters a to z and digits, with single - or _ between them.' }, html` autocomplete="username" minlength="2" maxlength="39" pattern="[A-Za-z0-9]+(?:[\\-_][A-Za-z0-9]+)*" autocapitalize="none" spellcheck="false"`)}
${renderInput({ ...field('name'), label: 'Name', hint: 'Readers see this name.' }, html` autocomplete="name" maxlength="${MAX_DISPLAY_NAME_CHARACTERS}"`)}
${renderInput({ ...field('email'), label: 'E-mail address', hint: 'We’ll e-mail you a link to confirm it.' }, EMAIL)}
${renderInput({ ...field('password'), value: '', label: 'Password', hint: 'At least 8 characters.' }, html` type="password" autocomplete="new-password" minlength="8" maxlength="1024"`)}
<button class="button primary">Create account</button>
</form>
<p class="soft">Already have one? <a href="/login?next=${encodeURIComponent(next)}">Sign in</a></p>`;
    },
    async submit(request, reply) {
      const [username, name, email] = [
        readText(request, 'username'),
        readText(request, 'name'),
        readText(request, 'email'),
      ];
      const person = { username, name, email, password: readField(request, 'password') };
      const { owner } = await register(deps, describeClient(request), person);
      await setSessionCookie(reply, deps, owner);
      return `Account created. To confirm your address, open the link in the mail to ${email}.`;
    },
  };
}

function reset(deps: AccountDeps): AccountForm {
  return {
    ...{ path: '/account/forgot-password', title: 'Forgot your password?', fields: [], next: '/login' },
    render: (request) => html`<p>We’ll e-mail you a reset link.</p>
<form method="post" action="/account/forgot-password">
${renderInput({ name: 'email', label: 'E-mail address', value: readText(request, 'email') }, EMAIL)}
<button class="button primary">Send reset link</button>
</form>
<p class="soft"><a href="/login">Back to sign-in</a></p>`,
    async submit(request) {
      await requestPasswordReset(deps, describeClient(request), readText(request, 'email'));
      // The response does not reveal whether the address has an account.
      return 'If this address has an account, we have sent a reset link to it. Check your inbox.';
    },
  };
}

const EMAIL = html` type="email" autocomplete="email" maxlength="254"`;

function readText(request: FastifyRequest, name: string): string {
  return readField(request, name).trim();
}
