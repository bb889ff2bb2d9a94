/** One thing that is counted: how often, how often before, and its course. */
import type { DayRange } from '../../../calendar/ranges.ts';
import type { Counts, Metric } from '../../../store/statistics/count-steps.ts';
import { type Html, html } from '../../web/html.ts';
import { renderPlot } from '../../web/plots/plot.ts';
import { nameStep, renderChange, tellCompact, tellNumber, tellSeconds, tellSpan } from './describe.ts';

interface Style {
  title: string;
  kind: 'line' | 'bars';
  tell: (value: number) => string;
  /** What the values are shown by: `name` is of one level. */
  chooseUnit: (highest: number) => { size: number; tell: (level: number) => string };
}

const COUNTED = { tell: tellNumber, chooseUnit: () => ({ size: 1, tell: tellCompact }) };
const HOUR = 3_600;
/** From here on minutes would be large numbers. */
const LEAST_HOURS = 2 * HOUR;

const STYLES: Record<Metric, Style> = {
  views: { title: 'Views', kind: 'line', ...COUNTED },
  readingSeconds: { title: 'Reading time', kind: 'line', tell: tellSeconds, chooseUnit: chooseTimeUnit },
  reactions: { title: 'Reactions', kind: 'bars', ...COUNTED },
  comments: { title: 'Comments', kind: 'bars', ...COUNTED },
  followers: { title: 'New followers', kind: 'bars', ...COUNTED },
  subscribers: { title: 'New subscribers', kind: 'bars', ...COUNTED },
};

export function renderMetricCard(metric: Metric, { steps, total, before }: Counts, range: DayRange): Html {
  const { title, kind, tell, chooseUnit } = STYLES[metric];
  const unit = chooseUnit(Math.max(0, ...steps));
  const plot = renderPlot({
    id: `plot-${metric}`,
    title,
    kind,
    description: describe({ steps, total, before }, range, tell),
    steps: range.steps.map((step) => nameStep(range, step)),
    stepHeading: range.unit === 'day' ? 'Day' : 'Month',
    values: steps.map((value) => value / unit.size),
    tell: (value) => tell(Math.round(value * unit.size)),
    tellLevel: unit.tell,
  });
  return html`<section class="card metric" aria-labelledby="${metric}"><h2 id="${metric}">${title}</h2>
<p class="metric-total"><strong>${tell(total)}</strong> ${renderChange({ total, before }, tell)}</p>
${plot}</section>`;
}

function chooseTimeUnit(highest: number) {
  return highest >= LEAST_HOURS
    ? { size: HOUR, tell: (hours: number) => `${tellCompact(hours)} h` }
    : { size: 60, tell: (minutes: number) => `${tellNumber(minutes)} min` };
}

function describe({ steps, total, before }: Counts, range: DayRange, tell: (value: number) => string): string {
  const most = Math.max(...steps);
  const when = range.steps[steps.indexOf(most)];
  const by = `By ${range.unit}, ${tellSpan(range.whole)}: ${tell(total)} in all, ${tell(before)} in the same time before.`;
  return most === 0 || !when ? by : `${by} The most was ${tell(most)}, ${nameStep(range, when).name}.`;
}
