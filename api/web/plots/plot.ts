/**
 * Renders a plot as SVG on the server, which works without script, with its numbers in a table.
 * Lines and bars stretch to the available width. Labels, in separate SVGs, do not.
 */
import { max, ticks } from 'd3-array';
import { scaleBand, scaleLinear } from 'd3-scale';
import { area, curveMonotoneX, line } from 'd3-shape';
import { type Html, html, trustHtml } from '../html.ts';

export interface Plot {
  /** Prefix of the ids of its elements. */
  id: string;
  title: string;
  /** A description in one or two sentences for screen readers. */
  description: string;
  /** Bars for occasional events, a line for daily values. */
  kind: 'line' | 'bars';
  /** `short` is the label under the plot, `name` the one in the table. */
  steps: { name: string; short: string }[];
  stepHeading: string;
  values: readonly number[];
  /** Formats one of the `values` in words. */
  formatValue: (value: number) => string;
  /** Formats a level of the scale as briefly as possible. */
  formatLevel: (value: number) => string;
}

export function renderPlot(plot: Plot): Html {
  const layout = computePlotLayout(plot.values);
  return html`<figure class="plot" data-plot aria-label="${plot.title}">
<svg class="plot-levels" aria-hidden="true">${layout.levels.map(({ value, y }) => html`<text x="100%" y="${y}%" dy="0.35em">${plot.formatLevel(value)}</text>`)}</svg>
<div class="plot-box" data-plot-box><svg role="img" aria-labelledby="${plot.id}-title" aria-describedby="${plot.id}-description" viewBox="0 0 ${BOX.width} ${BOX.height}" preserveAspectRatio="none"><title id="${plot.id}-title">${plot.title}</title><desc id="${plot.id}-description">${plot.description}</desc>
${trustHtml(drawLevels(layout))}${trustHtml(plot.kind === 'line' ? drawLine(layout) : drawBars(layout))}</svg></div>
<svg class="plot-steps" aria-hidden="true">${layout.marks.map((mark) => renderMark(mark, plot.steps[mark.step]?.short ?? ''))}</svg>
<details><summary>Show data</summary><div class="scroll-x" tabindex="0" role="region" aria-label="${plot.title}: data"><table class="data-table plot-table"><thead><tr><th scope="col">${plot.stepHeading}</th><th scope="col">${plot.title}</th></tr></thead><tbody>${plot.values.map((value, step) => html`<tr><th scope="row">${plot.steps[step]?.name}</th><td>${plot.formatValue(value)}</td></tr>`)}</tbody></table></div></details>
</figure>`;
}

/** A line of the values within text. The numbers are beside it. */
export function renderSparkline(values: readonly number[]): Html | null {
  if (values.every((value) => value === 0)) return null;
  return html`<svg class="sparkline" aria-hidden="true" viewBox="0 0 ${BOX.width} ${BOX.height}" preserveAspectRatio="none"><path class="plot-line" d="${computeSparklinePath(values)}"/></svg>`;
}

function renderMark({ x, isMinor }: PlotLayout['marks'][number], text: string): Html {
  // Labels at the edges must not extend beyond them.
  const position = x < 6 ? 'first' : x > 94 ? 'last' : '';
  return html`<text class="${position}${isMinor ? ' minor' : ''}" x="${x}%" y="1em">${text}</text>`;
}

function drawLevels({ levels }: PlotLayout): string {
  return `<path class="plot-grid" d="${levels.map(({ y }) => `M0,${y}H${BOX.width}`).join('')}"/>`;
}

function drawLine({ area, line }: PlotLayout): string {
  return `<path class="plot-area" d="${area}"/><path class="plot-line" d="${line}"/>`;
}

function drawBars({ bars }: PlotLayout): string {
  const paths = bars
    .filter(({ height }) => height > 0)
    .map(({ x, y, width }) => `M${x},${BOX.height}V${y}h${width}V${BOX.height}z`);
  return `<path class="plot-bars" d="${paths.join('')}"/>`;
}

export const BOX = { width: 1_000, height: 100 };

export interface PlotLayout {
  /** Gridlines of the values, from bottom to top. `y` is in percent from the top. */
  levels: { value: number; y: number }[];
  /**
   * Marks of the steps, including the last. `x` is in percent; every second mark is minor and
   * hidden in a narrow plot.
   */
  marks: { step: number; x: number; isMinor: boolean }[];
  bars: { x: number; y: number; width: number; height: number }[];
  line: string;
  area: string;
}

const LEVEL_COUNT = 4;
const MARK_COUNT = 6;
const GAP = 0.25;

/** Values are 0 or more, also fractions. Levels are whole numbers, because views are counted. */
export function computePlotLayout(values: readonly number[]): PlotLayout {
  const x = scaleBand<number>(values.keys(), [0, BOX.width]).padding(GAP);
  // `nice` rounds the top value up. The 1 provides a scale if all values are 0.
  const y = scaleLinear([0, max([...values, 1]) ?? 1], [BOX.height, 0]).nice(LEVEL_COUNT);
  const center = (step: number) => (x(step) ?? 0) + x.bandwidth() / 2;
  const points = values.map((value, step): [number, number] => [center(step), y(value)]);
  return {
    levels: y
      .ticks(LEVEL_COUNT)
      .filter(Number.isInteger)
      .map((value) => ({ value, y: round(y(value)) })),
    marks: markSteps(values.length).map((step, index, all) => ({
      step,
      x: round((center(step) / BOX.width) * 100),
      isMinor: (all.length - 1 - index) % 2 === 1,
    })),
    bars: values.map((value, step) => ({
      x: round(x(step) ?? 0),
      y: round(y(value)),
      width: round(x.bandwidth()),
      height: round(BOX.height - y(value)),
    })),
    line: line().curve(curveMonotoneX).digits(2)(points) ?? '',
    area: area().curve(curveMonotoneX).y0(BOX.height).digits(2)(points) ?? '',
  };
}

/** A path of the values alone, in few characters: a page has many of them. */
export function computeSparklinePath(values: readonly number[]): string {
  const x = scaleLinear([0, Math.max(values.length - 1, 1)], [0, BOX.width]);
  const y = scaleLinear([0, max([...values, 1]) ?? 1], [BOX.height, 0]);
  return line().digits(0)(values.map((value, step) => [x(step), y(value)])) ?? '';
}

/** Counts from the last step, which is today. */
function markSteps(length: number): number[] {
  if (length === 0) return [];
  return ticks(0, length - 1, Math.min(MARK_COUNT, Math.max(length - 1, 1)))
    .filter(Number.isInteger)
    .map((stepsBack) => length - 1 - stepsBack)
    .reverse();
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
