/** Pages of the links in account mails: confirm an address or set a new password. */
import type { FastifyInstance } from 'fastify';
import type { AccountDeps } from '../../auth/account-deps.ts';
import { formBodyPlugin } from '../../plugins/form-body.ts';
import { renderCheckbox, renderInput } from '../../web/fields.ts';
import { readField } from '../../web/forms.ts';
import { type Html, html } from '../../web/html.ts';
import { addMailLink, renderLinkPage } from '../../web/link-page.ts';
import { confirmEmail, describeConfirmation, describeReset, type ResetForm, resetPassword } from './links.ts';

export async function accountLinkRoutes(app: FastifyInstance, deps: AccountDeps) {
  await app.register(formBodyPlugin, { bodyLimit: 16 * 1024 });

  addMailLink(app, {
    path: '/account/confirm-email',
    async show(token) {
      const { username, email } = await describeConfirmation(deps, token);
      return renderLinkPage(
        'Confirm your address',
        html`<p>Did you create the account <strong>@${username}</strong> with the address <strong>${email}</strong>? Confirm it, and you can comment, follow and publish.</p>
<form method="post"><p><button class="button primary">Confirm this address</button></p></form>
<p class="soft">If you did not create this account, do not confirm it. Someone else chose its password. Close this page, or take the account over: <a href="/account/forgot-password">Choose a new password</a>. That deletes everything in the account.</p>`,
      );
    },
    async act(token) {
      await confirmEmail(deps, token);
      return renderLinkPage(
        'Your address is confirmed',
        html`<p>You can comment, follow and publish now.</p>
<p class="actions"><a class="button primary" href="/desk">Open the desk</a> <a class="button" href="/">Read articles</a></p>`,
      );
    },
  });

  addMailLink(app, {
    path: '/account/reset-password',
    show: async (token, problem) => renderResetPage(await describeReset(deps, token), problem),
    async act(token, request) {
      const keepDeveloperTokens = readField(request, 'keepDeveloperTokens') !== '';
      const { isReplaced } = await resetPassword(deps, token, {
        password: readField(request, 'password'),
        keepDeveloperTokens,
      });
      const result = isReplaced
        ? 'Your address is confirmed, and everything that was in the account before is deleted. Sign in with the new password.'
        : 'All sessions have ended. Sign in with the new password.';
      return renderLinkPage(
        'Your password is changed',
        html`<p>${result}</p>
<p class="actions"><a class="button primary" href="/login">Sign in</a></p>`,
      );
    },
  });
}

/** `problem`: why the sent password was rejected. */
function renderResetPage({ username, isConfirmed, developerTokens }: ResetForm, problem: string | null): string {
  return renderLinkPage(
    'Choose a new password',
    html`${isConfirmed ? html`<p>For the account <strong>@${username}</strong>. All its sessions end.</p>` : renderFirstConfirmation(username)}
<form method="post">
${renderInput({ name: 'password', label: 'New password', hint: 'At least 8 characters. A long phrase is best.', problem }, html` type="password" minlength="8" maxlength="1024" autocomplete="new-password"`)}
${isConfirmed && developerTokens > 0 && renderKeepTokens(developerTokens)}
<p><button class="button primary">Set this password</button></p>
</form>`,
  );
}

function renderFirstConfirmation(username: string): Html {
  return html`<p class="notice warning">The address of <strong>@${username}</strong> was never confirmed, so someone else may have created this account. A new password deletes everything in it: articles and drafts, profile, connections, developer tokens and sessions.</p>
<p>Did you create it yourself? To preserve its contents, <a href="/login">sign in</a> with your current password and confirm your address.</p>`;
}

function renderKeepTokens(count: number): Html {
  const tokens = count === 1 ? 'developer token' : `${count} developer tokens`;
  return html`<div class="field"><span>${renderCheckbox({ name: 'keepDeveloperTokens', label: `Don’t revoke my ${tokens}`, isChecked: false })}</span>
<span class="hint">Without this, programs that publish with ${count === 1 ? 'it' : 'them'} stop until they get a new token. Select this only if nobody else can have a copy.</span></div>`;
}
