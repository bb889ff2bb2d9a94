/**
 * Pages of the unsubscribe link of a digest. A button comes first, because mail scanners follow
 * links.
 */
import { html } from '../../web/html.ts';
import { renderLinkPage } from '../../web/link-page.ts';

/** The form has no action, so it posts to the URL of the page, which contains the token. */
export function renderUnsubscribePage(): string {
  return renderLinkPage(
    'Unsubscribe',
    html`<p>You will no longer receive the digest. Your articles and your account stay unchanged.</p>
<form method="post"><input type="hidden" name="List-Unsubscribe" value="One-Click"><button class="button primary">Unsubscribe</button></form>`,
    'Unsubscribe from the digest?',
  );
}

export function renderUnsubscribedPage(): string {
  return renderLinkPage(
    'Unsubscribed',
    html`<p>You will no longer receive the digest. You can turn it on again in your digest settings.</p>`,
    'The digest is off',
  );
}

export function renderUnknownLinkPage(): string {
  return renderLinkPage(
    'Not found',
    html`<p>The link may be incomplete or altered. Copy the complete address from the mail, or turn the digest off in your digest settings.</p>`,
    'This link does not work',
  );
}
