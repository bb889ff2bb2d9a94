/** Developer tokens: made, shown once, listed and revoked. */
import type { listOwnTokens } from '../../../../store/users/own-tokens.ts';
import { LONGEST_TOKEN_NAME } from '../../../accounts/developer-tokens.ts';
import type { FieldProblem } from '../../../accounts/profile-rules.ts';
import { renderInput, renderSelect } from '../../fields.ts';
import { type Html, html } from '../../html.ts';
import { renderTime } from '../times.ts';
import { buildSubjectPath, findProblem, renderConfirmed, renderOtherProblems } from './settings-page.ts';

type Token = Awaited<ReturnType<typeof listOwnTokens>>[number];

export interface TokensPage {
  tokens: readonly Token[];
  now: Date;
  /** Just made: this is the one time that it is shown. */
  made: { name: string; token: string } | null;
  /** Null where the address is not confirmed. */
  form: { id: string; name: string; lifetime: string } | null;
  problems: readonly FieldProblem[];
}

/** In days; empty for ever. */
export const LIFETIMES = [
  ['', 'Never: it works until you revoke it'],
  ['30', 'In 30 days'],
  ['90', 'In 90 days'],
  ['365', 'In a year'],
] as const;

const PATH = buildSubjectPath('tokens');

export function renderTokensPage({ tokens, now, made, form, problems }: TokensPage): Html {
  return html`${renderOtherProblems(problems, form ? ['name', 'expiresAt'] : [])}${made && renderMade(made)}
<p>With a token, programs publish in your name: the <code>courant</code> command, a GitHub Action, your editor. It opens nothing else.</p>
${form ? renderForm(form, problems) : html`<p class="notice warning">Confirm your e-mail address before you make tokens: a token outlives the session that made it.</p>`}
<h2>Your tokens</h2>
${tokens.length === 0 ? html`<p class="empty">There are none yet.</p>` : html`<ul class="settings-list">${tokens.map((token) => renderToken(token, now))}</ul>`}`;
}

function renderMade({ name, token }: { name: string; token: string }): Html {
  return html`<section class="notice done made-token" aria-labelledby="made" role="status"><h2 id="made">Copy “<bdi>${name}</bdi>” now</h2>
<p>This is the only time that it is shown; we keep a hash of it and could not tell you again.</p>
<p class="copyable"><code data-copy>${token}</code></p>
<p>In a terminal, <code>courant login --token -</code> asks for it. In an Action it is the secret that <code>token</code> names.</p></section>`;
}

function renderForm(form: { id: string; name: string; lifetime: string }, problems: readonly FieldProblem[]): Html {
  return html`<form method="post" action="${PATH}" class="card">
<h2>Make a token</h2>
<input type="hidden" name="form" value="${form.id}">
${renderInput({ name: 'name', label: 'What it is for', value: form.name, hint: 'As in: laptop, or GitHub Action of my-blog.', problem: findProblem(problems, 'name') }, html` maxlength="${LONGEST_TOKEN_NAME}" autocomplete="off" dir="auto"`)}
${renderSelect({ name: 'lifetime', label: 'Expires', value: form.lifetime, problem: findProblem(problems, 'expiresAt') }, LIFETIMES)}
<button class="button primary">Make the token</button>
</form>`;
}

function renderToken({ id, name, lastFour, createdAt, expiresAt, lastUsedOn }: Token, now: Date): Html {
  const isExpired = expiresAt !== null && expiresAt <= now;
  return html`<li><div><h3 dir="auto">${name}</h3>
<p class="meta"><span class="state ${isExpired ? 'bad' : 'good'}">${isExpired ? 'expired' : 'works'}</span> <span>ends with <code>${lastFour}</code></span>
<span>made ${renderTime(createdAt)}</span> <span>${lastUsedOn === null ? 'never used' : html`last used on <time>${lastUsedOn}</time>`}</span>
${expiresAt !== null && html`<span>${isExpired ? 'expired' : 'expires'} ${renderTime(expiresAt)}</span>`}</p></div>
${renderConfirmed(
  'Revoke',
  html`<form method="post" action="${PATH}/${id}/revoke"><p>Whatever uses it is refused from then on. That cannot be undone.</p>
<button class="button danger"><span>Revoke “<bdi>${name}</bdi>”</span></button></form>`,
)}</li>
`;
}
