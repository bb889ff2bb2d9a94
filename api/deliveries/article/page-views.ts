/** Renders the page views of the last 30 days as a sparkline and in numbers. */

import { type Html, html } from '../../web/html.ts';
import { renderSparkline } from '../../web/plots/plot.ts';
import type { PageViews } from './load-article.ts';

const DAYS = 30;
const DAY_MS = 86_400_000;

export function renderPageViews({ firstDay, days }: PageViews): Html {
  const viewsByDay = new Map(days.map(({ day, views }) => [day, views]));
  const views = Array.from({ length: DAYS }, (_, index) => viewsByDay.get(nameDay(firstDay, index)) ?? 0);
  const total = views.reduce((sum, count) => sum + count, 0);
  if (total === 0) return html`<p class="soft">No views in the last 30 days.</p>`;
  const minutes = Math.round(days.reduce((sum, { readingSeconds }) => sum + readingSeconds, 0) / 60);
  return html`<figure class="readings">${renderSparkline(views)}
<figcaption>${count(total, 'view')} in the last 30 days, at most ${Math.max(...views).toLocaleString('en')} on a day; ${count(minutes, 'minute')} of reading.</figcaption></figure>`;
}

function nameDay(firstDay: string, index: number): string {
  return new Date(Date.parse(firstDay) + index * DAY_MS).toISOString().slice(0, 10);
}

function count(number: number, unit: string): string {
  return `${number.toLocaleString('en')} ${unit}${number === 1 ? '' : 's'}`;
}
