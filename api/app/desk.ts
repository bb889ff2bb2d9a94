/** Registers the desk: the pages and forms of a signed-in author. */

import helmet from '@fastify/helmet';
import type { FastifyError, FastifyInstance } from 'fastify';
import { articlesSection } from '../deliveries/grid/section.ts';
import type { DeskDeps } from '../deps.ts';
import { notificationsSection } from '../notifications/desk/routes.ts';
import { calendarSection } from '../publishing/calendar/routes.ts';
import { writeSection } from '../publishing/editor/routes.ts';
import { statisticsSection } from '../readers/statistics/routes.ts';
import { compressPages } from '../web/assets/compress-pages.ts';
import { sendDeskProblem } from '../web/desk/send-desk-page.ts';
import { acceptForms } from '../web/forms.ts';
import { requireViewer } from '../web/viewer.ts';
import { settingsSection } from './desk-settings.ts';

export async function registerDesk(app: FastifyInstance, deps: DeskDeps) {
  // Each page sends its own policy. Whether to require TLS is the operator's decision.
  await app.register(helmet, { contentSecurityPolicy: false, strictTransportSecurity: false });
  compressPages(app);
  await acceptForms(app);
  app.addHook('onRequest', requireViewer(deps));
  app.setErrorHandler((error: FastifyError, request, reply) => sendDeskProblem(error, request, reply));
  await app.register(articlesSection, deps);
  await app.register(calendarSection, deps);
  await app.register(notificationsSection, deps);
  await app.register(statisticsSection, deps);
  await app.register(settingsSection, deps);
  await app.register(writeSection, deps);
}
