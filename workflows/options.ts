/**
 * Time-outs and retries of the activities. Records wait for the database. Temporal never retries
 * calls to destinations: the workflow decides how to resolve an unknown outcome.
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
 * Short database work within the workflow task: one marker in the history instead of three events
 * and a round trip over the task queue. Must be idempotent: a lost workflow task runs it again.
 */
export const LOCAL_RECORD_OPTIONS: LocalActivityOptions = {
  startToCloseTimeout: TIMEOUTS.localActivityMs,
  localRetryThreshold: TIMEOUTS.localRetryMs,
  retry: { initialInterval: '300ms', backoffCoefficient: 2, maximumInterval: TIMEOUTS.maxLocalRetryMs },
};

/** Probes several destinations in parallel; always ends before the scheduled time. */
export const REMINDER_OPTIONS: ActivityOptions = {
  scheduleToCloseTimeout: '8 minutes',
  startToCloseTimeout: '3 minutes',
  heartbeatTimeout: '60s',
  retry: { initialInterval: '30s', maximumAttempts: 3 },
};

/** Proxies activities on a separate task queue, named after the queue of the calling workflow. */
export function proxyActivitiesOn(queue: ActivityQueue, options: ActivityOptions) {
  return proxyActivities<Activities>({ ...options, taskQueue: buildActivityQueue(workflowInfo().taskQueue, queue) });
}

/** Calls to destinations: never retried. */
export const DESTINATION_OPTIONS: ActivityOptions = {
  startToCloseTimeout: TIMEOUTS.callMs,
  heartbeatTimeout: TIMEOUTS.heartbeatMs,
  retry: { maximumAttempts: 1 },
};

/**
 * A plan must not wait behind other deliveries' calls. If no slot is free in time, or no worker
 * polls, the activity is given up before it starts, and the workflow plans in a local activity.
 */
export const PLAN_AND_SEND_OPTIONS: ActivityOptions = {
  ...DESTINATION_OPTIONS,
  scheduleToStartTimeout: TIMEOUTS.planQueuedMs,
};

/**
 * The pauses between 106 attempts, 1 s to 15 min, add up to 24 h. There is no time limit: it would
 * also elapse while no worker runs, and give up a digest without an attempt. The row ensures that
 * only one mail is sent. Heartbeats distinguish a killed worker from a slow server.
 */
export const MAIL_OPTIONS: ActivityOptions = {
  // Thousands of digests may be due in one minute, so deliveries have priority.
  priority: { priorityKey: 5 },
  // Above all SMTP time-outs in `mail/smtp/smtp-mailer.ts`: a server may scan a mail for minutes.
  startToCloseTimeout: '5m',
  heartbeatTimeout: '6s',
  retry: { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '15m', maximumAttempts: 106 },
};

/** For mails that a person is waiting for; they precede the digests. */
export const AWAITED_MAIL_OPTIONS: ActivityOptions = { ...MAIL_OPTIONS, priority: { priorityKey: 2 } };

/**
 * A page of a sweep: many short idempotent calls, limited by the activity itself. No overall time
 * limit: a sweep that waited an hour for a worker still continues.
 */
export const SWEEP_OPTIONS: ActivityOptions = {
  startToCloseTimeout: '2m',
  heartbeatTimeout: '10s',
  retry: { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '1m' },
};

/**
 * One run of an import step, limited by the activity itself. A retry continues from the rows. Lower
 * priority than work that a person is waiting for.
 */
export const IMPORT_OPTIONS: ActivityOptions = {
  priority: { priorityKey: 4 },
  startToCloseTimeout: '5m',
  heartbeatTimeout: '10s',
  retry: { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '1m' },
};
