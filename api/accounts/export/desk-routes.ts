/** Routes of `/desk/settings/export`. The form returns the download, so no URL contains a token. */

import type { FastifyInstance } from 'fastify';
import { ALLOW_UNCONFIRMED } from '../../auth/confirmed-address.ts';
import type { DeskDeps } from '../../deps.ts';
import { sendSettings } from '../../web/desk/send-settings.ts';
import { buildSettingsPath } from '../../web/desk/settings-page.ts';
import { getViewer } from '../../web/viewer.ts';
import { renderExportPage } from './page.ts';
import { createExportSender } from './send-export.ts';

const PATH = buildSettingsPath('export');

export async function exportSettings(app: FastifyInstance, deps: DeskDeps) {
  const exports = createExportSender(deps);
  app.addHook('onClose', () => exports.close());

  app.get(PATH, async (request, reply) => sendSettings(request, reply, { subject: 'export' }, renderExportPage()));
  app.post(PATH, { config: ALLOW_UNCONFIRMED }, (request, reply) => exports.send(reply, getViewer(request).userId));
}
