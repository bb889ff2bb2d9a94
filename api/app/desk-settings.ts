/** Registers the settings: a page and its forms per subject. */

import type { FastifyInstance } from 'fastify';
import { deleteSettings } from '../accounts/deletion/settings.ts';
import { exportSettings } from '../accounts/export/routes.ts';
import { passwordSettings } from '../accounts/password/settings.ts';
import { profileSettings } from '../accounts/profile/settings.ts';
import { sessionSettings } from '../accounts/sessions/settings.ts';
import { tokenSettings } from '../accounts/tokens/settings.ts';
import { connectSettings } from '../connections/desk/connect-routes.ts';
import { connectionSettings } from '../connections/desk/routes.ts';
import type { DeskDeps } from '../deps.ts';
import { notificationSettings } from '../notifications/desk/settings.ts';
import { digestSettings } from '../notifications/digest/settings.ts';
import { settingsOverview } from './settings-overview.ts';

const SUBJECTS = [
  ...[settingsOverview, profileSettings, connectionSettings, connectSettings, tokenSettings, digestSettings],
  ...[notificationSettings, passwordSettings, sessionSettings, exportSettings, deleteSettings],
];

export async function settingsSection(app: FastifyInstance, deps: DeskDeps) {
  for (const subject of SUBJECTS) await app.register(subject, deps);
}
