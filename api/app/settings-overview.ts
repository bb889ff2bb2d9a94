/** `/desk/settings`. Mails link to `/settings`, which redirects here. */

import type { FastifyInstance } from 'fastify';
import { createAccountDeletedError } from '../../store/commands/refused-command.ts';
import { listConnections } from '../../store/connections/list.ts';
import { findDigestSettings } from '../../store/digests/settings.ts';
import { listPreferences } from '../../store/notifications/preferences.ts';
import { listSessions } from '../../store/sessions/session-status.ts';
import { listOwnTokens } from '../../store/tokens/own-tokens.ts';
import type { DeskDeps } from '../deps.ts';
import { sendSettings } from '../web/desk/send-settings.ts';
import { SETTINGS_PATH } from '../web/desk/settings-page.ts';
import { getViewer } from '../web/viewer.ts';
import { renderOverviewPage } from './settings-overview-page.ts';

const schema = { hide: true };

export async function settingsOverview(app: FastifyInstance, { db, now }: DeskDeps) {
  app.get('/settings', { schema }, (_request, reply) => reply.redirect(SETTINGS_PATH, 303));

  app.get(SETTINGS_PATH, { schema }, async (request, reply) => {
    const { userId, name, email } = getViewer(request);
    const [connections, tokens, digest, preferences, sessions] = await Promise.all([
      listConnections(db, userId),
      listOwnTokens(db, userId, now()),
      findDigestSettings(db, userId),
      listPreferences(db, userId),
      listSessions(db, userId, now()),
    ]);
    if (!digest) throw createAccountDeletedError();
    const active = connections.filter(({ status }) => status === 'active').length;
    const body = renderOverviewPage({
      ...{ name, email, digest, sessions: sessions.length },
      connections: { active, refused: connections.length - active },
      tokens: tokens.filter(({ expiresAt }) => expiresAt === null || expiresAt > now()).length,
      silenced: preferences.filter(({ stream }) => !stream).length,
    });
    return sendSettings(request, reply, { subject: null }, body);
  });
}
