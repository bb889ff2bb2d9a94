/** Pages for the one reader who asks: what they did, what was not done and why, and signing in on the way. */
import { type Notice, renderNotice } from '../web/notice.ts';
import { type Html, html } from '../web/html.ts';
import { renderPage } from '../web/layout.ts';
import { renderSignInFields } from '../accounts/sign-in/page.ts';

export interface BackLink {
  path: string;
  text: string;
}

/** `body`: what can be done next. */
export function renderReaderPage(
  title: string,
  { notice, back }: { notice: Notice | null; back: BackLink },
  body: Html | null,
): string {
  return renderPage(
    { title: `${title} · Courant`, isPassing: true },
    html`<div class="reader"><h1 dir="auto">${title}</h1>
${renderNotice(notice)}
${body}
<p><a href="${back.path}">${back.text}</a></p></div>`,
  );
}

export interface SignInFirst {
  /** `Sign in to comment`. */
  title: string;
  /** The form that was sent: where to, and what it held. */
  action: string;
  kept: readonly (readonly [name: string, value: string])[];
  email: string;
  notice: Notice | null;
  back: BackLink;
}

/** The form goes where it was sent before, with all that it held: whoever signs in with it has it done at once. */
export function renderSignInFirstPage({ title, action, kept, email, notice, back }: SignInFirst): string {
  const words = kept.some(([name, value]) => name === 'body' && value !== '');
  return renderReaderPage(
    title,
    { notice, back },
    html`<p>${words ? 'Your words are kept: they are posted as soon as you have signed in.' : 'It is done as soon as you have signed in.'}</p>
<form method="post" action="${action}">${kept.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
${renderSignInFields(email)}
<div class="actions"><button class="button primary">${title}</button><a href="/account/forgot-password">Forgot your password?</a></div></form>
<p class="soft">New here? <a href="/register" target="_blank" rel="noopener">Make an account</a> in another tab; this page waits.</p>`,
  );
}

/** `again`: the sent form with its text; null if the body was not read. */
export function renderConfirmFirst(again: Html | null): Html {
  return html`<form method="post" action="/account/resend-confirmation"><button class="button compact">Send the mail again</button></form>
${again ?? html`<p>If you wrote something, it is still on the page before this one: go back with your browser.</p>`}`;
}
