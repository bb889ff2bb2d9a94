/** The settings: a page and its forms for each subject. */
import type { DeskDeps } from '../deps.ts';
import type { FastifyInstance } from 'fastify';
import { connectSettings } from '../connections/desk/connect-routes.ts';
import { connectionSettings } from '../connections/desk/routes.ts';
import { deleteSettings } from '../accounts/deletion/routes.ts';
import { digestSettings } from '../notifications/digest/routes.ts';
import { exportSettings } from '../accounts/export/desk-routes.ts';
import { notificationSettings } from '../notifications/desk/settings-routes.ts';
import { settingsOverview } from './desk-overview.ts';
import { passwordSettings } from '../accounts/password/routes.ts';
import { profileSettings } from '../accounts/profile/routes.ts';
import { sessionSettings } from '../accounts/sessions/routes.ts';
import { tokenSettings } from '../accounts/tokens/routes.ts';

const SUBJECTS = [
  ...[settingsOverview, profileSettings, connectionSettings, connectSettings, tokenSettings, digestSettings],
  ...[notificationSettings, passwordSettings, sessionSettings, exportSettings, deleteSettings],
];

export async function settingsSection(app: FastifyInstance, deps: DeskDeps) {
  for (const subject of SUBJECTS) await app.register(subject, deps);
}
