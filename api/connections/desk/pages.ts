/** Renders the settings pages of connections: the list, one connection, and connecting an account. */
import type { DestinationKey } from '../../../article/types.ts';
import { DESCRIPTORS } from '../../../destinations/registry.ts';
import type { Platform } from '../../../destinations/types.ts';
import { isWebAddress } from '../../../runtime/config/web-address.ts';
import type { ConnectionUse, listConnections } from '../../../store/connections/list.ts';
import type { Offer } from '../../../store/deliveries/offers.ts';
import { formatQuantity } from '../../web/desk/format-count.ts';
import { buildSettingsPath, findProblem, renderConfirmed, renderOtherProblems } from '../../web/desk/settings-page.ts';
import { renderTime } from '../../web/desk/times.ts';
import { type FieldProblem, renderInput } from '../../web/fields.ts';
import { type Html, html } from '../../web/html.ts';

export type ShownConnection = Awaited<ReturnType<typeof listConnections>>[number] &
  ConnectionUse & { platform: Platform };

interface ShownDestination {
  key: DestinationKey;
  label: string;
  /** Null where no account is connected. */
  connection: ShownConnection | null;
}

export function buildConnectionPath(key: DestinationKey): string {
  return `${buildSettingsPath('connections')}/${key}`;
}

export function renderConnectionsPage(destinations: readonly ShownDestination[], now: Date): Html {
  return html`<p>Your articles are sent to the destinations that their <code>cross_post</code> selects. Credentials are stored encrypted, and never shown again, even to you.</p>
<ul class="settings-list">${destinations.map((destination) => renderDestination(destination, now))}</ul>`;
}

function renderDestination({ key, label, connection }: ShownDestination, now: Date): Html {
  const path = buildConnectionPath(key);
  const link = connection
    ? html`<a class="button compact" href="${path}" aria-label="Manage ${label}">Manage</a>`
    : html`<a class="button compact primary" href="${path}/new" aria-label="Connect ${label}">Connect</a>`;
  return html`<li><div><h2>${label} <code class="small soft">${key}</code></h2>${
    connection ? renderState(connection, now) : html`<p class="meta">Not connected</p>`
  }</div>${link}</li>
`;
}

function renderState(connection: ShownConnection, now: Date): Html {
  const { account, baseUrl, status, statusReason, blockedUntil, last, held } = connection;
  const isPaused = blockedUntil !== null && blockedUntil > now;
  return html`<p class="meta">${status === 'active' ? html`<span class="state good">Active</span>` : html`<span class="state bad">Refused</span>`}
${isPaused && html`<span class="state warn">Paused</span>`} <bdi>${account ?? 'account not read yet'}</bdi> <bdi class="soft">${baseUrl}</bdi></p>
${status !== 'active' && html`<p class="reason">${statusReason ?? 'The destination rejects the credential.'}${held > 0 && html` ${formatQuantity(held, 'delivery waits', 'deliveries wait')} for a working credential.`}</p>`}
${isPaused && html`<p class="meta">The destination limits the rate: nothing is sent before ${renderTime(blockedUntil)}.</p>`}
<p class="meta">${last === null ? 'No deliveries yet.' : html`Last delivery ${renderTime(last.at)}: ${renderCopy(last)}`}</p>`;
}

function renderCopy({ title, url }: NonNullable<ConnectionUse['last']>): Html {
  return url !== null && isWebAddress(url)
    ? html`<a href="${url}" rel="noreferrer"><bdi>${title}</bdi></a>`
    : html`<bdi>${title}</bdi>`;
}

interface ConnectionPage extends CredentialFormState {
  connection: ShownConnection;
  offers: readonly Offer[];
  now: Date;
}

export function renderConnectionPage({ connection, offers, now, typed, problems }: ConnectionPage): Html {
  const path = buildConnectionPath(connection.destination);
  const { label, connection: form } = DESCRIPTORS[connection.platform];
  return html`${renderOtherProblems(
    problems,
    form.fields.map((field) => field.name),
  )}
<section class="card" aria-labelledby="state"><h2 id="state">Status</h2>${renderState(connection, now)}
<form method="post" action="${path}/test"><button class="button">Test it now</button> <span class="hint-inline">Checks the stored credential at ${label}. If it works, waiting deliveries are sent.</span></form></section>
${offers.length > 0 && renderOffers(connection, offers)}
<form method="post" action="${path}/reconnect" class="card"><h2>Replace the credential</h2>
${renderSteps(connection.platform)}
${renderCredentialFields(connection.platform, { typed, problems })}
<button class="button primary">Test and save</button></form>
<section class="card" aria-labelledby="leave"><h2 id="leave">Change or disconnect</h2>
<p><a href="${path}/new">Connect another account or address</a>. It replaces this one.</p>
${renderConfirmed(
  `Disconnect ${label}`,
  html`<form method="post" action="${path}/disconnect"><p>${
    connection.copies === 0
      ? 'It has no copies of your articles.'
      : `${formatQuantity(connection.copies, 'copy stays', 'copies stay')} there. Courant cannot update or withdraw copies while no account is connected.`
  } Due deliveries are held until you reconnect. Courant deletes the credential; revoke it at ${label} too.</p>
<button class="button danger">Disconnect ${label}</button></form>`,
)}</section>`;
}

