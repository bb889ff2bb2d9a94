/** Settings page that changes the password. */

import { buildSettingsPath, findProblem, renderOtherProblems } from '../../web/desk/settings-page.ts';
import { type FieldProblem, renderInput } from '../../web/fields.ts';
import { type Html, html } from '../../web/html.ts';

export function renderPasswordPage({ email, problems }: { email: string; problems: readonly FieldProblem[] }): Html {
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
