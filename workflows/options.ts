/**
 * How activities are retried. Records are our own database and retry until they succeed; calls to the outside are never
 * repeated by Temporal, since only the workflow may decide what an unknown outcome means.
 */
import type { ActivityOptions } from '@temporalio/workflow';

export const RECORD_OPTIONS: ActivityOptions = {
  startToCloseTimeout: '15s',
  retry: { initialInterval: '300ms', backoffCoefficient: 2, maximumInterval: '15s' },
};

/** Asks several destinations, one after the other; what it finds out is recorded once. Over before the hour itself, whatever happens. */
export const REMINDER_OPTIONS: ActivityOptions = {
  scheduleToCloseTimeout: '8 minutes',
  startToCloseTimeout: '3 minutes',
  heartbeatTimeout: '60s',
  retry: { initialInterval: '30s', maximumAttempts: 3 },
};

/** Heartbeats tell a killed worker from a slow destination within seconds. */
export const OUTSIDE_OPTIONS: ActivityOptions = {
  // A cover fetched and stored, terms looked up, and the post itself.
  startToCloseTimeout: '60s',
  heartbeatTimeout: '6s',
  retry: { maximumAttempts: 1 },
};
