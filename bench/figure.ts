/** The figures that have a goal: each is a line of its own, which `npm run bench` finds in what a benchmark prints. */

export interface Figure {
  what: string;
  value: number;
  /** What the value counts: `× remark and insert`, `% of bare`, `ms`. */
  unit: string;
  goal: { atMost: number } | { atLeast: number };
  /** Of the rounds, where there are some. */
  spread?: readonly number[];
}

/** First on a line: no title or address begins so. */
const MARK = 'figure |';

export function tellFigure(figure: Figure): void {
  console.log(`${MARK} ${describeFigure(figure).join(' | ')} |`);
}

/** The row of a table, if the line is a figure. */
export function readFigure(line: string): string | null {
  return line.startsWith(MARK) ? line.slice(MARK.length - 1) : null;
}

export const FIGURE_COLUMNS = ['what', 'measured', 'of the rounds', 'goal', 'reached'];

function describeFigure({ what, value, unit, goal, spread = [] }: Figure): string[] {
  const show = (number: number) => (Math.abs(number) >= 100 ? number.toFixed(0) : number.toFixed(2));
  const isReached = 'atMost' in goal ? value <= goal.atMost : value >= goal.atLeast;
  const wanted = 'atMost' in goal ? `≤ ${goal.atMost}` : `≥ ${goal.atLeast}`;
  return [what, `${show(value)} ${unit}`, spread.map(show).join(', '), wanted, isReached ? 'yes' : '**no**'];
}
