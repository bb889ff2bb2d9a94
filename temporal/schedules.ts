/**
 * What happens by the clock, as code. Every worker applies it at its start: what is missing is created, what is there is brought up to
 * date, and what an operator did to it (a pause, its note) stays. Operators pause and trigger schedules in the Temporal UI.
 */
import { type Client, ScheduleAlreadyRunning, type ScheduleOptions, ScheduleOverlapPolicy } from '@temporalio/client';

export interface Schedule {
  id: string;
  /** Shown in the Temporal UI. */
  note: string;
  spec: ScheduleOptions['spec'];
  workflowType: string;
  /** What happens where the last run has not ended yet. */
  overlap: ScheduleOverlapPolicy;
  /** How late a run may be made up for after an outage; what is older is left out. */
  catchupWindow: NonNullable<NonNullable<ScheduleOptions['policies']>['catchupWindow']>;
}

/** All of them; the page docs/schedules.md says the same to operators. */
export const SCHEDULES: readonly Schedule[] = [
  {
    id: 'digest-sweep',
    note: 'Starts the e-mail digest of every author whose hour has come.',
    // Half a minute late, so that a worker whose clock is a little behind does not find everybody due in a moment.
    spec: { calendars: [{ hour: '*', minute: 0, second: 30 }], timezone: 'UTC' },
    workflowType: 'digestSweepWorkflow',
    // A sweep reads whatever is due, so one in its place, or one after an outage, is enough.
    overlap: ScheduleOverlapPolicy.SKIP,
    catchupWindow: '1 hour',
  },
  {
    id: 'weekly-roundup',
    note: 'Publishes the roundup of the week that ended on Sunday.',
    spec: { calendars: [{ dayOfWeek: 'MONDAY', hour: 6, minute: 0 }], timezone: 'UTC' },
    workflowType: 'roundupWorkflow',
    // Each run is another week's: none is left out, after an outage of weeks neither.
    overlap: ScheduleOverlapPolicy.BUFFER_ALL,
    catchupWindow: '35 days',
  },
  {
    id: 'watch',
    note: 'Wakes articles that are due, and deliveries that wait, whose actor is gone.',
    spec: { intervals: [{ every: '5 minutes' }] },
    workflowType: 'watchWorkflow',
    // A look sees everything; one that was missed is made up for by the next.
    overlap: ScheduleOverlapPolicy.SKIP,
    catchupWindow: '1 minute',
  },
];

/** Bears being called by several workers at once. */
export async function applySchedules(client: Client, taskQueue: string, schedules = SCHEDULES): Promise<void> {
  for (const schedule of schedules) {
    const { id: scheduleId, note } = schedule;
    const definition = buildDefinition(schedule, taskQueue);
    try {
      await client.schedule.create({ scheduleId, ...definition, state: { note } });
    } catch (error) {
      if (!(error instanceof ScheduleAlreadyRunning)) throw error;
      // Paused or not, and why, is the operator's word.
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
