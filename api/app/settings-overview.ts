/** `/desk/settings`. Mails link to `/settings`, which redirects here. */
import type { FastifyInstance } from 'fastify';
import { createAccountDeletedError } from '../../store/commands/refused-command.ts';
import { listConnections } from '../../store/connections/list.ts';
import { type DigestSettings, findDigestSettings } from '../../store/digests/settings.ts';
import { listPreferences } from '../../store/notifications/preferences.ts';
import { listSessions } from '../../store/sessions/session-status.ts';
import { listOwnTokens } from '../../store/tokens/own-tokens.ts';
import type { DeskDeps } from '../deps.ts';
import { formatHour, WEEKDAYS } from '../notifications/digest/settings.ts';
import { formatQuantity } from '../web/desk/format-count.ts';
import { sendSettings } from '../web/desk/send-settings.ts';
import {
  buildSettingsPath,
  SETTINGS_PATH,
  type SettingsSubject,
  SUBJECT_NAMES,
  SUBJECTS,
} from '../web/desk/settings-page.ts';
import { renderTime } from '../web/desk/times.ts';
import { type Html, html } from '../web/html.ts';
import { getViewer } from '../web/viewer.ts';

export async function settingsOverview(app: FastifyInstance, { db, now }: DeskDeps) {
  app.get('/settings', (_request, reply) => reply.redirect(SETTINGS_PATH, 303));

  app.get(SETTINGS_PATH, async (request, reply) => {
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
    const valid = tokens.filter(({ expiresAt }) => expiresAt === null || expiresAt > now()).length;
    const silenced = preferences.filter(({ stream }) => !stream).length;
    const summaries: Record<SettingsSubject, Html> = {
      profile: html`<bdi>${name}</bdi>, <bdi>${email}</bdi>`,
      connections: describeConnections(active, connections.length - active),
      tokens: html`${valid === 0 ? 'None' : `${valid.toLocaleString('en')} active`}`,
      digest: describeDigest(digest),
      notifications: html`${silenced === 0 ? 'All types appear at once' : `${formatQuantity(silenced, 'type does', 'types do')} not appear at once`}`,
      password: html`Change your password`,
      sessions: html`${formatQuantity(sessions.length, 'open session', 'open sessions')}`,
      export: html`Download all your data`,
      delete: html`Review the effects, then delete`,
    };
    const card = (subject: SettingsSubject) =>
      html`<li><h2><a href="${buildSettingsPath(subject)}">${SUBJECTS[subject]}</a></h2><p class="meta">${summaries[subject]}</p></li>\n`;
    const body = html`<ul class="settings-cards">${SUBJECT_NAMES.map(card)}</ul>`;
    return sendSettings(request, reply, { subject: null }, body);
  });
}

function describeConnections(active: number, refused: number): Html {
  if (active + refused === 0) return html`No destinations connected`;
  return html`${active > 0 && html`${active} active`} ${refused > 0 && html`<span class="state bad">${refused} refused</span>`}`;
}

function describeDigest({ frequency, weekday, hour, zone, nextDueAt, stoppedAt }: DigestSettings): Html {
  if (stoppedAt !== null) return html`<span class="state bad">stopped</span> Your mail server refused the digest`;
  if (frequency === 'off' || nextDueAt === null) return html`Off`;
  const day = WEEKDAYS[weekday - 1] ?? '';
  const schedule = { daily: 'Every day', weekly: `${day}s`, monthly: `The first ${day} of a month` }[frequency];
  return html`${schedule} at ${formatHour(hour)}, next ${renderTime(nextDueAt, zone)}`;
}
