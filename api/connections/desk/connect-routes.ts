/**
 * `/desk/settings/connections/<destination>/new`: connects an account, which replaces the current
 * one.
 */

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { DestinationKey } from '../../../article/types.ts';
import { PLATFORMS_BY_KEY } from '../../../destinations/platforms.ts';
import { DESCRIPTORS } from '../../../destinations/registry.ts';
import type { Platform } from '../../../destinations/types.ts';
import type { DeskDeps } from '../../deps.ts';
import { sendSettings } from '../../web/desk/send-settings.ts';
import { buildSettingsPath } from '../../web/desk/settings-page.ts';
import type { FieldProblem } from '../../web/fields.ts';
import { readField } from '../../web/forms.ts';
import { handlePageForm } from '../../web/page-form.ts';
import { getViewer } from '../../web/viewer.ts';
import { connect } from '../connect.ts';
import { renderConnectPage } from './connect-page.ts';
import { toConnectionFieldProblem } from './connection-field-problem.ts';
import { buildConnectionPath } from './connections-page.ts';
import { readCredentials } from './read-credentials.ts';
import { findShownConnection, readDestination, readPlatform } from './shown-connections.ts';

const PATH = `${buildSettingsPath('connections')}/:destination/new`;
const schema = { hide: true };

interface Route {
  Params: { destination: string };
  Querystring: { platform?: unknown };
}

export async function connectSettings(app: FastifyInstance, deps: DeskDeps) {
  app.get<Route>(PATH, { schema }, async (request, reply) => {
    const destination = readDestination(request.params.destination);
    const platform = readPlatform(destination, request.query.platform);
    return show(request, reply, { destination, platform, typed: {}, problems: [], status: 200 });
  });

  app.post<Route>(PATH, { schema }, async (request, reply) => {
    const destination = readDestination(request.params.destination);
    const platform = readPlatform(destination, readField(request, 'platform'));
    const baseUrl = readField(request, 'baseUrl');
    const credentials = readCredentials(request, platform);
    const typed = { ...credentials, baseUrl };
    return handlePageForm(
      reply,
      buildConnectionPath(destination),
      async () => {
        await connect(deps, { userId: getViewer(request).userId, destination, platform, baseUrl, credentials });
        deps.onOutboxWrite();
        return `${DESCRIPTORS[platform].label} accepted the credential. The account is connected.`;
      },
      (problems, status) => show(request, reply, { destination, platform, typed, problems, status }),
      (error) => toConnectionFieldProblem(platform, error),
    );
  });

  async function show(request: FastifyRequest, reply: FastifyReply, { status, ...page }: Page): Promise<FastifyReply> {
    const current = await findShownConnection(deps.db, getViewer(request).userId, page.destination);
    const body = renderConnectPage({
      ...page,
      platforms: PLATFORMS_BY_KEY[page.destination],
      defaultBaseUrl: DESCRIPTORS[page.platform].connection.defaultBaseUrl,
      replaces: current ? (current.account ?? current.baseUrl) : null,
    });
    const title = `Connect ${DESCRIPTORS[page.platform].label}`;
    return sendSettings(request, reply, { subject: 'connections', title, status }, body);
  }
}

interface Page {
  destination: DestinationKey;
  platform: Platform;
  typed: Record<string, string>;
  problems: readonly FieldProblem[];
  status: number;
}
