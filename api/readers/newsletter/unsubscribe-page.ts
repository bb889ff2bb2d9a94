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
    html`<p>You will get no more digests by mail. Your articles and your account stay as they are.</p>
<form method="post"><input type="hidden" name="List-Unsubscribe" value="One-Click"><button class="button primary">Stop the digest</button></form>`,
    'Stop the digest?',
  );
}

export function renderUnsubscribedPage(): string {
  return renderLinkPage(
    'Unsubscribed',
    html`<p>You will get no more digests. You can turn them on again in your notification settings.</p>`,
    'The digest is off',
  );
}

export function renderUnknownLinkPage(): string {
  return renderLinkPage(
    'Not found',
    html`<p>It may be cut off or changed. Copy the whole address from the mail, or turn the digest off in your notification settings.</p>`,
    'This link does not work',
  );
}
