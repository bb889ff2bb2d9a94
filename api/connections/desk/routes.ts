/**
 * `/desk/settings/connections`: lists destinations; connects an account; tests, reconnects and
 * disconnects a connection.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { DESTINATION_KEYS, type DestinationKey } from '../../../article/types.ts';
import { findDestination } from '../../../destinations/clients.ts';
import { PLATFORMS_BY_KEY } from '../../../destinations/platforms.ts';
import { DESCRIPTORS, nameDestination } from '../../../destinations/registry.ts';
import type { Platform } from '../../../destinations/types.ts';
import { disconnectDestination } from '../../../store/connections/disconnect.ts';
import { listConnections, listConnectionUses } from '../../../store/connections/list.ts';
import type { Database } from '../../../store/db/database.ts';
import { isUuid } from '../../../store/db/valid-keys.ts';
import { listOffers, sendArticles } from '../../../store/deliveries/offers.ts';
import { ALLOW_UNCONFIRMED } from '../../auth/confirmed-address.ts';
import type { DeskDeps } from '../../deps.ts';
import { formatQuantity } from '../../web/desk/format-count.ts';
import { sendSettings } from '../../web/desk/send-settings.ts';
import { buildSettingsPath } from '../../web/desk/settings-page.ts';
import type { FieldProblem } from '../../web/fields.ts';
import { readField, readFields } from '../../web/forms.ts';
import { handleForm } from '../../web/notice.ts';
import { handlePageForm, toFieldProblem } from '../../web/page-form.ts';
import { getViewer } from '../../web/viewer.ts';
import { connect, reconnect } from '../connect.ts';
import {
  buildConnectionPath,
  renderConnectionPage,
  renderConnectionsPage,
  renderConnectPage,
  type ShownConnection,
} from './pages.ts';
import { readCredentials, readDestination, readPlatform, toConnectionFieldProblem } from './read-request.ts';

const PATH = buildSettingsPath('connections');

interface Route {
  Params: { destination: string };
  Querystring: { platform?: unknown };
}

export async function connectionSettings(app: FastifyInstance, deps: DeskDeps) {
  const { db, now } = deps;

  app.get(PATH, async (request, reply) => {
    const connections = await listShownConnections(db, getViewer(request).userId);
    const destinations = DESTINATION_KEYS.map((key) => {
      const connection = connections.find(({ destination }) => destination === key) ?? null;
      return { key, label: nameDestination(key, connections), connection };
    });
    return sendSettings(request, reply, { subject: 'connections' }, renderConnectionsPage(destinations, now()));
  });

  app.get<Route>(`${PATH}/:destination`, async (request, reply) => {
    const destination = readDestination(request.params.destination);
    const connection = await findShownConnection(db, getViewer(request).userId, destination);
    if (!connection) return reply.redirect(`${buildConnectionPath(destination)}/new`, 303);
    return show(request, reply, { connection, typed: {}, problems: [], status: 200 });
  });

  app.get<Route>(`${PATH}/:destination/new`, async (request, reply) => {
    const destination = readDestination(request.params.destination);
    const platform = readPlatform(destination, request.query.platform);
    return showConnect(request, reply, { destination, platform, typed: {}, problems: [], status: 200 });
  });

  app.post<Route>(`${PATH}/:destination/new`, async (request, reply) => {
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
      (problems, status) => showConnect(request, reply, { destination, platform, typed, problems, status }),
      (error) => toConnectionFieldProblem(platform, error),
    );
  });

  app.post<Route>(`${PATH}/:destination/reconnect`, (request, reply) => probeConnection(request, reply, 'new'));
  app.post<Route>(`${PATH}/:destination/test`, (request, reply) => probeConnection(request, reply, 'stored'));

  app.post<Route>(`${PATH}/:destination/send`, (request, reply) => {
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

  app.post<Route>(`${PATH}/:destination/disconnect`, { config: ALLOW_UNCONFIRMED }, async (request, reply) => {
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

  async function show(
    request: FastifyRequest,
    reply: FastifyReply,
    { status, ...page }: FormState & { connection: ShownConnection },
  ): Promise<FastifyReply> {
    const { destination, platform } = page.connection;
    const title = DESCRIPTORS[platform].label;
    const offers = await listOffers(db, { authorId: getViewer(request).userId, destination });
    const body = renderConnectionPage({ ...page, offers, now: now() });
    return sendSettings(request, reply, { subject: 'connections', title, status }, body);
  }

  async function showConnect(
    request: FastifyRequest,
    reply: FastifyReply,
    { status, ...page }: FormState & { destination: DestinationKey; platform: Platform },
  ): Promise<FastifyReply> {
    const current = await findShownConnection(db, getViewer(request).userId, page.destination);
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

interface FormState {
  typed: Record<string, string>;
  problems: readonly FieldProblem[];
  status: number;
}

async function listShownConnections(db: Database, userId: string): Promise<ShownConnection[]> {
  const [connections, uses] = await Promise.all([listConnections(db, userId), listConnectionUses(db, userId)]);
  return connections.flatMap((connection) => {
    const use = uses.find(({ destination }) => destination === connection.destination);
    const platform = findDestination(connection.platform)?.platform;
    return use && platform ? [{ ...connection, ...use, platform }] : [];
  });
}

async function findShownConnection(
  db: Database,
  userId: string,
  key: DestinationKey,
): Promise<ShownConnection | undefined> {
  return (await listShownConnections(db, userId)).find(({ destination }) => destination === key);
}
