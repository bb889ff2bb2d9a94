/** Card of one metric: its total, its change and a plot. */
import type { DayRange } from '../../../store/calendar/ranges.ts';
import type { Counts, Metric } from '../../../store/statistics/count-steps.ts';
import { type Html, html } from '../../web/html.ts';
import { renderPlot } from '../../web/plots/plot.ts';
import {
  formatCompactNumber,
  formatDaySpan,
  formatNumber,
  formatReadingTime,
  nameStep,
  renderChange,
} from './describe.ts';

interface Style {
  title: string;
  kind: 'line' | 'bars';
  format: (value: number) => string;
  /** Unit of the plot. `format` labels one level of its axis. */
  chooseUnit: (highest: number) => { size: number; format: (level: number) => string };
}

const COUNTED = { format: formatNumber, chooseUnit: () => ({ size: 1, format: formatCompactNumber }) };
const HOUR_S = 3_600;
/** From this value on, the plot shows hours, because minutes would be large numbers. */
const MIN_SECONDS_IN_HOURS = 2 * HOUR_S;

const STYLES: Record<Metric, Style> = {
  views: { title: 'Views', kind: 'line', ...COUNTED },
  readingSeconds: { title: 'Reading time', kind: 'line', format: formatReadingTime, chooseUnit: chooseTimeUnit },
  reactions: { title: 'Reactions', kind: 'bars', ...COUNTED },
  comments: { title: 'Comments', kind: 'bars', ...COUNTED },
  followers: { title: 'New followers', kind: 'bars', ...COUNTED },
  subscribers: { title: 'New subscribers', kind: 'bars', ...COUNTED },
};

export function renderMetricCard(metric: Metric, { steps, total, before }: Counts, range: DayRange): Html {
  const { title, kind, format, chooseUnit } = STYLES[metric];
  const unit = chooseUnit(Math.max(0, ...steps));
  const plot = renderPlot({
    id: `plot-${metric}`,
    title,
    kind,
    description: describe({ steps, total, before }, range, format),
    steps: range.steps.map((step) => nameStep(range, step)),
    stepHeading: range.unit === 'day' ? 'Day' : 'Month',
    values: steps.map((value) => value / unit.size),
    formatValue: (value) => format(Math.round(value * unit.size)),
    formatLevel: unit.format,
  });
  return html`<section class="card metric" aria-labelledby="${metric}"><h2 id="${metric}">${title}</h2>
<p class="metric-total"><strong>${format(total)}</strong> ${renderChange({ total, before }, format)}</p>
${plot}</section>`;
}

function chooseTimeUnit(highest: number) {
  return highest >= MIN_SECONDS_IN_HOURS
    ? { size: HOUR_S, format: (hours: number) => `${formatCompactNumber(hours)} h` }
    : { size: 60, format: (minutes: number) => `${formatNumber(minutes)} min` };
}

function describe({ steps, total, before }: Counts, range: DayRange, format: (value: number) => string): string {
  const highest = Math.max(...steps);
  const peak = range.steps[steps.indexOf(highest)];
  const summary = `By ${range.unit}, ${formatDaySpan(range.total)}: ${format(total)} in total, ${format(before)} in the previous period.`;
  return highest === 0 || !peak
    ? summary
    : `${summary} The highest value was ${format(highest)}, ${nameStep(range, peak).name}.`;
}
