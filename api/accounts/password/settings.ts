/** `/desk/settings/password`: changes the password of a signed-in user who knows the current one. */
import type { FastifyInstance } from 'fastify';
import { RefusedCommandError } from '../../../store/commands/refused-command.ts';
import * as accounts from '../../../store/users/change-account.ts';
import { hashPassword } from '../../../store/users/passwords.ts';
import type { AccountDeps, Client } from '../../auth/account-deps.ts';
import { countPasswordChange } from '../../auth/account-limits.ts';
import { requireOwnPassword } from '../../auth/login-limits.ts';
import { describeClient } from '../../auth/open-session.ts';
import type { SessionOwner } from '../../auth/sessions.ts';
import type { DeskDeps } from '../../deps.ts';
import { formatQuantity } from '../../web/desk/format-count.ts';
import { addSettingsPage } from '../../web/desk/send-settings.ts';
import { buildSettingsPath, findProblem, renderOtherProblems } from '../../web/desk/settings-page.ts';
import { type FieldProblem, renderInput } from '../../web/fields.ts';
import { readField } from '../../web/forms.ts';
import { type Html, html } from '../../web/html.ts';
import { getViewer } from '../../web/viewer.ts';
import { checkPassword } from './rules.ts';

export async function passwordSettings(app: FastifyInstance, deps: DeskDeps) {
  addSettingsPage(app, 'password', {
    render: (request, problems) => renderPasswordPage(getViewer(request).email, problems),
    async submit(request) {
      const passwords = {
        currentPassword: readField(request, 'currentPassword'),
        newPassword: readField(request, 'newPassword'),
      };
      const ended = await changePassword(deps, describeClient(request), getViewer(request), passwords);
      const others = ended === 0 ? '' : ` ${formatQuantity(ended, 'other session was', 'other sessions were')} ended.`;
      return `Password changed.${others}`;
    },
  });
}

function renderPasswordPage(email: string, problems: readonly FieldProblem[]): Html {
  return html`${renderOtherProblems(problems, ['currentPassword', 'newPassword'])}
<p>A new password ends all your other sessions. We’ll e-mail you a confirmation of the change.</p>
<form method="post" action="${buildSettingsPath('password')}" class="card">
<input type="text" name="username" value="${email}" autocomplete="username" hidden>
${renderInput({ name: 'currentPassword', label: 'Current password', problem: findProblem(problems, 'currentPassword') }, html` type="password" autocomplete="current-password" maxlength="1024"`)}
${renderInput({ name: 'newPassword', label: 'New password', hint: 'At least 8 characters. A long phrase is best.', problem: findProblem(problems, 'newPassword') }, html` type="password" autocomplete="new-password" minlength="8" maxlength="1024"`)}
<button class="button primary">Change password</button>
</form>
<p class="soft">Forgot it? <a href="/account/forgot-password">Get a reset link</a> by e-mail.</p>`;
}

/**
 * Ends the other sessions and returns their number. Errors: UNAUTHENTICATED, WRONG_PASSWORD,
 * WEAK_PASSWORD, RATE_LIMITED.
 */
export async function changePassword(
  deps: AccountDeps,
  client: Client,
  { userId, sessionId }: SessionOwner,
  { currentPassword, newPassword }: { currentPassword: string; newPassword: string },
): Promise<number> {
  const wrong = new RefusedCommandError('WRONG_PASSWORD', 'The current password is wrong.', 'currentPassword');
  const attempt = { userId, address: client.address, password: currentPassword };
  const { passwordHash: from, ...user } = await requireOwnPassword(deps.db, attempt, wrong);
  checkPassword(newPassword, user, 'newPassword');
  await countPasswordChange(deps.db, userId);
  const passwordHash = await hashPassword(newPassword, deps.hashCost);
  const ended = await accounts.changePassword(deps.db, { userId, sessionId, from, passwordHash, now: deps.now() });
  if (ended === null) throw wrong;
  deps.onOutboxWrite();
  return ended;
}
