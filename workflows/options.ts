/**
 * How activities are retried. Records are our own database, which is waited for; calls to the outside are never
 * repeated by Temporal, since only the workflow may decide what an unknown outcome means.
 */
import { type ActivityOptions, type LocalActivityOptions, proxyActivities, workflowInfo } from '@temporalio/workflow';
import type { Activities } from '../activities/index.ts';
import { TIMEOUTS } from '../delivery/timeouts.ts';
import { type ActivityQueue, buildActivityQueue } from '../temporal/names.ts';

export const RECORD_OPTIONS: ActivityOptions = {
  startToCloseTimeout: '15s',
  retry: { initialInterval: '300ms', backoffCoefficient: 2, maximumInterval: '15s' },
};

/**
 * Short database work runs within the workflow task: a marker in the history instead of three events and a round trip over the task
 * queue. Each must be idempotent: a task that is lost with its worker runs it again.
 */
export const LOCAL_RECORD_OPTIONS: LocalActivityOptions = {
  startToCloseTimeout: TIMEOUTS.localActivityMs,
  localRetryThreshold: TIMEOUTS.localRetryMs,
  retry: { initialInterval: '300ms', backoffCoefficient: 2, maximumInterval: TIMEOUTS.longestLocalRetryMs },
};

/** Probes several destinations at once; what it finds out is recorded once. It always ends before the scheduled time. */
export const REMINDER_OPTIONS: ActivityOptions = {
  scheduleToCloseTimeout: '8 minutes',
  startToCloseTimeout: '3 minutes',
  heartbeatTimeout: '60s',
  retry: { initialInterval: '30s', maximumAttempts: 3 },
};

/** Activities on a task queue of their own, beside that of their workflow. Asked for within a workflow, whose queue it goes by. */
export function proxyActivitiesOn(queue: ActivityQueue, options: ActivityOptions) {
  return proxyActivities<Activities>({ ...options, taskQueue: buildActivityQueue(workflowInfo().taskQueue, queue) });
}

/** Calls to destinations: run once, however they end. */
export const OUTSIDE_OPTIONS: ActivityOptions = {
  startToCloseTimeout: TIMEOUTS.callMs,
  heartbeatTimeout: TIMEOUTS.heartbeatMs,
  retry: { maximumAttempts: 1 },
};

/**
 * A plan should not wait behind other deliveries' calls: where they hold all slots of the queue, or no worker polls it, this activity is given up
 * before it begins. The workflow then plans by itself, and asks for a call only where one is due.
 */
export const PLAN_AND_SEND_OPTIONS: ActivityOptions = {
  ...OUTSIDE_OPTIONS,
  scheduleToStartTimeout: TIMEOUTS.planQueuedMs,
};

/**
 * Mails are retried for a day in which a worker was there: the pauses between this many attempts, 1 s to 15 min, add up to 24 h. There is no
 * limit by the clock, which would also pass while no worker runs, and a digest would be given up that nobody has tried to send. The digest's row
 * makes sure that only one mail is sent. Heartbeats tell a killed worker from a slow server.
 */
export const MAIL_OPTIONS: ActivityOptions = {
  // Thousands of digests may be due in the same minute; a delivery, whose author waits for it, goes first.
  priority: { priorityKey: 5 },
  // Above all time-outs of an exchange, `mail/smtp/smtp-mailer.ts`: a server that scans a mail for minutes has not lost it.
  startToCloseTimeout: '5m',
  heartbeatTimeout: '6s',
  retry: { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '15m', maximumAttempts: 106 },
};

/** Of a mail that somebody waits for in front of a screen: it goes before the digests. */
export const AWAITED_MAIL_OPTIONS: ActivityOptions = { ...MAIL_OPTIONS, priority: { priorityKey: 2 } };

/**
 * A page of a sweep: many short idempotent calls, bounded by themselves. No limit by the clock: a sweep that has waited for a worker for an hour
 * still goes on where it was.
 */
export const SWEEP_OPTIONS: ActivityOptions = {
  startToCloseTimeout: '2m',
  heartbeatTimeout: '10s',
  retry: { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '1m' },
};

/**
 * A portion of an import, bounded by itself. Its rows say how far it has come, so a repeat goes on where the last one was cut. Behind all that
 * somebody waits for.
 */
export const IMPORT_OPTIONS: ActivityOptions = {
  priority: { priorityKey: 4 },
  startToCloseTimeout: '5m',
  heartbeatTimeout: '10s',
  retry: { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '1m' },
};
