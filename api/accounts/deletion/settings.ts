/** `/desk/settings/delete`: lists the consequences, then deletes the account after checking the password. */
import type { FastifyInstance } from 'fastify';
import { countOwnArticles } from '../../../store/articles/own-articles.ts';
import { RefusedCommandError } from '../../../store/commands/refused-command.ts';
import { countUndeletedCopies, listUndeletedCopies, type UndeletedCopy } from '../../../store/copies/copies.ts';
import type { Database } from '../../../store/db/database.ts';
import * as users from '../../../store/users/delete-account.ts';
import type { Viewer } from '../../../store/users/find-user.ts';
import type { AccountDeps } from '../../auth/account-deps.ts';
import { requireOwnPassword } from '../../auth/login-limits.ts';
import { clearSessionCookie } from '../../auth/session-cookie.ts';
import type { DeskDeps } from '../../deps.ts';
import { formatQuantity } from '../../web/desk/format-count.ts';
import { addSettingsPage } from '../../web/desk/send-settings.ts';
import { buildSettingsPath, findProblem, renderOtherProblems } from '../../web/desk/settings-page.ts';
import { type FieldProblem, renderInput } from '../../web/fields.ts';
import { readField } from '../../web/forms.ts';
import { type Html, html } from '../../web/html.ts';
import { getViewer } from '../../web/viewer.ts';

/** Copies on the page. The export lists all of them. */
const MAX_COPIES = 100;

export async function deleteSettings(app: FastifyInstance, deps: DeskDeps) {
  const { db } = deps;
  addSettingsPage(app, 'delete', {
    render: (request, problems) => renderDeletePage(db, getViewer(request), problems),
    async submit(request, reply) {
      const password = readField(request, 'password');
      await deleteAccount(deps, { userId: getViewer(request).userId, password, address: request.ip });
      clearSessionCookie(reply, deps);
      return 'Account deleted. Thank you for writing here.';
    },
    next: '/login',
  });
}

async function renderDeletePage(
  db: Database,
  { userId, email }: Viewer,
  problems: readonly FieldProblem[],
): Promise<Html> {
  const [articles, scheduled, copyCount, copies] = await Promise.all([
    countOwnArticles(db, userId),
    countOwnArticles(db, userId, 'SCHEDULED'),
    countUndeletedCopies(db, userId),
    listUndeletedCopies(db, userId, { limit: MAX_COPIES, after: null }),
  ]);
  return html`${renderOtherProblems(problems, ['password'])}
<p>This cannot be undone. Nobody can restore a deleted account. <a href="${buildSettingsPath('export')}">Download everything</a> first.</p>
<h2>Deleted</h2>
<ul><li>${articles === 0 ? 'No articles: you have none.' : `${formatQuantity(articles, 'article', 'articles')}. The addresses of public ones will show that they are gone.`}${
    scheduled > 0 &&
    html` ${scheduled === 1 ? '1 of them is' : `${scheduled} of them are`} scheduled and will never appear.`
  }</li>
<li>Your profile, series, connections and their credentials, developer tokens, sessions, reactions, follows and settings.</li></ul>
<h2>Not deleted</h2>
<ul><li>Your comments, without your name.</li><li>Your user name, which nobody else can use.</li>
<li>${copyCount === 0 ? 'No copies: you have none at destinations.' : `${formatQuantity(copyCount, 'copy', 'copies')} at destinations, where only you can remove them. Delete or unpublish the articles first to withdraw the copies if the platform supports it.`}</li></ul>
${copies.length > 0 && renderCopies(copies, copyCount)}
<form method="post" action="${buildSettingsPath('delete')}" class="card danger-zone"><h2>Delete account</h2>
<input type="text" name="username" value="${email}" autocomplete="username" hidden>
${renderInput({ name: 'password', label: 'Your password', problem: findProblem(problems, 'password') }, html` type="password" autocomplete="current-password" maxlength="1024"`)}
<button class="button danger">Delete my account and everything listed above</button></form>`;
}

function renderCopies(copies: readonly UndeletedCopy[], count: number): Html {
  const rows = copies.map(
    ({ title, destination, account, url, isUncertain }) =>
      html`<tr><th scope="row"><bdi>${title}</bdi></th><td>${destination}${account !== null && html` <bdi class="soft">${account}</bdi>`}</td><td>${
        url !== null && /^https?:/.test(url)
          ? html`<a href="${url}" rel="noreferrer">${url}</a>`
          : html`<span class="soft">address unknown</span>`
      }${isUncertain && html` <span class="state warn">may exist</span>`}</td></tr>`,
  );
  return html`<div class="scroll-x" tabindex="0" role="region" aria-label="Copies that stay"><table class="data-table"><thead><tr><th scope="col">Article</th><th scope="col">Destination</th><th scope="col">Address</th></tr></thead><tbody>${rows}</tbody></table></div>
${count > copies.length && html`<p class="soft">And ${count - copies.length} more. The export lists all copies.</p>`}`;
}

/** Errors: UNAUTHENTICATED, WRONG_PASSWORD, RATE_LIMITED. */
export async function deleteAccount(
  { db, now, onOutboxWrite }: Pick<AccountDeps, 'db' | 'now' | 'onOutboxWrite'>,
  { userId, password, address }: { userId: string; password: string; address: string },
): Promise<void> {
  const wrong = new RefusedCommandError('WRONG_PASSWORD', 'The password is wrong. Nothing was deleted.', 'password');
  const { passwordHash } = await requireOwnPassword(db, { userId, address, password }, wrong);
  if (!(await users.deleteAccount(db, { userId, passwordHash, now: now() }))) throw wrong;
  onOutboxWrite();
}
