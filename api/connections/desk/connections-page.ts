/** Renders the list of destinations with the status of each connection. */
import type { DestinationKey } from '../../../article/types.ts';
import { isWebAddress } from '../../../runtime/config/web-address.ts';
import type { Platform } from '../../../destinations/types.ts';
import type { listConnections } from '../../../store/connections/list.ts';
import type { ConnectionUse } from '../../../store/connections/uses.ts';
import { formatQuantity } from '../../web/desk/format-count.ts';
import { buildSubjectPath } from '../../web/desk/settings-page.ts';
import { renderTime } from '../../web/desk/times.ts';
import { type Html, html } from '../../web/html.ts';

export type ShownConnection = Awaited<ReturnType<typeof listConnections>>[number] &
  ConnectionUse & { platform: Platform };

export interface ShownDestination {
  key: DestinationKey;
  label: string;
  /** Null where no account is connected. */
  connection: ShownConnection | null;
}

export function buildConnectionPath(key: DestinationKey): string {
  return `${buildSubjectPath('connections')}/${key}`;
}

export function renderConnectionsPage(destinations: readonly ShownDestination[], now: Date): Html {
  return html`<p>Where your articles are sent when their <code>cross_post</code> says so. Credentials are kept sealed, and are shown to nobody, nor to you.</p>
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

/** Renders the status, the account and the last delivery of a connection. */
export function renderState(connection: ShownConnection, now: Date): Html {
  const { account, baseUrl, status, statusReason, blockedUntil, last, held } = connection;
  const isPaused = blockedUntil !== null && blockedUntil > now;
  return html`<p class="meta">${status === 'active' ? html`<span class="state good">active</span>` : html`<span class="state bad">refused</span>`}
${isPaused && html`<span class="state warn">paused</span>`} <bdi>${account ?? 'account not asked yet'}</bdi> <bdi class="soft">${baseUrl}</bdi></p>
${status !== 'active' && html`<p class="reason">${statusReason ?? 'The destination refuses the credential.'}${held > 0 && html` ${formatQuantity(held, 'delivery waits', 'deliveries wait')} for a credential that works.`}</p>`}
${isPaused && html`<p class="meta">The destination asks to wait: nothing is sent before ${renderTime(blockedUntil)}.</p>`}
<p class="meta">${last === null ? 'Nothing was delivered there yet.' : html`Last delivery ${renderTime(last.at)}: ${renderCopy(last)}`}</p>`;
}

function renderCopy({ title, url }: NonNullable<ConnectionUse['last']>): Html {
  return url !== null && isWebAddress(url)
    ? html`<a href="${url}" rel="noreferrer"><bdi>${title}</bdi></a>`
    : html`<bdi>${title}</bdi>`;
}
