/** Routes of `/desk/settings/notifications`. */

import type { FastifyInstance } from 'fastify';
import { changePreferences, listPreferences } from '../../../store/notifications/preferences.ts';
import { ALLOW_UNCONFIRMED } from '../../auth/confirmed-address.ts';
import type { DeskDeps } from '../../deps.ts';
import { sendSettings } from '../../web/desk/send-settings.ts';
import { buildSettingsPath } from '../../web/desk/settings-page.ts';
import { readField } from '../../web/forms.ts';
import { handleForm } from '../../web/notice.ts';
import { getViewer } from '../../web/viewer.ts';
import { renderNotificationSettings } from './settings-page.ts';

const PATH = buildSettingsPath('notifications');
const schema = { hide: true };

export async function notificationSettings(app: FastifyInstance, { db }: DeskDeps) {
  app.get(PATH, { schema }, async (request, reply) => {
    const preferences = await listPreferences(db, getViewer(request).userId);
    return sendSettings(request, reply, { subject: 'notifications' }, renderNotificationSettings(preferences));
  });

  app.post(PATH, { schema, config: ALLOW_UNCONFIRMED }, async (request, reply) =>
    handleForm(reply, PATH, async () => {
      const { userId } = getViewer(request);
      const isOn = (name: string) => readField(request, name) !== '';
      const preferences = (await listPreferences(db, userId)).map(({ type, digest }) => ({
        ...{ type, stream: isOn(`stream.${type}`) },
        ...(digest !== null && { digest: isOn(`digest.${type}`) }),
      }));
      await changePreferences(db, userId, preferences);
      return 'Saved. The changes apply to later notifications.';
    }),
  );
}
