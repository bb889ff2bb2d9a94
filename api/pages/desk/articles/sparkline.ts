/** The views of the last 30 days, as bars: drawn from numbers that stand beside them. */
import type { Readings } from '../../../desk/articles/load-article.ts';
import { type Html, html } from '../../html.ts';

const DAYS = 30;
const DAY_MS = 86_400_000;
/** Of one bar, in units of the drawing, its gap included. */
const WIDTH = 8;
const HEIGHT = 48;

export function renderSparkline({ firstDay, days }: Readings): Html {
  const views = new Map(days.map((day) => [day.day, day.views]));
  const total = [...views.values()].reduce((sum, count) => sum + count, 0);
  if (total === 0) return html`<p class="soft">Nobody read it in the last 30 days.</p>`;
  const most = Math.max(...views.values());
  const start = Date.parse(firstDay);
  const bars = Array.from({ length: DAYS }, (_, index) => {
    const day = new Date(start + index * DAY_MS).toISOString().slice(0, 10);
    const count = views.get(day) ?? 0;
    // A day with a view is never drawn as one without.
    const height = count === 0 ? 1 : Math.max(3, Math.round((count / most) * HEIGHT));
    return html`<rect x="${index * WIDTH}" y="${HEIGHT - height}" width="${WIDTH - 2}" height="${height}"></rect>`;
  });
  const minutes = Math.round(days.reduce((sum, { readingSeconds }) => sum + readingSeconds, 0) / 60);
  const said = `${count(total, 'view')} in the last 30 days, at most ${most.toLocaleString('en')} on a day`;
  return html`<figure class="sparkline"><svg viewBox="0 0 ${DAYS * WIDTH} ${HEIGHT}" role="img" aria-label="${said}">${bars}</svg>
<figcaption>${said}; ${count(minutes, 'minute')} of reading.</figcaption></figure>`;
}

function count(number: number, unit: string): string {
  return `${number.toLocaleString('en')} ${unit}${number === 1 ? '' : 's'}`;
}
