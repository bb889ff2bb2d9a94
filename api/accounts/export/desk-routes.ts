/** `/desk/settings/export`: the download itself answers the form, so that its address holds no token. */
import type { DeskDeps } from '../../deps.ts';
import type { FastifyInstance } from 'fastify';
import { createExportSender } from './send-export.ts';
import { ALLOW_UNCONFIRMED } from '../../auth/confirmed-address.ts';
import { renderExportPage } from './page.ts';
import { buildSubjectPath } from '../../web/desk/settings-page.ts';
import { getViewer } from '../../web/viewer.ts';
import { sendSettings } from '../../web/desk/send-settings.ts';

const PATH = buildSubjectPath('export');
const schema = { hide: true };

export async function exportSettings(app: FastifyInstance, deps: DeskDeps) {
  const exports = createExportSender(deps);
  app.addHook('onClose', () => exports.close());

  app.get(PATH, { schema }, async (request, reply) =>
    sendSettings(request, reply, { subject: 'export' }, renderExportPage()),
  );
  app.post(PATH, { schema, config: ALLOW_UNCONFIRMED }, (request, reply) =>
    exports.send(reply, getViewer(request).userId),
  );
}
