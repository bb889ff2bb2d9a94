/** `/desk/settings/sessions`: lists and ends the open sessions. */
import type { FastifyInstance } from 'fastify';
import { endSession, endSessions } from '../../../store/sessions/end-sessions.ts';
import { listSessions } from '../../../store/sessions/session-status.ts';
import { ALLOW_UNCONFIRMED } from '../../auth/confirmed-address.ts';
import { clearSessionCookie } from '../../auth/session-cookie.ts';
import type { DeskDeps } from '../../deps.ts';
import { createNotFound } from '../../web/desk/not-found.ts';
import { addSettingsPage } from '../../web/desk/send-settings.ts';
import { buildSettingsPath, renderConfirmed } from '../../web/desk/settings-page.ts';
import { renderTime } from '../../web/desk/times.ts';
import { type Html, html } from '../../web/html.ts';
import { redirectWithNotice } from '../../web/notice.ts';
import { getViewer } from '../../web/viewer.ts';

type Session = Awaited<ReturnType<typeof listSessions>>[number];

const PATH = buildSettingsPath('sessions');

export async function sessionSettings(app: FastifyInstance, deps: DeskDeps) {
  const { db, now } = deps;
  addSettingsPage(app, 'sessions', {
    async render(request) {
      const { userId, sessionId } = getViewer(request);
      return renderSessionsPage(await listSessions(db, userId, now()), sessionId);
    },
  });

  app.post<{ Params: { id: string } }>(`${PATH}/:id/end`, { config: ALLOW_UNCONFIRMED }, async (request, reply) => {
    const { userId, sessionId: currentId } = getViewer(request);
    const { id: sessionId } = request.params;
    const isEnded = await endSession(db, { userId, sessionId, now: now() });
    if (!isEnded) throw createNotFound('You have no such open session.');
    if (sessionId !== currentId) return redirectWithNotice(reply, PATH, { kind: 'done', text: 'Session ended.' });
    clearSessionCookie(reply, deps);
    return redirectWithNotice(reply, '/login', { kind: 'done', text: 'You are signed out.' });
  });

  app.post(`${PATH}/end-all`, { config: ALLOW_UNCONFIRMED }, async (request, reply) => {
    await endSessions(db, { userId: getViewer(request).userId, now: now() });
    clearSessionCookie(reply, deps);
    return redirectWithNotice(reply, '/login', { kind: 'done', text: 'You are signed out everywhere.' });
  });
}

function renderSessionsPage(sessions: readonly Session[], currentId: string): Html {
  return html`<p>The devices that are signed in to your account. If you don’t recognize one, end its session and <a href="${buildSettingsPath('password')}">change your password</a>.</p>
<ul class="settings-list">${sessions.map((session) => renderSession(session, session.id === currentId))}</ul>
<section class="card" aria-labelledby="everywhere"><h2 id="everywhere">Sign out everywhere</h2>
<p>Ends all sessions, including this one. Developer tokens continue to work.</p>
<form method="post" action="${PATH}/end-all"><button class="button danger">Sign out everywhere</button></form></section>`;
}

function renderSession({ id, userAgent, createdAt, lastUsedAt, expiresAt }: Session, isCurrent: boolean): Html {
  const name = nameClient(userAgent);
  return html`<li id="session-${id}"><div><h2>${name}${isCurrent && html` <span class="state good">this session</span>`}</h2>
<p class="meta"><span>signed in ${renderTime(createdAt)}</span> ${lastUsedAt > createdAt && html`<span>refreshed ${renderTime(lastUsedAt)}</span>`} <span>ends ${renderTime(expiresAt)}</span></p>
${userAgent !== null && html`<p class="meta soft"><bdi>${userAgent}</bdi></p>`}</div>
${renderConfirmed(
  isCurrent ? 'Sign out' : 'End',
  html`<form method="post" action="${PATH}/${id}/end"><p>${isCurrent ? 'You will be signed out here.' : 'That device is signed out immediately.'}</p>
<button class="button danger">${isCurrent ? 'Sign out here' : 'End this session'}</button></form>`,
)}</li>
`;
}

/** The first match counts: browsers also contain the names of browsers that they imitate. */
const PROGRAMS = [
  [/\bEdgA?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|CriOS|HeadlessChrome)\//, 'Chrome'],
  [/\bVersion\/[\d.]+.* Safari\//, 'Safari'],
  [/^courant\b/i, 'The courant command'],
  [/^curl\//, 'curl'],
] as const;

const SYSTEMS = [
  [/\b(?:iPhone|iPod)\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
] as const;

export function nameClient(userAgent: string | null): string {
  if (userAgent === null) return 'Unknown program';
  const program = PROGRAMS.find(([pattern]) => pattern.test(userAgent))?.[1] ?? 'Other program';
  const system = SYSTEMS.find(([pattern]) => pattern.test(userAgent))?.[1];
  return system === undefined ? program : `${program} on ${system}`;
}
