/** Settings page that selects the types of notifications for open pages and for the digest. */
import type { NotificationPreference } from '../../../store/notifications/preferences.ts';
import { NOTIFICATIONS } from '../../../store/notifications/types.ts';
import { buildSettingsPath } from '../../web/desk/settings-page.ts';
import { type Html, html } from '../../web/html.ts';

export function renderNotificationSettings(preferences: readonly NotificationPreference[]): Html {
  return html`<p>The <a href="/desk/notifications">list of notifications</a> contains everything. Choose what also appears at once on open pages, and what the
<a href="${buildSettingsPath('digest')}">digest</a> contains. Changes apply to later notifications.</p>
<form method="post" action="${buildSettingsPath('notifications')}">
<div class="scroll-x" tabindex="0" role="region" aria-label="Notifications by type"><table class="data-table preferences">
<thead><tr><th scope="col">Event</th><th scope="col">At once</th><th scope="col">Digest</th></tr></thead>
<tbody>${preferences.map(renderRow)}</tbody></table></div>
<p><button class="button primary">Save</button></p></form>`;
}

function renderRow({ type, stream, digest }: NotificationPreference): Html {
  const box = (channel: 'stream' | 'digest', isOn: boolean, label: string) =>
    html`<label class="box"><input type="checkbox" name="${channel}.${type}"${isOn && html` checked`} aria-label="${NOTIFICATIONS[type].description}: ${label}"></label>`;
  return html`<tr><th scope="row">${NOTIFICATIONS[type].description}</th><td>${box('stream', stream, 'at once')}</td><td>${
    digest === null ? html`<span class="soft">–</span>` : box('digest', digest, 'in the digest')
  }</td></tr>
`;
}
