/** Pages that register an account and request a reset link. */

import { renderInput } from '../../web/fields.ts';
import { type Html, html } from '../../web/html.ts';
import { renderPage } from '../../web/layout.ts';
import { type Notice, renderNotice } from '../../web/notice.ts';
import { MAX_DISPLAY_NAME_CHARACTERS } from '../profile/names.ts';

export interface RegisterForm {
  /** Path to redirect to after registration. */
  next: string;
  username: string;
  name: string;
  email: string;
  /** Shown at `field`, or above the form if null. */
  problem: { field: string | null; message: string } | null;
}

export function renderRegisterPage({ next, username, name, email, problem }: RegisterForm): string {
  const isAtField = ['username', 'name', 'email', 'password'].includes(problem?.field ?? '');
  const notice = problem && !isAtField ? { kind: 'refused' as const, text: problem.message } : null;
  return renderAccountPage(
    'Create account',
    html`${renderNotice(notice)}
<form method="post" action="/register">
<input type="hidden" name="next" value="${next}">
${renderField({ name: 'username', label: 'User name', value: username, hint: 'In the address of your page: 2 to 39 letters a to z and digits, with single - or _ between them.', problem }, html` autocomplete="username" minlength="2" maxlength="39" pattern="[A-Za-z0-9]+(?:[\\-_][A-Za-z0-9]+)*" autocapitalize="none" spellcheck="false"`)}
${renderField({ name: 'name', label: 'Name', value: name, hint: 'Readers see this name.', problem }, html` autocomplete="name" maxlength="${MAX_DISPLAY_NAME_CHARACTERS}"`)}
${renderField({ name: 'email', label: 'E-mail address', value: email, hint: 'We’ll e-mail you a link to confirm it.', problem }, html` type="email" autocomplete="email" maxlength="254"`)}
${renderField({ name: 'password', label: 'Password', value: '', hint: 'At least 8 characters.', problem }, html` type="password" autocomplete="new-password" minlength="8" maxlength="1024"`)}
<button class="button primary">Create account</button>
</form>
<p class="soft">Already have one? <a href="/login?next=${encodeURIComponent(next)}">Sign in</a></p>`,
  );
}

export function renderForgotPasswordPage({ email, notice }: { email: string; notice: Notice | null }): string {
  const label = 'E-mail address';
  return renderAccountPage(
    'Forgot your password?',
    html`${renderNotice(notice)}<p>We’ll e-mail you a reset link.</p>
<form method="post" action="/account/forgot-password">
${renderField({ name: 'email', label, value: email, hint: null, problem: null }, html` type="email" autocomplete="email" maxlength="254"`)}
<button class="button primary">Send reset link</button>
</form>
<p class="soft"><a href="/login">Back to sign-in</a></p>`,
  );
}

function renderField({ problem, ...field }: Field, attributes: Html): Html {
  return renderInput({ ...field, problem: problem?.field === field.name ? problem.message : null }, attributes);
}

interface Field {
  name: string;
  label: string;
  value: string;
  hint: string | null;
  problem: RegisterForm['problem'];
}

function renderAccountPage(title: string, body: Html): string {
  return renderPage(
    { title: `${title} · Courant`, isNoindex: true, current: 'account' },
    html`<div class="account"><h1>${title}</h1>${body}</div>`,
  );
}
