/** Renders the form that sets or moves the time at which an article becomes public. */

import { formatLocal } from '../../web/desk/times.ts';
import { type Html, html } from '../../web/html.ts';
import type { ArticleView } from './load-article.ts';

const ZONES = Intl.supportedValuesOf('timeZone');

export function renderSchedule({ article, zone: authorZone }: Pick<ArticleView, 'article' | 'zone'>): Html | null {
  const { id, status, scheduledAt, scheduledZone } = article;
  if (status === 'PUBLISHED') return null;
  const zone = scheduledZone ?? authorZone ?? 'UTC';
  const path = `/desk/articles/${id}`;
  return html`<form class="schedule" method="post" action="${path}/schedule"><input type="hidden" name="back" value="${path}">
<label>Public from <input type="datetime-local" name="at" required value="${scheduledAt === null ? '' : formatLocal(scheduledAt, zone)}"></label>
<label>Time zone <input name="zone" list="zones" value="${zone}" maxlength="60" autocomplete="off"></label>
<datalist id="zones">${ZONES.map((name) => html`<option value="${name}"></option>`)}</datalist>
<button class="button">${status === 'SCHEDULED' ? 'Reschedule' : 'Schedule'}</button></form>`;
}
