/** Creates the Temporal workers of one process, for `worker/main.ts` and for tests. */
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
import { buildActivityQueue } from '../temporal/names.ts';

export interface Workers {
  /** Resolves after all workers have ended. If one fails, shuts the others down and rejects. */
  run(): Promise<void>;
  /** Does nothing if they are not running. */
  shutdown(): void;
}

export interface WorkerOptions {
  native: NativeConnection;
  namespace: string;
  bundlePath: string;
  deps: ActivityDeps;
  /** For all workers, outermost first. */
  activityInterceptors?: ActivityInterceptorsFactory[] | undefined;
  /** Sinks for workflows, in addition to their log. */
  sinks?: InjectedSinks<Sinks> | undefined;
  /** Concurrent calls to destinations; fewer in tests. */
  deliverySlots?: number;
}

/** Calls mostly wait for I/O. `activities/delivery/slots.ts` limits the slots per connection. */
const DELIVERY_SLOTS = 300;
/** More mails would only wait for the mail server's connections. */
const MAIL_SLOTS = 50;
/** Imports that run concurrently; others are queued. */
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
  const { taskQueue } = deps.workflowTarget;
  const activities = createActivities(deps);
  const common = {
    connection,
    namespace,
    activities,
    interceptors: { activity: activityInterceptors ?? [] },
    ...(sinks && { sinks }),
    shutdownGraceTime: TIMEOUTS.shutdownGraceMs,
    maxHeartbeatThrottleInterval: TIMEOUTS.heartbeatThrottleMs,
  };
  const workers = await Promise.all([
    Worker.create({
      ...common,
      taskQueue,
      workflowBundle: { codePath: bundlePath },
      // Workflows mostly wait, so a small cache and one thread save memory.
      maxCachedWorkflows: 500,
      workflowThreadPoolSize: 1,
      // Sweeps, reminders and records.
      maxConcurrentActivityTaskExecutions: 100,
      // How long workflows of a killed worker wait for another one; the default of 10 s is too long
      // for a waiting author.
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
