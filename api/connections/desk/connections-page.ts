/** Renders the list of destinations with the status of each connection. */
import type { DestinationKey } from '../../../article/types.ts';
import type { Platform } from '../../../destinations/types.ts';
import { isWebAddress } from '../../../runtime/config/web-address.ts';
import type { listConnections } from '../../../store/connections/list.ts';
import type { ConnectionUse } from '../../../store/connections/uses.ts';
import { formatQuantity } from '../../web/desk/format-count.ts';
import { buildSettingsPath } from '../../web/desk/settings-page.ts';
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

/** Renders the status, the account and the last delivery of a connection. */
export function renderState(connection: ShownConnection, now: Date): Html {
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
