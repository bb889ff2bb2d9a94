/** Settings page that changes the password. */

import { buildSubjectPath, findProblem, renderOtherProblems } from '../../web/desk/settings-page.ts';
import { type FieldProblem, renderInput } from '../../web/fields.ts';
import { type Html, html } from '../../web/html.ts';

export function renderPasswordPage({ email, problems }: { email: string; problems: readonly FieldProblem[] }): Html {
  return html`${renderOtherProblems(problems, ['currentPassword', 'newPassword'])}
<p>A new password ends your sessions everywhere else, and we mail you that it was changed.</p>
<form method="post" action="${buildSubjectPath('password')}" class="card">
<input type="text" name="username" value="${email}" autocomplete="username" hidden>
${renderInput({ name: 'currentPassword', label: 'Present password', problem: findProblem(problems, 'currentPassword') }, html` type="password" autocomplete="current-password" maxlength="1024"`)}
${renderInput({ name: 'newPassword', label: 'New password', hint: 'At least 8 characters; long and lovely rather than odd.', problem: findProblem(problems, 'newPassword') }, html` type="password" autocomplete="new-password" minlength="8" maxlength="1024"`)}
<button class="button primary">Change the password</button>
</form>
<p class="soft">Forgotten? <a href="/account/forgot-password">Have a link mailed</a> that sets a new one.</p>`;
}
