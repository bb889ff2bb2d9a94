/**
 * Prints figures with goals, one per line, which `npm run bench` finds in the output of a
 * benchmark.
 */

export interface Figure {
  what: string;
  value: number;
  /** The unit of the value: `× remark and insert`, `% of bare`, `ms`. */
  unit: string;
  goal: { atMost: number } | { atLeast: number };
  /** The values of the rounds, if there are several. */
  spread?: readonly number[];
}

/** Begins the line of a figure, and no other line of the output. */
const MARK = 'figure |';

export function printFigure(figure: Figure): void {
  console.log(`${MARK} ${describeFigure(figure).join(' | ')} |`);
}

/** Returns the table row of a figure line; null for other lines. */
export function readFigure(line: string): string | null {
  return line.startsWith(MARK) ? line.slice(MARK.length - 1) : null;
}

export const FIGURE_COLUMNS = ['what', 'measured', 'of the rounds', 'goal', 'reached'];

function describeFigure({ what, value, unit, goal, spread = [] }: Figure): string[] {
  const show = (number: number) => (Math.abs(number) >= 100 ? number.toFixed(0) : number.toFixed(2));
  const isReached = 'atMost' in goal ? value <= goal.atMost : value >= goal.atLeast;
  const target = 'atMost' in goal ? `≤ ${goal.atMost}` : `≥ ${goal.atLeast}`;
  return [what, `${show(value)} ${unit}`, spread.map(show).join(', '), target, isReached ? 'yes' : '**no**'];
}
