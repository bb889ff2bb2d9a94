/** Settings page that lists and ends the open sessions. */
import type { listSessions } from '../../../store/sessions/session-status.ts';
import { buildSettingsPath, renderConfirmed } from '../../web/desk/settings-page.ts';
import { renderTime } from '../../web/desk/times.ts';
import { type Html, html } from '../../web/html.ts';
import { nameClient } from './name-client.ts';

type Session = Awaited<ReturnType<typeof listSessions>>[number];

const PATH = buildSettingsPath('sessions');

export function renderSessionsPage(sessions: readonly Session[], currentId: string): Html {
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
