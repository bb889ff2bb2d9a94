/** Settings page that chooses, per type of notification, open pages and the digest. */
import type { NotificationType } from '../../../store/db/json-columns.ts';
import type { NotificationPreference } from '../../../store/notifications/preferences.ts';
import { buildSubjectPath } from '../../web/desk/settings-page.ts';
import { type Html, html } from '../../web/html.ts';

const TYPES: Record<NotificationType, string> = {
  NEW_COMMENT: 'A reader comments on your article',
  COMMENT_REPLY: 'Somebody replies to your comment',
  ACCEPTED_ANSWER: 'Your comment is accepted as the answer',
  NEW_FOLLOWER: 'Somebody follows you',
  CROSS_POST_SUCCESS: 'An article has arrived at a destination',
  CROSS_POST_FAILED: 'A destination does not take an article',
  FEATURED_ROUNDUP: 'An article is in the weekly roundup',
};

export function renderNotificationsPage(preferences: readonly NotificationPreference[]): Html {
  return html`<p>Everything stays in the <a href="/desk/notifications">list of notifications</a>. Here you choose what is also shown at once on open pages, and what the
<a href="${buildSubjectPath('digest')}">digest</a> tells of. It holds for what happens from now on.</p>
<form method="post" action="${buildSubjectPath('notifications')}">
<div class="scroll-x" tabindex="0" role="region" aria-label="Notifications by type"><table class="data-table preferences">
<thead><tr><th scope="col">What happened</th><th scope="col">At once</th><th scope="col">Digest</th></tr></thead>
<tbody>${preferences.map(renderRow)}</tbody></table></div>
<p><button class="button primary">Save</button></p></form>`;
}

function renderRow({ type, stream, digest }: NotificationPreference): Html {
  const box = (where: 'stream' | 'digest', isOn: boolean, label: string) =>
    html`<label class="box"><input type="checkbox" name="${where}.${type}"${isOn && html` checked`} aria-label="${TYPES[type]}: ${label}"></label>`;
  return html`<tr><th scope="row">${TYPES[type]}</th><td>${box('stream', stream, 'at once')}</td><td>${
    digest === null ? html`<span class="soft">–</span>` : box('digest', digest, 'in the digest')
  }</td></tr>
`;
}
