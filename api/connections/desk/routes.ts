/**
 * `/desk/settings/connections`: lists destinations; tests, reconnects and disconnects a connection.
 */

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { DESTINATION_KEYS } from '../../../article/types.ts';
import { nameDestination } from '../../../destinations/name-destination.ts';
import { DESCRIPTORS } from '../../../destinations/registry.ts';
import { disconnectDestination } from '../../../store/connections/disconnect.ts';
import { isUuid } from '../../../store/db/valid-keys.ts';
import { listOffers, sendArticles } from '../../../store/deliveries/offers.ts';
import { ALLOW_UNCONFIRMED } from '../../auth/confirmed-address.ts';
import type { DeskDeps } from '../../deps.ts';
import { formatQuantity } from '../../web/desk/format-count.ts';
import { sendSettings } from '../../web/desk/send-settings.ts';
import { buildSettingsPath } from '../../web/desk/settings-page.ts';
import type { FieldProblem } from '../../web/fields.ts';
import { readFields } from '../../web/forms.ts';
import { handleForm } from '../../web/notice.ts';
import { handlePageForm, toFieldProblem } from '../../web/page-form.ts';
import { getViewer } from '../../web/viewer.ts';
import { reconnect } from '../connect.ts';
import { toConnectionFieldProblem } from './connection-field-problem.ts';
import { renderConnectionPage } from './connection-page.ts';
import { buildConnectionPath, renderConnectionsPage, type ShownConnection } from './connections-page.ts';
import { readCredentials } from './read-credentials.ts';
import { findShownConnection, listShownConnections, readDestination } from './shown-connections.ts';

const PATH = buildSettingsPath('connections');
const schema = { hide: true };

interface Route {
  Params: { destination: string };
}

export async function connectionSettings(app: FastifyInstance, deps: DeskDeps) {
  const { db, now } = deps;

  app.get(PATH, { schema }, async (request, reply) => {
    const connections = await listShownConnections(db, getViewer(request).userId);
    const destinations = DESTINATION_KEYS.map((key) => {
      const connection = connections.find(({ destination }) => destination === key) ?? null;
      return { key, label: nameDestination(key, connections), connection };
    });
    return sendSettings(request, reply, { subject: 'connections' }, renderConnectionsPage(destinations, now()));
  });

  app.get<Route>(`${PATH}/:destination`, { schema }, async (request, reply) => {
    const destination = readDestination(request.params.destination);
    const connection = await findShownConnection(db, getViewer(request).userId, destination);
    if (!connection) return reply.redirect(`${buildConnectionPath(destination)}/new`, 303);
    return show(request, reply, { connection, typed: {}, problems: [], status: 200 });
  });

  app.post<Route>(`${PATH}/:destination/reconnect`, { schema }, (request, reply) =>
    probeConnection(request, reply, 'new'),
  );
  app.post<Route>(`${PATH}/:destination/test`, { schema }, (request, reply) =>
    probeConnection(request, reply, 'stored'),
  );

  app.post<Route>(`${PATH}/:destination/send`, { schema }, (request, reply) => {
    const destination = readDestination(request.params.destination);
    return handleForm(reply, buildConnectionPath(destination), async () => {
      const target = { authorId: getViewer(request).userId, destination };
      const selected = readFields(request, 'article').filter(isUuid);
      if (selected.length === 0) return { kind: 'refused', text: 'Select at least one article.' };
      const sent = await sendArticles(db, target, selected);
      deps.onOutboxWrite();
      return `Sending ${formatQuantity(sent.length, 'article', 'articles')}.`;
    });
  });

  app.post<Route>(`${PATH}/:destination/disconnect`, { schema, config: ALLOW_UNCONFIRMED }, async (request, reply) => {
    const destination = readDestination(request.params.destination);
    return handleForm(reply, PATH, async () => {
      const isDone = await disconnectDestination(db, getViewer(request).userId, destination);
      return isDone
        ? 'Disconnected. The credential is deleted here; delivered copies stay at the destination.'
        : 'This destination was already disconnected.';
    });
  });

  /** `stored` probes the stored credential again. */
  async function probeConnection(
    request: FastifyRequest<Route>,
    reply: FastifyReply,
    credentialSource: 'new' | 'stored',
  ): Promise<FastifyReply> {
    const { userId } = getViewer(request);
    const destination = readDestination(request.params.destination);
    const current = await findShownConnection(db, userId, destination);
    if (!current) return reply.redirect(`${buildConnectionPath(destination)}/new`, 303);
    const { label } = DESCRIPTORS[current.platform];
    const credentials = credentialSource === 'new' ? readCredentials(request, current.platform) : null;
    return handlePageForm(
      reply,
      buildConnectionPath(destination),
      async () => {
        await reconnect(deps, { userId, destination, credentials });
        deps.onOutboxWrite();
        return `${label} accepted the ${credentialSource === 'new' ? 'new ' : ''}credential. Waiting deliveries are being sent.`;
      },
      async (problems, status) => {
        const connection = (await findShownConnection(db, userId, destination)) ?? current;
        return show(request, reply, { connection, typed: credentials ?? {}, problems, status });
      },
      // A stored credential was not typed in a field.
      (error) =>
        credentialSource === 'new'
          ? toConnectionFieldProblem(current.platform, error)
          : { ...toFieldProblem(error), path: '' },
    );
  }

  async function show(request: FastifyRequest, reply: FastifyReply, { status, ...page }: Page): Promise<FastifyReply> {
    const { destination, platform } = page.connection;
    const title = DESCRIPTORS[platform].label;
    const offers = await listOffers(db, { authorId: getViewer(request).userId, destination });
    const body = renderConnectionPage({ ...page, offers, now: now() });
    return sendSettings(request, reply, { subject: 'connections', title, status }, body);
  }
}

interface Page {
  connection: ShownConnection;
  typed: Record<string, string>;
  problems: readonly FieldProblem[];
  status: number;
}
