/** Plots stay within their box for any values. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  BOX,
  computePlotLayout,
  computeSparklinePath,
  type Plot,
  renderPlot,
  renderSparkline,
} from '../../../api/web/plots/plot.ts';
import { recordHtml } from '../../support/api/record-html.ts';
import { runs } from '../../support/property-runs.ts';

const counted = fc.oneof(
  fc.nat(10),
  fc.nat(),
  fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER }),
  fc.double({ min: 0, max: 1e12, noNaN: true }),
);
const values = fc.oneof(
  fc.array(counted, { maxLength: 100 }),
  fc.tuple(counted, fc.integer({ min: 1, max: 90 })).map(([value, length]) => Array<number>(length).fill(value)),
);

/** Returns every pair of numbers of a path with absolute commands. */
function readPoints(path: string): number[][] {
  assert.match(path, /^[MLCHVZ\d.,-]*$/, 'numbers without an exponent, NaN or Infinity');
  const numbers = path.match(/-?[\d.]+/g)?.map(Number) ?? [];
  return Array.from({ length: numbers.length / 2 }, (_, n) => numbers.slice(2 * n, 2 * n + 2));
}

const isWithin = (value: number, max: number) => Number.isFinite(value) && value >= 0 && value <= max;

test('lines, areas, bars and marks are finite and inside the box, for no, one, equal and huge values', () => {
  fc.assert(
    fc.property(values, (input) => {
      const { line, area, bars, levels, marks } = computePlotLayout(input);
      for (const [x, y] of [...readPoints(line), ...readPoints(area), ...readPoints(computeSparklinePath(input))]) {
        assert.ok(isWithin(x ?? Number.NaN, BOX.width) && isWithin(y ?? Number.NaN, BOX.height), `${x},${y}`);
      }
      assert.equal(bars.length, input.length);
      for (const { x, y, width, height } of bars) {
        assert.ok(isWithin(x, BOX.width) && isWithin(x + width, BOX.width + 0.01));
        assert.ok(isWithin(y, BOX.height) && isWithin(y + height, BOX.height + 0.01));
      }
      for (const { y } of levels) assert.ok(isWithin(y, 100));
      for (const { x } of marks) assert.ok(isWithin(x, 100));
    }),
    { numRuns: runs(300) },
  );
});

test('the scale has two to seven whole levels, starting at 0', () => {
  fc.assert(
    fc.property(values, (input) => {
      const { levels } = computePlotLayout(input);
      assert.ok(levels.length >= 2 && levels.length <= 7, `${levels.length} levels`);
      assert.ok(levels.every(({ value }) => Number.isInteger(value)));
      assert.deepEqual([levels[0]?.value, levels[0]?.y], [0, 100]);
      assert.ok(levels.every(({ value }, n) => n === 0 || value > (levels[n - 1]?.value ?? 0)));
    }),
    { numRuns: runs(300) },
  );
});

test('the label of the last step is always shown', () => {
  for (const length of [1, 2, 7, 12, 30, 90]) {
    const last = computePlotLayout(Array<number>(length).fill(1)).marks.at(-1);
    assert.deepEqual([last?.step, last?.isMinor], [length - 1, false]);
  }
  assert.deepEqual(computePlotLayout([]).marks, []);
});

test('a plot has gridlines, a line or bars, labels and a table', (context) => {
  const build = (kind: Plot['kind'], values: readonly number[]): Plot => ({
    ...{ id: 'views', title: 'Views <b>', description: 'Views of the last days.', kind, values },
    steps: values.map((_, day) => ({ name: `Day ${day + 1}`, short: `${day + 1}.` })),
    ...{ stepHeading: 'Day', formatValue: (value) => `${value} views`, formatLevel: (value) => `${value}` },
  });
  const days = Array.from({ length: 30 }, (_, day) => (day * 7) % 10);
  recordHtml(context, import.meta.dirname, 'plots', {
    line: renderPlot(build('line', [0, 2, 10, 3])),
    bars: renderPlot(build('bars', [0, 2.5, 10, 0])),
    'many days': renderPlot(build('line', days)),
    'one value': renderPlot(build('bars', [1])),
    'no value': renderPlot(build('line', [])),
    sparkline: renderSparkline([0, 2, 10, 3]),
    'one point': renderSparkline([2]),
  });
  assert.equal(renderSparkline([0, 0]), null);
});

test('a step at the edge of a plot is labelled inside of it', () => {
  const { marks } = computePlotLayout(Array<number>(30).fill(1));
  assert.deepEqual(
    marks.map(({ step, isMinor }) => [step, isMinor]),
    [
      [4, true],
      [9, false],
      [14, true],
      [19, false],
      [24, true],
      [29, false],
    ],
  );
});
