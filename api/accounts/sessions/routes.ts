/** Routes of `/desk/settings/sessions`. */

import type { FastifyInstance } from 'fastify';
import { endSession, endSessions } from '../../../store/sessions/end-sessions.ts';
import { listSessions } from '../../../store/sessions/session-status.ts';
import { ALLOW_UNCONFIRMED } from '../../auth/confirmed-address.ts';
import { clearSessionCookie } from '../../auth/session-cookie.ts';
import type { DeskDeps } from '../../deps.ts';
import { createNotFound } from '../../web/desk/not-found.ts';
import { sendSettings } from '../../web/desk/send-settings.ts';
import { buildSettingsPath } from '../../web/desk/settings-page.ts';
import { redirectWithNotice } from '../../web/notice.ts';
import { getViewer } from '../../web/viewer.ts';
import { renderSessionsPage } from './page.ts';

const PATH = buildSettingsPath('sessions');
const schema = { hide: true };

export async function sessionSettings(app: FastifyInstance, deps: DeskDeps) {
  const { db, now } = deps;

  app.get(PATH, { schema }, async (request, reply) => {
    const { userId, sessionId } = getViewer(request);
    const sessions = await listSessions(db, userId, now());
    return sendSettings(request, reply, { subject: 'sessions' }, renderSessionsPage(sessions, sessionId));
  });

  app.post<{ Params: { id: string } }>(
    `${PATH}/:id/end`,
    { schema, config: ALLOW_UNCONFIRMED },
    async (request, reply) => {
      const { userId, sessionId: currentId } = getViewer(request);
      const { id: sessionId } = request.params;
      if (!(await endSession(db, { userId, sessionId, now: now() }))) {
        throw createNotFound('You have no such open session.');
      }
      if (sessionId !== currentId) {
        return redirectWithNotice(reply, PATH, { kind: 'done', text: 'Session ended.' });
      }
      clearSessionCookie(reply, deps);
      return redirectWithNotice(reply, '/login', { kind: 'done', text: 'You are signed out.' });
    },
  );

  app.post(`${PATH}/end-all`, { schema, config: ALLOW_UNCONFIRMED }, async (request, reply) => {
    await endSessions(db, { userId: getViewer(request).userId, now: now() });
    clearSessionCookie(reply, deps);
    return redirectWithNotice(reply, '/login', { kind: 'done', text: 'You are signed out everywhere.' });
  });
}
