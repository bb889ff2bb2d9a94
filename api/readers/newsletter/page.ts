/**
 * Pages of the links that confirm and leave a newsletter. Each shows a button first, because mail
 * scanners follow links.
 */
import { html } from '../../web/html.ts';
import { renderLinkPage } from '../../web/link-page.ts';

/** The form has no action, so it posts to the URL of the page, which contains the token. */
export function renderSubscribePage(): string {
  return renderLinkPage(
    'Confirm your subscription',
    html`<form method="post"><button class="button primary">Yes, subscribe me</button></form>`,
  );
}

/** `leaveUrl`: link that leaves the newsletter. */
export function renderSubscribedPage(username: string, leaveUrl: string): string {
  return renderLinkPage(
    'Subscribed',
    html`<p>You can <a href="${leaveUrl}">leave the newsletter</a> at any time.</p>`,
    html`You are subscribed to @${username}`,
  );
}

export function renderLeavePage(): string {
  return renderLinkPage(
    'Leave the newsletter',
    html`<p>You will get no more of it. You can subscribe again at any time.</p>
<form method="post"><input type="hidden" name="List-Unsubscribe" value="One-Click"><button class="button primary">Leave the newsletter</button></form>`,
    'Leave the newsletter?',
  );
}

export function renderNewsletterLeftPage(): string {
  return renderLinkPage('Newsletter left', html`<p>You will get no more of this newsletter.</p>`, 'You have left');
}

export function renderUnknownSubscriptionPage(): string {
  return renderLinkPage(
    'Not found',
    html`<p>It may be cut off or changed. Copy the whole address from the mail.</p>`,
    'This link does not work',
  );
}
