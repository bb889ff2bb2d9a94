/** The desk: what a signed-in author sees and does with a browser. Each section has its pages and its forms in a file of its own. */
import type { DeskDeps } from '../deps.ts';
import helmet from '@fastify/helmet';
import type { FastifyError, FastifyInstance } from 'fastify';
import { compressPages } from '../web/assets/compress-pages.ts';
import { acceptForms } from '../web/forms.ts';
import { sendDeskProblem } from '../web/desk/send-desk-page.ts';
import { requireViewer } from '../web/viewer.ts';
import { articlesSection } from '../deliveries/grid/section.ts';
import { calendarSection } from '../publishing/calendar/routes.ts';
import { notificationsSection } from '../notifications/desk/routes.ts';
import { settingsSection } from './desk-settings.ts';
import { statisticsSection } from '../readers/statistics/routes.ts';
import { writeSection } from '../publishing/editor/routes.ts';

export async function registerDesk(app: FastifyInstance, deps: DeskDeps) {
  // Each page says its policy itself; whether the site is reached by TLS alone is up to who runs it.
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
