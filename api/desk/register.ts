/** The desk: what a signed-in author sees and does with a browser. Each section has its pages and its forms in a file of its own. */
import helmet from '@fastify/helmet';
import type { FastifyError, FastifyInstance } from 'fastify';
import type { AccountDeps } from '../accounts/deps.ts';
import type { ApiDeps } from '../deps.ts';
import { acceptForms } from '../web/forms.ts';
import { sendDeskProblem } from '../web/send-desk-page.ts';
import { requireViewer } from '../web/viewer.ts';
import { articlesSection } from './articles/section.ts';

/** What every section is given. `onDecided`: something is in the outbox. */
export type DeskDeps = ApiDeps & AccountDeps;

export async function registerDesk(app: FastifyInstance, deps: DeskDeps) {
  // Each page says its policy itself; whether the site is reached by TLS alone is up to who runs it.
  await app.register(helmet, { contentSecurityPolicy: false, strictTransportSecurity: false });
  await acceptForms(app);
  app.addHook('onRequest', requireViewer(deps));
  app.setErrorHandler((error: FastifyError, request, reply) => sendDeskProblem(error, request, reply));
  await app.register(articlesSection, deps);
}
