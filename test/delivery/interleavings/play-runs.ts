/** Plays runs with a command at each point, and compares the results with the model. */
import type { Write } from './interrupted-run.ts';
import { COMMANDS, type Command, type Expected, type Moment, mayRefuse, predict, type Run } from './model.ts';
import { type Observed, type Played, type Point, playCase } from './play-case.ts';
import type { World } from './world.ts';

/** Returns one line for each case that differs from the model. `isChosen` selects the cases. */
export async function playRun(world: World, run: Run, isChosen: () => boolean): Promise<string[]> {
  const control = await playCase(world, run, 'none', 'after');
  const wrong = compare(run, 'none', 'after', control);
  const points: Point[] = ['before', ...control.writes.map(({ index }) => index), 'after'];
  for (const command of COMMANDS) {
    for (const point of points) {
      if (!isChosen()) continue;
      const played = await playCase(world, run, command, point).catch((error: Error) => error);
      const caseName = describePoint(command, point, control.writes);
      if (played instanceof Error) wrong.push(`${caseName}: ${played.message}`);
      else wrong.push(...compare(run, command, point, { ...played, writes: control.writes }));
    }
  }
  return wrong;
}

function compare(run: Run, command: Command, point: Point, { writes, isRefused, observed }: Played): string[] {
  const moment = findMoment(run, writes, point);
  const rule = mayRefuse(run, command, moment);
  const caseName = describePoint(command, point, writes) + (isRefused ? ' (refused)' : '');
  if (rule !== 'may' && isRefused !== (rule === 'must'))
    return [`${caseName}: must ${isRefused ? 'not ' : ''}be refused`];
  const problems = findProblems(observed, predict(run, command, moment, isRefused));
  // If nothing more is sent, the command may also take effect after the write.
  const isLast = typeof point === 'number' && !writes.some((write) => write.isMark && write.index >= point);
  const afterWrite = { ...moment, isEnding: false, isOver: true };
  if (isLast && findProblems(observed, predict(run, command, afterWrite, isRefused)).length === 0) return [];
  return problems.length === 0 ? [] : [`${caseName}: ${problems.join('; ')}`];
}

function findProblems(observed: Observed, { shown, ...expected }: Expected): string[] {
  const target = { ...expected, live: expected.live === null ? [] : [expected.live], atOther: 0, bySweep: 0 };
  const fields = Object.keys(target) as (keyof typeof target)[];
  const wrong = fields.filter((field) => !fits(observed[field], target[field]));
  const problems = wrong.map((field) => `${field} ${observed[field]}, not ${JSON.stringify(target[field])}`);
  if (!shown || shown.some((one) => one === observed.shown)) return problems;
  return [...problems, `shown ${observed.shown}, not ${shown.join('|')}`];
}

/** A pair of numbers is a range. */
function fits(actual: unknown, target: unknown): boolean {
  if (!Array.isArray(target) || typeof actual !== 'number') return String(actual) === String(target);
  return actual >= target[0] && actual <= target[1];
}

function findMoment({ before }: Run, writes: Write[], point: Point): Moment {
  const earlier = writes.filter(({ index }) => point === 'after' || (point !== 'before' && index < point));
  const isListed = before !== 'nothing' || earlier.some(({ isFirst }) => isFirst);
  const received = earlier.filter(({ isMark }) => isMark).length;
  const sinceMark = earlier.slice(earlier.findLastIndex(({ isMark }) => isMark));
  const isOver = point === 'after' || sinceMark.some(({ isNotified }) => isNotified);
  const isMark = writes.some((write) => write.index === point && write.isMark);
  return { isListed, received, isEnding: received > 0 && !isMark && !isOver, isOver: point === 'after' };
}

function describePoint(command: Command, point: Point, writes: Write[]): string {
  if (typeof point === 'string') return `${command} ${point} the run`;
  const nth = writes.findIndex(({ index }) => index === point);
  return `${command} before write ${nth + 1} of ${writes.length} (${writes[nth]?.isMark ? 'mark' : writes[nth]?.activity})`;
}
