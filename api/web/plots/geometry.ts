/** Computes the geometry of a plot, in a box of 1,000 by 100 that the browser stretches. Pure. */
import { max, ticks } from 'd3-array';
import { scaleBand, scaleLinear } from 'd3-scale';
import { area, curveMonotoneX, line } from 'd3-shape';

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

/**
 * Values are 0 or more, and may be fractions. Levels are whole numbers, because views are counted.
 */
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
