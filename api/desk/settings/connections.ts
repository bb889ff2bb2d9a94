/** `/desk/settings/connections`: the destinations, each with a page of its own. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { DESTINATION_KEYS, type DestinationKey } from '../../../article/types.ts';
import { PLATFORMS_BY_KEY } from '../../../destinations/platforms.ts';
import { findDestination } from '../../../destinations/registry.ts';
import type { Platform } from '../../../destinations/types.ts';
import { disconnectDestination } from '../../../store/connections/disconnect.ts';
import { listConnections } from '../../../store/connections/list.ts';
import { listConnectionUses } from '../../../store/connections/uses.ts';
import type { FieldProblem } from '../../accounts/profile-rules.ts';
import { connect, reconnect } from '../../connections/connect.ts';
import { renderConnectPage } from '../../pages/desk/settings/connect-page.ts';
import { renderConnectionPage } from '../../pages/desk/settings/connection-page.ts';
import {
  buildConnectionPath,
  renderConnectionsPage,
  type ShownConnection,
} from '../../pages/desk/settings/connections-page.ts';
import { PLATFORM_FORMS } from '../../pages/desk/settings/platform-forms.ts';
import { buildSubjectPath } from '../../pages/desk/settings/settings-page.ts';
import { readField } from '../../web/forms.ts';
import { answerForm } from '../../web/notice.ts';
import { getViewer } from '../../web/viewer.ts';
import type { DeskDeps } from '../deps.ts';
import { createNotFound } from './not-found.ts';
import { placeRefusal } from './place-refusal.ts';
import { answerSettingsForm, sendSettings } from './send.ts';

const PATH = buildSubjectPath('connections');
const schema = { hide: true };

interface Route {
  Params: { destination: string };
  Querystring: { platform?: unknown };
}

export async function connectionSettings(app: FastifyInstance, deps: DeskDeps) {
  const { db, now } = deps;

  app.get(PATH, { schema }, async (request, reply) => {
    const connections = await list(request);
    const destinations = DESTINATION_KEYS.map((key) => {
      const connection = connections.find(({ destination }) => destination === key) ?? null;
      return { key, label: connection ? PLATFORM_FORMS[connection.platform].name : nameDestination(key), connection };
    });
    return sendSettings(request, reply, { subject: 'connections' }, renderConnectionsPage(destinations, now()));
  });

  app.get<Route>(`${PATH}/:destination`, { schema }, async (request, reply) => {
    const destination = readDestination(request.params.destination);
    const connection = await find(request, destination);
    if (!connection) return reply.redirect(`${buildConnectionPath(destination)}/new`, 303);
    return showConnection(request, reply, connection, { typed: {}, problems: [], status: 200 });
  });

  app.get<Route>(`${PATH}/:destination/new`, { schema }, async (request, reply) => {
    const destination = readDestination(request.params.destination);
    const platform = readPlatform(destination, request.query.platform);
    return showConnect(request, reply, destination, { platform, typed: {}, problems: [], status: 200 });
  });

  app.post<Route>(`${PATH}/:destination/new`, { schema }, async (request, reply) => {
    const destination = readDestination(request.params.destination);
    const platform = readPlatform(destination, readField(request, 'platform'));
    const baseUrl = readField(request, 'baseUrl');
    const credentials = readCredentials(request, platform);
    return answerSettingsForm(
      reply,
      buildConnectionPath(destination),
      () =>
        placeRefusal(platform, async () => {
          await connect(deps, { userId: getViewer(request).userId, destination, platform, baseUrl, credentials });
          deps.onDecided();
          return `${PLATFORM_FORMS[platform].name} took the credential, and is connected.`;
        }),
      (problems, status) => {
        const typed = { ...credentials, baseUrl };
        return showConnect(request, reply, destination, { platform, typed, problems, status });
      },
    );
  });

  app.post<Route>(`${PATH}/:destination/reconnect`, { schema }, (request, reply) => retry(request, reply, 'new'));
  app.post<Route>(`${PATH}/:destination/test`, { schema }, (request, reply) => retry(request, reply, 'stored'));

  app.post<Route>(`${PATH}/:destination/disconnect`, { schema }, async (request, reply) => {
    const destination = readDestination(request.params.destination);
    return answerForm(reply, PATH, async () => {
      const isDone = await disconnectDestination(db, getViewer(request).userId, destination);
      return isDone
        ? 'It is disconnected, and its credential is deleted here. What was delivered stays there.'
        : 'It was not connected any more.';
    });
  });

  /** `stored`: the credential that is kept is tried once more. */
  async function retry(
    request: FastifyRequest<Route>,
    reply: FastifyReply,
    which: 'new' | 'stored',
  ): Promise<FastifyReply> {
    const destination = readDestination(request.params.destination);
    const present = await find(request, destination);
    if (!present) return reply.redirect(`${buildConnectionPath(destination)}/new`, 303);
    const credentials = which === 'new' ? readCredentials(request, present.platform) : null;
    return answerSettingsForm(
      reply,
      buildConnectionPath(destination),
      () =>
        placeRefusal(present.platform, async () => {
          await reconnect(deps, { userId: getViewer(request).userId, destination, credentials });
          deps.onDecided();
          return `${PLATFORM_FORMS[present.platform].name} takes the ${which === 'new' ? 'new ' : ''}credential. What waited for it is sent.`;
        }),
      async (problems, status) => {
        const typed = credentials ?? {};
        // A stored credential was typed in no field.
        const placed = which === 'new' ? problems : problems.map(({ message }) => ({ path: '', message }));
        const connection = (await find(request, destination)) ?? present;
        return showConnection(request, reply, connection, { typed, problems: placed, status });
      },
    );
  }

  function showConnection(
    request: FastifyRequest,
    reply: FastifyReply,
    connection: ShownConnection,
    { status, ...filled }: Filled,
  ): FastifyReply {
    const body = renderConnectionPage({ connection, now: now(), ...filled });
    const title = PLATFORM_FORMS[connection.platform].name;
    return sendSettings(request, reply, { subject: 'connections', title, status }, body);
  }

  async function showConnect(
    request: FastifyRequest,
    reply: FastifyReply,
    destination: DestinationKey,
    { status, ...filled }: Filled & { platform: Platform },
  ): Promise<FastifyReply> {
    const present = await find(request, destination);
    const body = renderConnectPage({
      ...{ destination, platforms: PLATFORMS_BY_KEY[destination], ...filled },
      defaultBaseUrl: findDestination(filled.platform)?.defaultBaseUrl ?? null,
      replaces: present ? (present.account ?? present.baseUrl) : null,
    });
    const title = `Connect ${PLATFORM_FORMS[filled.platform].name}`;
    return sendSettings(request, reply, { subject: 'connections', title, status }, body);
  }

  async function list(request: FastifyRequest): Promise<ShownConnection[]> {
    const { userId } = getViewer(request);
    const [connections, uses] = await Promise.all([listConnections(db, userId), listConnectionUses(db, userId)]);
    return connections.flatMap((connection) => {
      const use = uses.find(({ destination }) => destination === connection.destination);
      const platform = findDestination(connection.platform)?.platform;
      return use && platform ? [{ ...connection, ...use, platform }] : [];
    });
  }

  async function find(request: FastifyRequest, key: DestinationKey): Promise<ShownConnection | undefined> {
    return (await list(request)).find(({ destination }) => destination === key);
  }
}

interface Filled {
  typed: Record<string, string>;
  problems: readonly FieldProblem[];
  status: number;
}

function nameDestination(key: DestinationKey): string {
  return PLATFORMS_BY_KEY[key].map((platform) => PLATFORM_FORMS[platform].name).join(' or ');
}

function readDestination(text: string): DestinationKey {
  const key = DESTINATION_KEYS.find((known) => known === text);
  if (key === undefined) throw createNotFound('There is no such destination.');
  return key;
}

/** The first of several where none is named. */
function readPlatform(destination: DestinationKey, given: unknown): Platform {
  const platforms = PLATFORMS_BY_KEY[destination];
  const platform = given === undefined || given === '' ? platforms[0] : platforms.find((one) => one === given);
  if (platform === undefined) throw createNotFound('There is no such platform behind this destination.');
  return platform;
}

function readCredentials(request: FastifyRequest, platform: Platform): Record<string, string> {
  return Object.fromEntries(PLATFORM_FORMS[platform].fields.map(({ name }) => [name, readField(request, name)]));
}
