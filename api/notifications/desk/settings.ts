/** `/desk/settings/notifications`: selects the types for open pages and for the digest. */
import type { FastifyInstance } from 'fastify';
import {
  changePreferences,
  listPreferences,
  type NotificationPreference,
} from '../../../store/notifications/preferences.ts';
import { NOTIFICATIONS } from '../../../store/notifications/types.ts';
import type { DeskDeps } from '../../deps.ts';
import { addSettingsPage } from '../../web/desk/send-settings.ts';
import { buildSettingsPath } from '../../web/desk/settings-page.ts';
import { readField } from '../../web/forms.ts';
import { type Html, html } from '../../web/html.ts';
import { getViewer } from '../../web/viewer.ts';

export async function notificationSettings(app: FastifyInstance, { db }: DeskDeps) {
  addSettingsPage(app, 'notifications', {
    render: async (request) => renderNotificationSettings(await listPreferences(db, getViewer(request).userId)),
    async submit(request) {
      const { userId } = getViewer(request);
      const isOn = (name: string) => readField(request, name) !== '';
      const preferences = (await listPreferences(db, userId)).map(({ type, digest }) => ({
        ...{ type, stream: isOn(`stream.${type}`) },
        ...(digest !== null && { digest: isOn(`digest.${type}`) }),
      }));
      await changePreferences(db, userId, preferences);
      return 'Saved. The changes apply to later notifications.';
    },
  });
}

function renderNotificationSettings(preferences: readonly NotificationPreference[]): Html {
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
