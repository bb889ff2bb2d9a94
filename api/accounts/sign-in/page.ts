/** Sign-in page. */

import { renderSignInFields } from '../../web/fields.ts';
import { html } from '../../web/html.ts';
import { renderPage } from '../../web/layout.ts';
import { type Notice, renderNotice } from '../../web/notice.ts';

export interface SignInForm {
  /** Path to redirect to after signing in. */
  next: string;
  email: string;
  notice: Notice | null;
}

export function renderSignInPage({ next, email, notice }: SignInForm): string {
  return renderPage(
    {
      title: 'Sign in · Courant',
      description: 'Sign in to comment, follow and publish.',
      isNoindex: true,
      current: 'account',
    },
    html`<div class="account"><h1>Sign in</h1>
${renderNotice(notice)}
<form method="post" action="/login">
<input type="hidden" name="next" value="${next}">
${renderSignInFields(email)}
<div class="actions"><button class="button primary">Sign in</button><a href="/account/forgot-password">Forgot your password?</a></div>
</form>
<p class="soft">New here? <a href="/register?next=${encodeURIComponent(next)}">Create account</a></p></div>`,
  );
}
