/** What the unsubscribe link of a digest shows: a question first, because machines follow links too. */
import { html } from './html.ts';
import { renderPage } from './layout.ts';

/** The form posts to the address it was shown at, which holds the token. */
export function renderUnsubscribePage(): string {
  return renderPage(
    { title: 'Unsubscribe · Courant', head: html`<meta name="robots" content="noindex">` },
    html`<h1>Stop the digest?</h1>
<p>You will get no more digests by mail. Your articles and your account stay as they are.</p>
<form method="post"><input type="hidden" name="List-Unsubscribe" value="One-Click"><button class="action" type="submit">Stop the digest</button></form>`,
  );
}

export function renderUnsubscribedPage(): string {
  return renderPage(
    { title: 'Unsubscribed · Courant', head: html`<meta name="robots" content="noindex">` },
    html`<h1>The digest is off</h1>
<p>You will get no more digests. You can turn them on again in your notification settings.</p>`,
  );
}

export function renderUnknownLinkPage(): string {
  return renderPage(
    { title: 'Not found · Courant', head: html`<meta name="robots" content="noindex">` },
    html`<h1>This link does not work</h1>
<p>It may be cut off or changed. Copy the whole address from the mail, or turn the digest off in your notification settings.</p>`,
  );
}
