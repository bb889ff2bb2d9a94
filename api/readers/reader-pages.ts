/** Pages for a single reader: results and errors of forms, and a sign-in that continues a form. */
import { renderSignInFields } from '../web/fields.ts';
import { type Html, html } from '../web/html.ts';
import { renderPage } from '../web/layout.ts';
import { type Notice, renderNotice } from '../web/notice.ts';

export interface BackLink {
  path: string;
  text: string;
}

/** `body`: the next steps. */
export function renderReaderPage(
  title: string,
  { notice, back }: { notice: Notice | null; back: BackLink },
  body: Html | null,
): string {
  return renderPage(
    { title: `${title} · Courant`, isNoindex: true },
    html`<div class="reader"><h1 dir="auto">${title}</h1>
${renderNotice(notice)}
${body}
<p><a href="${back.path}">${back.text}</a></p></div>`,
  );
}

export interface SignInFirst {
  /** Heading and button, such as `Sign in to comment`. */
  title: string;
  /** URL of the form that was sent. `fields` contains its values. */
  action: string;
  fields: readonly (readonly [name: string, value: string])[];
  email: string;
  notice: Notice | null;
  back: BackLink;
}

/** The form repeats the sent one at the same URL, so that signing in also runs its action. */
export function renderSignInFirstPage({ title, action, fields, email, notice, back }: SignInFirst): string {
  const hasText = fields.some(([name, value]) => name === 'body' && value !== '');
  return renderReaderPage(
    title,
    { notice, back },
    html`<p>${hasText ? 'Your text is not lost. It is posted when you sign in.' : 'Sign in to complete this action.'}</p>
<form method="post" action="${action}">${fields.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
${renderSignInFields(email)}
<div class="actions"><button class="button primary">${title}</button><a href="/account/forgot-password">Forgot your password?</a></div></form>
<p class="soft">New here? <a href="/register" target="_blank" rel="noopener">Create account</a> in another tab, then return to this page.</p>`,
  );
}

/** `sentForm`: the sent form with its text. Null if the body was not read. */
export function renderConfirmFirst(sentForm: Html | null): Html {
  return html`<form method="post" action="/account/resend-confirmation"><button class="button compact">Send the mail again</button></form>
${sentForm ?? html`<p>To recover text that you wrote, go back to the previous page in your browser.</p>`}`;
}
