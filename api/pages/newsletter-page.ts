/** What the links that confirm and leave a newsletter show: a question first, because machines follow links too. */
import { html } from './html.ts';
import { renderPage } from './layout.ts';

/** Forms post to the address they are shown at, which holds the token. */
export function renderSubscribePage(): string {
  return renderPage(
    { title: 'Confirm your subscription · Courant', head: html`<meta name="robots" content="noindex">` },
    html`<h1>Confirm your subscription</h1>
<form method="post"><button class="action" type="submit">Yes, subscribe me</button></form>`,
  );
}

/** `leaveUrl`: where it ends again. */
export function renderSubscribedPage(username: string, leaveUrl: string): string {
  return renderPage(
    { title: 'Subscribed · Courant', head: html`<meta name="robots" content="noindex">` },
    html`<h1>You are subscribed to @${username}</h1>
<p>You can <a href="${leaveUrl}">leave the newsletter</a> at any time.</p>`,
  );
}

export function renderLeavePage(): string {
  return renderPage(
    { title: 'Leave the newsletter · Courant', head: html`<meta name="robots" content="noindex">` },
    html`<h1>Leave the newsletter?</h1>
<p>You will get no more of it. You can subscribe again at any time.</p>
<form method="post"><input type="hidden" name="List-Unsubscribe" value="One-Click"><button class="action" type="submit">Leave the newsletter</button></form>`,
  );
}

export function renderLeftPage(): string {
  return renderPage(
    { title: 'Newsletter left · Courant', head: html`<meta name="robots" content="noindex">` },
    html`<h1>You have left</h1>
<p>You will get no more of this newsletter.</p>`,
  );
}

export function renderUnknownSubscriptionPage(): string {
  return renderPage(
    { title: 'Not found · Courant', head: html`<meta name="robots" content="noindex">` },
    html`<h1>This link does not work</h1>
<p>It may be cut off or changed. Copy the whole address from the mail.</p>`,
  );
}
