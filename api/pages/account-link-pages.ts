/** What the links in the mails of an account show: a button first, because machines follow links too. Forms post to the address they are shown at. */
import { html } from './html.ts';
import { renderLinkPage } from './link-page.ts';

export function renderConfirmPage(): string {
  return renderLinkPage(
    'Confirm your address',
    html`<p>Then you can comment, follow and publish.</p>
<form method="post"><button class="button primary">Confirm this address</button></form>`,
  );
}

export function renderConfirmedPage(): string {
  return renderLinkPage('Your address is confirmed', html`<p>You can close this page, or <a href="/">read on</a>.</p>`);
}

/** `problem`: why the password that was sent was not taken. */
export function renderResetPage(problem: string | null): string {
  return renderLinkPage(
    'Choose a new password',
    html`<p>At least 8 characters. It ends all sessions of your account, wherever they are.</p>
${problem === null ? null : html`<p role="alert"><strong>${problem}</strong></p>`}
<form method="post">
<p><label>New password<br><input type="password" name="password" required minlength="8" maxlength="1024" autocomplete="new-password"></label></p>
<p><button class="button primary">Set this password</button></p>
</form>`,
  );
}

export function renderResetDonePage(): string {
  return renderLinkPage(
    'Your password is changed',
    html`<p>All sessions were ended. Sign in with the new password.</p>`,
  );
}

/** `reason`: what is wrong, and what to do next. */
export function renderDeadLinkPage(reason: string): string {
  return renderLinkPage('This link does not work', html`<p>${reason}</p>`);
}
