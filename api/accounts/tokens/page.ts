/** Settings page of developer tokens. A new token is shown once. */
import type { listOwnTokens } from '../../../store/tokens/own-tokens.ts';
import { buildSettingsPath, findProblem, renderConfirmed, renderOtherProblems } from '../../web/desk/settings-page.ts';
import { renderTime } from '../../web/desk/times.ts';
import { type FieldProblem, renderInput, renderSelect } from '../../web/fields.ts';
import { type Html, html } from '../../web/html.ts';
import { MAX_TOKEN_NAME_CHARACTERS } from './tokens.ts';

type Token = Awaited<ReturnType<typeof listOwnTokens>>[number];

export interface TokensPage {
  tokens: readonly Token[];
  now: Date;
  /** The token that this request created. It is shown only now. */
  createdToken: { name: string; token: string } | null;
  /** Null if the address is not confirmed. */
  form: { id: string; name: string; lifetime: string } | null;
  commandLine: CommandLine;
  problems: readonly FieldProblem[];
}

interface CommandLine {
  /** URL of the command line's package on this server. */
  packageUrl: string;
  /** GraphQL endpoint. */
  endpoint: string;
}

/** Values in days. An empty value never expires. */
export const LIFETIMES = [
  ['', 'Never (works until you revoke it)'],
  ['30', 'In 30 days'],
  ['90', 'In 90 days'],
  ['365', 'In a year'],
] as const;

const PATH = buildSettingsPath('tokens');

export function renderTokensPage({ tokens, now, createdToken, form, commandLine, problems }: TokensPage): Html {
  return html`${renderOtherProblems(problems, form ? ['name', 'expiresAt'] : [])}${createdToken && renderCreatedToken(createdToken)}${createdToken && renderCommandLine(commandLine)}
<p>Programs use a token to publish in your name: the <code>courant</code> command, a GitHub Action, your editor. It allows nothing else.</p>
${form ? renderForm(form, problems) : html`<p class="notice warning">Confirm your e-mail address before you create tokens: a token outlives the session that created it.</p>`}
<h2>Your tokens</h2>
${tokens.length === 0 ? html`<p class="empty">No tokens yet.</p>` : html`<ul class="settings-list">${tokens.map((token) => renderToken(token, now))}</ul>`}
${!createdToken && renderCommandLine(commandLine)}`;
}

function renderCreatedToken({ name, token }: { name: string; token: string }): Html {
  return html`<section class="notice done made-token" aria-labelledby="made" role="status"><h2 id="made">Copy “<bdi>${name}</bdi>” now</h2>
<p>It is never shown again, even to you: we store only a hash.</p>
<p class="copyable"><code data-copy="the token">${token}</code></p>
<p>For a GitHub Action, store it as a repository secret and pass that secret in the input <code>token</code>.</p></section>`;
}

/** The login reads the token from standard input, so the shell history does not contain it. */
function renderCommandLine({ packageUrl, endpoint }: CommandLine): Html {
  return html`<section class="card" aria-labelledby="command-line"><h2 id="command-line">Publish from the command line</h2>
<p>Install the command line. It needs Node.js 20 or later:</p>
<p class="copyable"><code data-copy="the install command">npm install --global ${packageUrl}</code></p>
<p>Log in to this server, and paste a token at the prompt:</p>
<p class="copyable"><code data-copy="the login command">courant login --token - --endpoint ${endpoint}</code></p></section>
`;
}

function renderForm(form: { id: string; name: string; lifetime: string }, problems: readonly FieldProblem[]): Html {
  return html`<form method="post" action="${PATH}" class="card">
<h2>Create a token</h2>
<input type="hidden" name="form" value="${form.id}">
${renderInput({ name: 'name', label: 'Purpose', value: form.name, hint: 'Examples: laptop, GitHub Action of my-blog.', problem: findProblem(problems, 'name') }, html` maxlength="${MAX_TOKEN_NAME_CHARACTERS}" autocomplete="off" dir="auto"`)}
${renderSelect({ name: 'lifetime', label: 'Expires', value: form.lifetime, problem: findProblem(problems, 'expiresAt') }, LIFETIMES)}
<button class="button primary">Create token</button>
</form>`;
}

function renderToken({ id, name, lastFour, createdAt, expiresAt, lastUsedOn }: Token, now: Date): Html {
  const isExpired = expiresAt !== null && expiresAt <= now;
  return html`<li id="token-${id}"><div><h3 dir="auto">${name}</h3>
<p class="meta"><span class="state ${isExpired ? 'bad' : 'good'}">${isExpired ? 'expired' : 'active'}</span> <span>ends with <code>${lastFour}</code></span>
<span>created ${renderTime(createdAt)}</span> <span>${lastUsedOn === null ? 'never used' : html`last used on <time>${lastUsedOn}</time>`}</span>
${expiresAt !== null && html`<span>${isExpired ? 'expired' : 'expires'} ${renderTime(expiresAt)}</span>`}</p></div>
${renderConfirmed(
  'Revoke',
  html`<form method="post" action="${PATH}/${id}/revoke"><p>Programs that use it are refused from then on. This cannot be undone.</p>
<button class="button danger"><span>Revoke “<bdi>${name}</bdi>”</span></button></form>`,
)}</li>
`;
}
