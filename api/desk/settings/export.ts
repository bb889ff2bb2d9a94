/** `/desk/settings/export`: the download itself answers the form, so that its address holds no token. */
import type { FastifyInstance } from 'fastify';
import { createExportSender } from '../../accounts/export/send-export.ts';
import { ALLOW_UNCONFIRMED } from '../../auth/confirmed-address.ts';
import { renderExportPage } from '../../pages/desk/settings/export-page.ts';
import { buildSubjectPath } from '../../pages/desk/settings/settings-page.ts';
import { getViewer } from '../../web/viewer.ts';
import type { DeskDeps } from '../deps.ts';
import { sendSettings } from './send.ts';

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
