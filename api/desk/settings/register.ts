/** The settings: a page and its forms for each subject. */
import type { FastifyInstance } from 'fastify';
import type { DeskDeps } from '../deps.ts';
import { connectSettings } from './connect.ts';
import { connectionSettings } from './connections.ts';
import { deleteSettings } from './delete.ts';
import { digestSettings } from './digest.ts';
import { exportSettings } from './export.ts';
import { notificationSettings } from './notifications.ts';
import { settingsOverview } from './overview.ts';
import { passwordSettings } from './password.ts';
import { profileSettings } from './profile.ts';
import { sessionSettings } from './sessions.ts';
import { tokenSettings } from './tokens.ts';

const SUBJECTS = [
  ...[settingsOverview, profileSettings, connectionSettings, connectSettings, tokenSettings, digestSettings],
  ...[notificationSettings, passwordSettings, sessionSettings, exportSettings, deleteSettings],
];

export async function settingsSection(app: FastifyInstance, deps: DeskDeps) {
  for (const subject of SUBJECTS) await app.register(subject, deps);
}