function renderOffers({ account, baseUrl, destination }: ShownConnection, offers: readonly Offer[]): Html {
  return html`<form method="post" action="${buildConnectionPath(destination)}/send" class="card"><h2>Send ${formatQuantity(offers.length, 'article', 'articles')} to <bdi>${account ?? baseUrl}</bdi></h2>
<p>These articles select this destination, but were published while another account, or none, was connected. To send them, select them and press “Send the selected articles”.</p>
<ul class="plain-list">${offers.map(
    ({ articleId, title }) =>
      html`<li><label class="check"><input type="checkbox" name="article" value="${articleId}" checked> <bdi>${title}</bdi></label></li>
`,
  )}</ul>
<p><button class="button primary">Send the selected articles</button></p></form>`;
}

interface ConnectPage extends CredentialFormState {
  destination: DestinationKey;
  platform: Platform;
  /** All platforms of the destination. */
  platforms: readonly Platform[];
  /** Null where the platform has no default address. */
  defaultBaseUrl: string | null;
  /** Name or address of the account that this connection replaces; null where none is connected. */
  replaces: string | null;
}

export function renderConnectPage(page: ConnectPage): Html {
  const { destination, platform, platforms, replaces, problems } = page;
  const path = `${buildConnectionPath(destination)}/new`;
  const { label, connection } = DESCRIPTORS[platform];
  const choices = platforms.map(
    (option) =>
      html`<li><a class="button compact" href="${path}?platform=${option}"${option === platform && html` aria-current="true"`}>${DESCRIPTORS[option].label}</a></li>`,
  );
  return html`${renderOtherProblems(problems, ['baseUrl', ...connection.fields.map((field) => field.name)])}
${platforms.length > 1 && html`<nav aria-label="Platform"><ul class="choices">${choices}</ul></nav>`}
${replaces !== null && html`<p class="notice warning">This replaces <bdi>${replaces}</bdi>. Copies stay at that account. An article is delivered to the new account when you publish it again.</p>`}
<form method="post" action="${path}" class="card"><h2>Credential</h2>
${renderSteps(platform)}
<input type="hidden" name="platform" value="${platform}">
${page.defaultBaseUrl === null && renderAddress(page)}
${renderCredentialFields(platform, page)}
${page.defaultBaseUrl !== null && renderAddress(page)}
<button class="button primary">Test and connect</button> <span class="hint-inline">Courant reads the account’s name from ${label}, and posts nothing.</span></form>`;
}

function renderAddress({ platform, defaultBaseUrl, typed, problems }: ConnectPage): Html {
  const isOptional = defaultBaseUrl !== null;
  const attributes = html` inputmode="url" autocomplete="off" spellcheck="false" maxlength="2000" dir="ltr"${isOptional && html` placeholder="${defaultBaseUrl}"`}`;
  const field = {
    ...DESCRIPTORS[platform].connection.address,
    ...{ name: 'baseUrl', value: typed.baseUrl ?? '', problem: findProblem(problems, 'baseUrl'), isOptional },
  };
  return renderInput(field, attributes);
}

function renderSteps(platform: Platform): Html {
  const { steps, caution } = DESCRIPTORS[platform].connection;
  return html`<ol class="how-to">${steps.map((step) => html`<li>${renderInline(step)}</li>`)}</ol>${caution && html`<p class="notice warning">${renderInline(caution)}</p>`}`;
}

/** Renders `[links](https://…)` and `` `code` `` in a text of a descriptor. */
function renderInline(text: string): Html {
  const parts = text.split(/(\[[^\]]+\]\(https:[^)]+\)|`[^`]+`)/);
  return html`${parts.map((part) => {
    const [, label, url] = /^\[(.+)\]\((.+)\)$/.exec(part) ?? [];
    if (url !== undefined) return html`<a href="${url}" rel="noreferrer">${label}</a>`;
    return part.startsWith('`') ? html`<code>${part.slice(1, -1)}</code>` : html`${part}`;
  })}`;
}

export interface CredentialFormState {
  /** By field name. Secrets in it are never rendered. */
  typed: Record<string, string>;
  problems: readonly FieldProblem[];
}

function renderCredentialFields(platform: Platform, { typed, problems }: CredentialFormState): Html {
  const rendered = DESCRIPTORS[platform].connection.fields.map(({ name, kind, ...field }) => {
    const attributes =
      kind === 'secret'
        ? html` type="password" autocomplete="off" spellcheck="false" maxlength="9000"`
        : html` autocomplete="off" autocapitalize="none" spellcheck="false" maxlength="200" dir="ltr"`;
    const value = kind === 'secret' ? '' : (typed[name] ?? '');
    return renderInput({ ...field, name, value, problem: findProblem(problems, name) }, attributes);
  });
  return html`${rendered}`;
}
