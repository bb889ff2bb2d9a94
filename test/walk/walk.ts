/**
 * Runs one random walk from its first step to the check of the oracle, and reports how to repeat a
 * failed one.
 */
import { performance } from 'node:perf_hooks';
import { SANDBOX_ACCOUNTS } from '../../sandbox/connectable-accounts.ts';
import { checkWalk } from './oracle/check.ts';
import { type Articles, pause, perform } from './perform.ts';
import { planWalk, type Step } from './plan.ts';
import { waitUntilQuiet } from './quiet.ts';
import { startWalkWorld } from './world.ts';

export interface WalkOptions {
  seed: number;
  durationMs: number;
  /** Runs only these steps, by number, to find the shortest failing walk. */
  only: ReadonlySet<number> | null;
  /** The time for all work to end. */
  quietMs: number;
}

export interface WalkEnd {
  steps: number;
  problems: string[];
  report: string;
}

export async function walk({ seed, durationMs, only, quietMs }: WalkOptions): Promise<WalkEnd> {
  const steps = planWalk(seed, durationMs).filter(({ number }) => only === null || only.has(number));
  const world = await startWalkWorld();
  try {
    const handMade = await world.posts();
    const firstAccounts = new Map(SANDBOX_ACCOUNTS.toReversed().map((account) => [account.destination, account]));
    for (const account of firstAccounts.values()) await world.connect(account);
    const articles: Articles = new Map();
    const lines: string[] = [];
    const started = performance.now();
    for (const step of steps) {
      const at = ((performance.now() - started) / 1_000).toFixed(2);
      const result = await perform(world, articles, step).catch((error: unknown) => `threw ${String(error)}`);
      lines.push(`${at.padStart(7)} s  ${describeStep(step)}  → ${result.slice(0, 160)}`);
      await pause(step.pauseMs);
    }
    const open = await waitUntilQuiet(world, quietMs);
    lines.push(`${((performance.now() - started) / 1_000).toFixed(2).padStart(7)} s  quiet`);
    const { problems, ledger } = await checkWalk(world, { handMade, open });
    for (const line of lines.filter((candidate) => candidate.includes('→ threw')))
      problems.push(`a step failed: ${line}`);
    return { steps: steps.length, problems, report: buildReport(seed, { lines, problems, ledger }) };
  } finally {
    await world.close();
  }
}

function describeStep({ number, pauseMs: _, kind, ...fields }: Step): string {
  const shown = Object.entries(fields).map(([name, value]) =>
    name === 'account'
      ? `${value.platform} ${value.account}`
      : typeof value === 'object'
        ? JSON.stringify(value)
        : `${name} ${value}`,
  );
  return [`#${number}`, kind, ...shown].join(' ');
}

/** The differences come last, because a long output is often cut in front. */
function buildReport(
  seed: number,
  { lines, problems, ledger }: { lines: string[]; problems: string[]; ledger: string[] },
): string {
  return [
    'The ledger:',
    ...ledger,
    'The steps:',
    ...lines,
    `WALK_SEED=${seed} walks this again; WALK_ONLY=0,3,8 with the numbers of some of its steps walks only these.`,
    `${problems.length} differences:`,
    ...problems.map((problem) => `- ${problem}`),
  ].join('\n');
}
