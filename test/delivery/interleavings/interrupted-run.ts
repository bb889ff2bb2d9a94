/**
 * Runs the real delivery workflow and activities in this process, and can interrupt it before a
 * write. A write is a transaction or single statement that changes the delivery's rows. The
 * interruption runs before its first statement, while it holds no lock.
 */
import { registerHooks } from 'node:module';
import { MockActivityEnvironment } from '@temporalio/testing';
import pg from 'pg';
import type { DestinationKey } from '../../../article/types.ts';
import { type Runtime, runtimes } from './workflow-runtime.ts';

const RUNTIME = new URL('./workflow-runtime.ts', import.meta.url).href;
registerHooks({
  resolve: (name, context, next) =>
    name === '@temporalio/workflow' && context.parentURL?.includes('/workflows/')
      ? { url: RUNTIME, shortCircuit: true }
      : next(name, context),
});
const { ApplicationFailure } = await import('@temporalio/common');
const { deliveryWorkflow } = await import('../../../workflows/delivery.ts');

export interface Write {
  /** The position among all uses of a connection in the run. */
  index: number;
  activity: string;
  /** Creates the delivery's row; `isMark`: marks an attempt; `isNotified`: adds a notification. */
  isFirst: boolean;
  isMark: boolean;
  isNotified: boolean;
}

interface Use {
  activity: string;
  statements: string[];
}

interface WatchedRun extends Runtime {
  uses: Use[];
  activity: string;
  before(index: number): Promise<void>;
}

/** The connection parameter that identifies the worker's pool. */
export const WORKER = 'application_name=interleavings-worker';

type WatchedClient = pg.PoolClient & { watched?: Use };
type Connect = (this: pg.Pool, callback?: unknown) => Promise<WatchedClient>;
const connect = pg.Pool.prototype.connect as unknown as Connect;
const connectWatched: Connect = async function (callback) {
  const run = runtimes.getStore() as WatchedRun | undefined;
  if (!run || callback || !this.options.connectionString?.includes(WORKER)) return connect.call(this, callback);
  const use: Use = { activity: run.activity, statements: [] };
  await run.before(run.uses.push(use) - 1);
  return Object.assign(await connect.call(this), { watched: use });
};
pg.Pool.prototype.connect = connectWatched as never;

const query = pg.Client.prototype.query as (...args: unknown[]) => unknown;
function queryWatched(this: WatchedClient, ...args: unknown[]): unknown {
  const [statement] = args as [string | { text?: string }];
  this.watched?.statements.push(typeof statement === 'string' ? statement : (statement.text ?? ''));
  return query.apply(this, args);
}
pg.Client.prototype.query = queryWatched as never;

const WRITE = /\b(insert into|update|delete from) "?(deliveries|delivery_attempts|copies)\b/i;

export type Activities = Record<string, (...args: never[]) => Promise<unknown>>;

export interface Surroundings {
  activities: Activities;
  pass(ms: number): Promise<void>;
  /** Empties the outbox, and returns the signals for this delivery's workflow. */
  takeSignals(): Promise<('deliver' | 'command')[]>;
}

export interface InterruptedRun {
  /** Runs the workflow once, and again while it is signalled. */
  work(): Promise<void>;
  /** Its writes, in order. */
  writes(): Write[];
}

/** Far above the calls of any case. */
const MAX_CALLS = 100;

/** `interruption.run` runs once, before the write with the index `interruption.index`. */
export function prepareRun(
  input: { articleId: string; destination: DestinationKey },
  { activities, pass, takeSignals }: Surroundings,
  interruption?: { index: number; run: () => Promise<void> },
): InterruptedRun {
  let isSignalled = true;
  let calls = 0;
  const signal = async () => {
    for (const name of await takeSignals()) {
      isSignalled = true;
      run.handlers.get(name)?.();
    }
  };
  const run: WatchedRun = {
    uses: [],
    activity: '',
    handlers: new Map(),
    pass,
    async before(index) {
      if (index !== interruption?.index) return;
      await interruption.run();
      await signal();
    },
    async callActivity(name, args) {
      const activity = activities[name];
      if (!activity) throw new Error(`no activity ${name}`);
      run.activity = name;
      if (++calls > MAX_CALLS) throw new Error('it never rests');
      const environment = new MockActivityEnvironment({ attempt: 1 }, { logger: QUIET });
      const answer = await environment.run(activity as never, ...(args as never[]));
      await signal();
      return answer;
    },
  };
  return {
    async work() {
      await signal();
      while (isSignalled) {
        isSignalled = false;
        // A delivery that fails ends its workflow with a failure.
        await runtimes.run(run, () => deliveryWorkflow(input)).catch(passFailure);
        run.handlers.clear();
        await signal();
      }
    },
    writes: () =>
      run.uses.flatMap(({ activity, statements }, index) => {
        const text = statements.join(';');
        const inserts = (table: string) => new RegExp(`insert into "?${table}\\b`, 'i').test(text);
        const kind = {
          isFirst: inserts('deliveries'),
          isMark: inserts('delivery_attempts'),
          isNotified: inserts('notifications'),
        };
        return WRITE.test(text) ? [{ index, activity, ...kind }] : [];
      }),
  };
}

const ignore = () => undefined;
const QUIET = { log: ignore, trace: ignore, debug: ignore, info: ignore, warn: ignore, error: ignore };

function passFailure(error: unknown): void {
  if (!(error instanceof ApplicationFailure)) throw error;
}
