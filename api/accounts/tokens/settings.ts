/** `/desk/settings/tokens`: creates and revokes developer tokens. A new token is shown once. */
import { randomUUID } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { RefusedCommandError } from '../../../store/commands/refused-command.ts';
import { isUuid } from '../../../store/db/valid-keys.ts';
import { listOwnTokens } from '../../../store/tokens/own-tokens.ts';
import { ALLOW_UNCONFIRMED } from '../../auth/confirmed-address.ts';
import { DAY_MS } from '../../auth/limits.ts';
import type { ApiConfig } from '../../config.ts';
import type { DeskDeps } from '../../deps.ts';
import { sendSettings } from '../../web/desk/send-settings.ts';
import { buildSettingsPath, findProblem, renderConfirmed, renderOtherProblems } from '../../web/desk/settings-page.ts';
import { renderTime } from '../../web/desk/times.ts';
import { type FieldProblem, renderInput, renderSelect } from '../../web/fields.ts';
import { readField } from '../../web/forms.ts';
import { type Html, html } from '../../web/html.ts';
import { redirectWithNotice } from '../../web/notice.ts';
import { chooseStatus, toFieldProblem } from '../../web/page-form.ts';
import { getViewer } from '../../web/viewer.ts';
import { createNamedToken, MAX_TOKEN_NAME_CHARACTERS, revokeToken } from './tokens.ts';

const PATH = buildSettingsPath('tokens');

/** Values in days. An empty value never expires. */
const LIFETIMES = [
  ['', 'Never (works until you revoke it)'],
  ['30', 'In 30 days'],
  ['90', 'In 90 days'],
  ['365', 'In a year'],
] as const;

interface TokenForm {
  name: string;
  lifetime: string;
}

const EMPTY: TokenForm = { name: '', lifetime: '' };

interface Shown {
  form: TokenForm;
  status?: number;
  /** The token that this request created. It is shown only now. */
  createdToken?: { name: string; token: string };
  problems?: readonly FieldProblem[];
}

export async function tokenSettings(app: FastifyInstance, deps: DeskDeps) {
  const { db, now } = deps;

  app.get(PATH, (request, reply) => show(request, reply, { form: EMPTY }));

  // The response to the form contains the token, so no cookie, URL or cache does. Reloading it
  // sends the form again. The form contains the id of the token, so no second token is created.
  app.post(PATH, async (request, reply) => {
    const form = { name: readField(request, 'name'), lifetime: readField(request, 'lifetime') };
    try {
      const expiresAt = readExpiry(form.lifetime, now());
      const created = { name: form.name, expiresAt, id: readFormId(request) };
      const { token } = await createNamedToken(deps, getViewer(request), created);
      return await show(request, reply, { form: EMPTY, createdToken: { name: form.name, token } });
    } catch (error) {
      if (!(error instanceof RefusedCommandError)) throw error;
      return show(request, reply, { form, problems: [toFieldProblem(error)], status: chooseStatus(error) });
    }
  });

  app.post<{ Params: { id: string } }>(`${PATH}/:id/revoke`, { config: ALLOW_UNCONFIRMED }, async (request, reply) => {
    await revokeToken(deps, getViewer(request).userId, request.params.id);
    const text = 'Token revoked. Programs that use it are refused from now on.';
    return redirectWithNotice(reply, PATH, { kind: 'done', text });
  });

  async function show(request: FastifyRequest, reply: FastifyReply, { status, ...shown }: Shown) {
    const tokens = await listOwnTokens(db, getViewer(request).userId, now());
    const { emailConfirmed } = getViewer(request);
    const body = renderTokensPage({ ...shown, tokens, now: now(), emailConfirmed, config: deps.config });
    return sendSettings(request, reply, { subject: 'tokens', ...(status && { status }) }, body);
  }
}

function readExpiry(lifetime: string, now: Date): Date | null {
  const isKnown = LIFETIMES.some(([days]) => days === lifetime);
  if (!isKnown) throw new RefusedCommandError('BAD_INPUT', 'Choose an expiry from the list.', 'expiresAt');
  return lifetime === '' ? null : new Date(now.getTime() + Number(lifetime) * DAY_MS);
}

function readFormId(request: FastifyRequest): string {
  const id = readField(request, 'form');
  if (isUuid(id)) return id;
  throw new RefusedCommandError('BAD_INPUT', 'The form was incomplete. Use the form below.');
}

type Token = Awaited<ReturnType<typeof listOwnTokens>>[number];

interface TokensPage extends Omit<Shown, 'status'> {
  tokens: readonly Token[];
  now: Date;
  emailConfirmed: boolean;
  config: Pick<ApiConfig, 'baseUrl' | 'apiUrl'>;
}

function renderTokensPage({
  tokens,
  now,
  createdToken,
  form,
  emailConfirmed,
  config,
  problems = [],
}: TokensPage): Html {
  const fields = emailConfirmed ? ['name', 'expiresAt'] : [];
  return html`${renderOtherProblems(problems, fields)}${createdToken && renderCreatedToken(createdToken)}${createdToken && renderCommandLine(config)}
<p>Programs use a token to publish in your name: the <code>courant</code> command, a GitHub Action, your editor. It allows nothing else.</p>
${emailConfirmed ? renderForm(form, problems) : html`<p class="notice warning">Confirm your e-mail address before you create tokens: a token outlives the session that created it.</p>`}
<h2>Your tokens</h2>
${tokens.length === 0 ? html`<p class="empty">No tokens yet.</p>` : html`<ul class="settings-list">${tokens.map((token) => renderToken(token, now))}</ul>`}
${!createdToken && renderCommandLine(config)}`;
}

function renderCreatedToken({ name, token }: { name: string; token: string }): Html {
  return html`<section class="notice done made-token" aria-labelledby="made" role="status"><h2 id="made">Copy “<bdi>${name}</bdi>” now</h2>
<p>It is never shown again, even to you: we store only a hash.</p>
<p class="copyable"><code data-copy="the token">${token}</code></p>
<p>For a GitHub Action, store it as a repository secret and pass that secret in the input <code>token</code>.</p></section>`;
}

/** The login reads the token from standard input, so the shell history does not contain it. */
function renderCommandLine({ baseUrl, apiUrl }: TokensPage['config']): Html {
  return html`<section class="card" aria-labelledby="command-line"><h2 id="command-line">Publish from the command line</h2>
<p>Install the command line. It needs Node.js 20 or later:</p>
<p class="copyable"><code data-copy="the install command">npm install --global ${baseUrl}/cli/courant.tgz</code></p>
<p>Log in to this server, and paste a token at the prompt:</p>
<p class="copyable"><code data-copy="the login command">courant login --token - --endpoint ${apiUrl}/graphql</code></p></section>
`;
}

/** The id of the form becomes that of the token. */
function renderForm({ name, lifetime }: TokenForm, problems: readonly FieldProblem[]): Html {
  return html`<form method="post" action="${PATH}" class="card">
<h2>Create a token</h2>
<input type="hidden" name="form" value="${randomUUID()}">
${renderInput({ name: 'name', label: 'Purpose', value: name, hint: 'Examples: laptop, GitHub Action of my-blog.', problem: findProblem(problems, 'name') }, html` maxlength="${MAX_TOKEN_NAME_CHARACTERS}" autocomplete="off" dir="auto"`)}
${renderSelect({ name: 'lifetime', label: 'Expires', value: lifetime, problem: findProblem(problems, 'expiresAt') }, LIFETIMES)}
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
