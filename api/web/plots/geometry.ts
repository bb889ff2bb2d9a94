/** Where the parts of a plot stand: pure numbers, in a box of 1,000 by 100 that the browser stretches. */
import { max, ticks } from 'd3-array';
import { scaleBand, scaleLinear } from 'd3-scale';
import { area, curveMonotoneX, line } from 'd3-shape';

export const BOX = { width: 1_000, height: 100 };

export interface PlotLayout {
  /** Of the values, from the bottom to the top. `y` is in per cent from the top. */
  levels: { value: number; y: number }[];
  /** Of the steps, the last one among them. `x` is in per cent; every second is `minor` and left out where the plot is narrow. */
  marks: { step: number; x: number; isMinor: boolean }[];
  bars: { x: number; y: number; width: number; height: number }[];
  line: string;
  area: string;
}

const LEVELS = 4;
const MARKS = 6;
const GAP = 0.25;

/** Values are whole or not, and never below 0. Levels are whole numbers: nobody has half a reader. */
export function layOutPlot(values: readonly number[]): PlotLayout {
  const x = scaleBand<number>(values.keys(), [0, BOX.width]).padding(GAP);
  // Round numbers at the top; a range without anything has a scale, too.
  const y = scaleLinear([0, max([...values, 1]) ?? 1], [BOX.height, 0]).nice(LEVELS);
  const center = (step: number) => (x(step) ?? 0) + x.bandwidth() / 2;
  const points = values.map((value, step): [number, number] => [center(step), y(value)]);
  return {
    levels: y
      .ticks(LEVELS)
      .filter(Number.isInteger)
      .map((value) => ({ value, y: round(y(value)) })),
    marks: markSteps(values.length).map((step, place, all) => ({
      step,
      x: round((center(step) / BOX.width) * 100),
      isMinor: (all.length - 1 - place) % 2 === 1,
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

/** The course of values alone, in few characters: a page has many of them. */
export function layOutSparkline(values: readonly number[]): string {
  const x = scaleLinear([0, Math.max(values.length - 1, 1)], [0, BOX.width]);
  const y = scaleLinear([0, max([...values, 1]) ?? 1], [BOX.height, 0]);
  return line().digits(0)(values.map((value, step) => [x(step), y(value)])) ?? '';
}

/** Counted from the last step, which is today. */
function markSteps(length: number): number[] {
  if (length === 0) return [];
  return ticks(0, length - 1, Math.min(MARKS, Math.max(length - 1, 1)))
    .filter(Number.isInteger)
    .map((back) => length - 1 - back)
    .reverse();
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
