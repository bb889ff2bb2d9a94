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
    html`<form method="post"><button class="button primary">Confirm subscription</button></form>`,
  );
}

/** `leaveUrl`: link that leaves the newsletter. */
export function renderSubscribedPage(username: string, leaveUrl: string): string {
  return renderLinkPage(
    'Subscribed',
    html`<p>You can <a href="${leaveUrl}">unsubscribe</a> at any time.</p>`,
    html`You are subscribed to @${username}`,
  );
}

export function renderLeavePage(): string {
  return renderLinkPage(
    'Unsubscribe',
    html`<p>You will no longer receive this newsletter. You can subscribe again at any time.</p>
<form method="post"><input type="hidden" name="List-Unsubscribe" value="One-Click"><button class="button primary">Unsubscribe</button></form>`,
    'Unsubscribe from the newsletter?',
  );
}

export function renderNewsletterLeftPage(): string {
  return renderLinkPage(
    'Unsubscribed',
    html`<p>You will no longer receive this newsletter.</p>`,
    'You have unsubscribed',
  );
}

export function renderUnknownSubscriptionPage(): string {
  return renderLinkPage(
    'Not found',
    html`<p>The link may be incomplete or altered. Copy the complete address from the mail.</p>`,
    'This link does not work',
  );
}
