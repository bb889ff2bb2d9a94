/**
 * The Schedules, as code. Every worker start creates or updates them. The state that operators
 * change in the Temporal UI (a pause and its note) is preserved.
 */
import { type Client, ScheduleAlreadyRunning, type ScheduleOptions, ScheduleOverlapPolicy } from '@temporalio/client';

export interface Schedule {
  id: string;
  /** Shown in the Temporal UI. */
  note: string;
  spec: ScheduleOptions['spec'];
  workflowType: string;
  /** The policy while the previous run is still active. */
  overlap: ScheduleOverlapPolicy;
  /** How late a missed run may still start after an outage; older ones are dropped. */
  catchupWindow: NonNullable<NonNullable<ScheduleOptions['policies']>['catchupWindow']>;
}

/** docs/self-hosting/temporal.md describes them for operators. */
export const SCHEDULES: readonly Schedule[] = [
  {
    id: 'digest-sweep',
    note: 'Starts the e-mail digest of every author whose digest is due.',
    // 30 s past the hour, so that the digests are due even for a worker with a slightly slow clock.
    spec: { calendars: [{ hour: '*', minute: 0, second: 30 }], timezone: 'UTC' },
    workflowType: 'digestSweepWorkflow',
    // A sweep reads everything due at its start, so one run after an outage is enough. If it
    // exceeds its hour, the next follows immediately: digests due meanwhile do not wait another
    // hour.
    overlap: ScheduleOverlapPolicy.BUFFER_ONE,
    catchupWindow: '1 hour',
  },
  {
    id: 'weekly-roundup',
    note: 'Publishes the roundup of the week that ended on Sunday.',
    spec: { calendars: [{ dayOfWeek: 'MONDAY', hour: 6, minute: 0 }], timezone: 'UTC' },
    workflowType: 'roundupWorkflow',
    // Each run covers another week, so none is dropped, even after an outage of weeks.
    overlap: ScheduleOverlapPolicy.BUFFER_ALL,
    catchupWindow: '35 days',
  },
  {
    id: 'stalled-sweep',
    note: 'Wakes due articles and waiting deliveries that have lost their workflow.',
    spec: { intervals: [{ every: '5 minutes' }] },
    workflowType: 'stalledSweepWorkflow',
    // Each run checks everything, so a missed one needs no replacement.
    overlap: ScheduleOverlapPolicy.SKIP,
    catchupWindow: '1 minute',
  },
];

/** Safe to run from several workers at once. */
export async function applySchedules(client: Client, taskQueue: string, schedules = SCHEDULES): Promise<void> {
  for (const schedule of schedules) {
    const { id: scheduleId, note } = schedule;
    const definition = buildDefinition(schedule, taskQueue);
    try {
      await client.schedule.create({ scheduleId, ...definition, state: { note } });
    } catch (error) {
      if (!(error instanceof ScheduleAlreadyRunning)) throw error;
      // Preserves the operator's pause and its note.
      await client.schedule.getHandle(scheduleId).update(({ state }) => ({ ...definition, state }));
    }
  }
}

function buildDefinition({ id, spec, workflowType, overlap, catchupWindow }: Schedule, taskQueue: string) {
  return {
    spec,
    action: { type: 'startWorkflow', workflowType, workflowId: id, taskQueue, args: [] },
    policies: { overlap, catchupWindow, pauseOnFailure: false },
  } satisfies Omit<ScheduleOptions, 'scheduleId'>;
}
