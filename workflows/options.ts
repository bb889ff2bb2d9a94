/**
 * How activities are retried. Records are our own database and retry until they succeed; calls to the outside are never
 * repeated by Temporal, since only the workflow may decide what an unknown outcome means.
 */
import type { ActivityOptions, LocalActivityOptions } from '@temporalio/workflow';
import { TIMEOUTS } from '../delivery/timeouts.ts';

export const RECORD_OPTIONS: ActivityOptions = {
  startToCloseTimeout: '15s',
  retry: { initialInterval: '300ms', backoffCoefficient: 2, maximumInterval: '15s' },
};

/**
 * The actors' short database work runs within the workflow task: a marker in the history instead of three events and a round trip over
 * the task queue. Safe because each bears being run twice, which a task that is lost with its worker makes of it. A longer pause becomes a
 * timer, so that a database that is away for an hour does not fill the history with heartbeats.
 */
export const LOCAL_RECORD_OPTIONS: LocalActivityOptions = {
  startToCloseTimeout: TIMEOUTS.localActivityMs,
  localRetryThreshold: TIMEOUTS.localRetryMs,
  retry: { initialInterval: '300ms', backoffCoefficient: 2, maximumInterval: '15s' },
};

/** Asks several destinations, one after the other; what it finds out is recorded once. Over before the hour itself, whatever happens. */
export const REMINDER_OPTIONS: ActivityOptions = {
  scheduleToCloseTimeout: '8 minutes',
  startToCloseTimeout: '3 minutes',
  heartbeatTimeout: '60s',
  retry: { initialInterval: '30s', maximumAttempts: 3 },
};

/** Calls to destinations: run once, whatever becomes of them. */
export const OUTSIDE_OPTIONS: ActivityOptions = {
  startToCloseTimeout: TIMEOUTS.callMs,
  heartbeatTimeout: TIMEOUTS.heartbeatMs,
  retry: { maximumAttempts: 1 },
};

/** Mails are tried again by Temporal for a day; the digest's row keeps it to one. Heartbeats tell a killed worker from a slow server. */
export const MAIL_OPTIONS: ActivityOptions = {
  // Thousands of digests may be due in the same minute; a delivery that somebody waits for goes first.
  priority: { priorityKey: 5 },
  scheduleToCloseTimeout: '24h',
  startToCloseTimeout: '90s',
  heartbeatTimeout: '6s',
  retry: { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '15m' },
};

/** A page of a sweep: many short calls, each of which bears being made twice. What fails for so long is left to the next sweep. */
export const SWEEP_OPTIONS: ActivityOptions = {
  scheduleToCloseTimeout: '50m',
  startToCloseTimeout: '2m',
  heartbeatTimeout: '10s',
  retry: { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '1m' },
};
