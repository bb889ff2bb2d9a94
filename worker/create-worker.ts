/** Makes the Temporal worker, the same for the process and for tests. */
import { type NativeConnection, Worker } from '@temporalio/worker';
import type { ActivityDeps } from '../activities/deps.ts';
import { createActivities } from '../activities/index.ts';
import { TIMEOUTS } from '../delivery/timeouts.ts';

export function createWorker(options: {
  native: NativeConnection;
  namespace: string;
  /** The workflows' bundle. */
  bundlePath: string;
  deps: ActivityDeps;
}): Promise<Worker> {
  return Worker.create({
    connection: options.native,
    namespace: options.namespace,
    taskQueue: options.deps.actors.taskQueue,
    workflowBundle: { codePath: options.bundlePath },
    activities: createActivities(options.deps),
    shutdownGraceTime: TIMEOUTS.shutdownGraceMs,
    maxHeartbeatThrottleInterval: TIMEOUTS.heartbeatPassedOnMs,
    // Workflows wait most of the time; a small cache and one workflow thread keep the process small.
    maxCachedWorkflows: 500,
    workflowThreadPoolSize: 1,
    // Activities wait for others most of their time; a destination that hangs must not take the places of the rest.
    maxConcurrentActivityTaskExecutions: 300,
    // How long the workflows of a killed worker wait before another takes them over; the default of 10 s is long for an author.
    stickyQueueScheduleToStartTimeout: '3s',
  });
}
