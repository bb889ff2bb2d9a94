/** Page that deletes the account. It lists the consequences above the form. */
import type { UndeletedCopy } from '../../../store/copies/copies.ts';
import { formatQuantity } from '../../web/desk/format-count.ts';
import { buildSettingsPath, findProblem, renderOtherProblems } from '../../web/desk/settings-page.ts';
import { type FieldProblem, renderInput } from '../../web/fields.ts';
import { type Html, html } from '../../web/html.ts';

export interface DeletePage {
  email: string;
  articles: number;
  scheduled: number;
  /** Number of copies that remain at destinations. */
  copyCount: number;
  /** The first of these copies. */
  copies: readonly UndeletedCopy[];
  problems: readonly FieldProblem[];
}

export function renderDeletePage(page: DeletePage): Html {
  const { email, articles, scheduled, copyCount, copies, problems } = page;
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
