/** Registers the desk: the pages and forms of a signed-in author. */
import helmet from '@fastify/helmet';
import type { FastifyError, FastifyInstance } from 'fastify';
import { deleteSettings } from '../accounts/deletion/settings.ts';
import { exportSettings } from '../accounts/export/routes.ts';
import { passwordSettings } from '../accounts/password/settings.ts';
import { profileSettings } from '../accounts/profile/settings.ts';
import { sessionSettings } from '../accounts/sessions/settings.ts';
import { tokenSettings } from '../accounts/tokens/settings.ts';
import { connectionSettings } from '../connections/desk/routes.ts';
import { articlesSection } from '../deliveries/grid/routes.ts';
import type { DeskDeps } from '../deps.ts';
import { notificationsSection } from '../notifications/desk/routes.ts';
import { notificationSettings } from '../notifications/desk/settings.ts';
import { digestSettings } from '../notifications/digest/settings.ts';
import { registerRoutes } from '../plugins/register-routes.ts';
import { calendarSection } from '../publishing/calendar.ts';
import { writeSection } from '../publishing/editor/routes.ts';
import { statisticsSection } from '../readers/statistics/routes.ts';
import { compressPages } from '../web/assets/compress-pages.ts';
import { sendDeskProblem } from '../web/desk/send-desk-page.ts';
import { acceptForms } from '../web/forms.ts';
import { requireViewer } from '../web/viewer.ts';
import { settingsOverview } from './settings-overview.ts';

const SECTIONS = [
  ...[articlesSection, calendarSection, notificationsSection, statisticsSection, writeSection],
  // A page of the settings and its forms per subject.
  ...[settingsOverview, profileSettings, connectionSettings, tokenSettings, digestSettings],
  ...[notificationSettings, passwordSettings, sessionSettings, exportSettings, deleteSettings],
];

export async function registerDesk(app: FastifyInstance, deps: DeskDeps) {
  // Each page sends its own policy. Whether to require TLS is the operator's decision.
  await app.register(helmet, { contentSecurityPolicy: false, strictTransportSecurity: false });
  compressPages(app);
  await acceptForms(app);
  app.addHook('onRequest', requireViewer(deps));
  app.setErrorHandler((error: FastifyError, request, reply) => sendDeskProblem(error, request, reply));
  await registerRoutes(app, deps, SECTIONS);
}
