/** Makes the Temporal workers of one process, the same for the process and for tests. */
import {
  type ActivityInterceptorsFactory,
  type InjectedSinks,
  type NativeConnection,
  Worker,
} from '@temporalio/worker';
import type { Sinks } from '@temporalio/workflow';
import type { ActivityDeps } from '../activities/deps.ts';
import { createActivities } from '../activities/index.ts';
import { TIMEOUTS } from '../delivery/timeouts.ts';
import { buildActivityQueue, buildWorkflowBuildId } from '../temporal/names.ts';

/** The workers of a process, which run and end together. */
export interface Workers {
  /** Ends once all have ended; where one fails, the others are shut down. */
  run(): Promise<void>;
  /** Does nothing where they are not running any more. */
  shutdown(): void;
}

export interface WorkerOptions {
  native: NativeConnection;
  namespace: string;
  /** The workflows' bundle. */
  bundlePath: string;
  deps: ActivityDeps;
  /** Of every worker, the outermost first. */
  activityInterceptors?: ActivityInterceptorsFactory[] | undefined;
  /** What workflows may call outside of themselves, beside their log. */
  sinks?: InjectedSinks<Sinks> | undefined;
  /** Calls to destinations at once; fewer in tests. */
  deliverySlots?: number;
}

/** Calls wait for others most of their time; one connection holds few of these slots (`activities/delivery/slots.ts`). */
const DELIVERY_SLOTS = 300;
/** More would only wait for the mail server's connections. */
const MAIL_SLOTS = 50;
/** Each is a source that is read; the rest wait their turn. */
const IMPORT_SLOTS = 20;

export async function createWorkers(options: WorkerOptions): Promise<Workers> {
  const {
    native: connection,
    namespace,
    bundlePath,
    deps,
    activityInterceptors,
    sinks,
    deliverySlots = DELIVERY_SLOTS,
  } = options;
  const { taskQueue } = deps.actors;
  const activities = createActivities(deps);
  const common = {
    connection,
    namespace,
    activities,
    interceptors: { activity: activityInterceptors ?? [] },
    ...(sinks && { sinks }),
    shutdownGraceTime: TIMEOUTS.shutdownGraceMs,
    maxHeartbeatThrottleInterval: TIMEOUTS.heartbeatPassedOnMs,
  };
  const workers = await Promise.all([
    Worker.create({
      ...common,
      taskQueue,
      workflowBundle: { codePath: bundlePath },
      buildId: buildWorkflowBuildId(),
      // Workflows wait most of the time; a small cache and one workflow thread keep the process small.
      maxCachedWorkflows: 500,
      workflowThreadPoolSize: 1,
      // Sweeps, reminders, and what earlier versions scheduled here.
      maxConcurrentActivityTaskExecutions: 100,
      // How long the workflows of a killed worker wait before another takes them over; the default of 10 s is long for an author.
      stickyQueueScheduleToStartTimeout: '3s',
    }),
    Worker.create({
      ...common,
      taskQueue: buildActivityQueue(taskQueue, 'deliveries'),
      maxConcurrentActivityTaskExecutions: deliverySlots,
    }),
    Worker.create({
      ...common,
      taskQueue: buildActivityQueue(taskQueue, 'mails'),
      maxConcurrentActivityTaskExecutions: MAIL_SLOTS,
    }),
    Worker.create({
      ...common,
      taskQueue: buildActivityQueue(taskQueue, 'imports'),
      maxConcurrentActivityTaskExecutions: IMPORT_SLOTS,
    }),
  ]);
  const shutdown = () => {
    for (const worker of workers) if (worker.getState() === 'RUNNING') worker.shutdown();
  };
  return {
    shutdown,
    async run() {
      const running = workers.map((worker) => worker.run());
      try {
        await Promise.all(running);
      } finally {
        shutdown();
        await Promise.allSettled(running);
      }
    },
  };
}
