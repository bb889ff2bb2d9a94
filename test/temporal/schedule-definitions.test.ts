/** The Schedules as they are created, and what an update preserves. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Client, ScheduleAlreadyRunning, ScheduleOverlapPolicy } from '@temporalio/client';
import { applySchedules } from '../../temporal/schedules.ts';

const action = (workflowType: string, workflowId: string) => ({
  ...{ type: 'startWorkflow', workflowType, workflowId, taskQueue: 'queue', args: [] },
});
const policies = (overlap: ScheduleOverlapPolicy, catchupWindow: string) => ({
  ...{ overlap, catchupWindow, pauseOnFailure: false },
});

const DEFINITIONS = {
  'digest-sweep': {
    spec: { calendars: [{ hour: '*', minute: 0, second: 30 }], timezone: 'UTC' },
    action: action('digestSweepWorkflow', 'digest-sweep'),
    policies: policies(ScheduleOverlapPolicy.BUFFER_ONE, '1 hour'),
  },
  'weekly-roundup': {
    spec: { calendars: [{ dayOfWeek: 'MONDAY', hour: 6, minute: 0 }], timezone: 'UTC' },
    action: action('roundupWorkflow', 'weekly-roundup'),
    policies: policies(ScheduleOverlapPolicy.BUFFER_ALL, '35 days'),
  },
  'stalled-sweep': {
    spec: { intervals: [{ every: '5 minutes' }] },
    action: action('stalledSweepWorkflow', 'stalled-sweep'),
    policies: policies(ScheduleOverlapPolicy.SKIP, '1 minute'),
  },
};

const NOTES = {
  'digest-sweep': 'Starts the e-mail digest of every author whose digest is due.',
  'weekly-roundup': 'Publishes the roundup of the week that ended on Sunday.',
  'stalled-sweep': 'Wakes due articles and waiting deliveries that have lost their workflow.',
};

async function apply(error: Error | null = null) {
  const [created, updated]: [Record<string, object>, Record<string, object>] = [{}, {}];
  const schedule = {
    async create({ scheduleId, ...options }: { scheduleId: string }) {
      if (error) throw error;
      created[scheduleId] = options;
    },
    getHandle: (id: string) => ({
      async update(change: (previous: object) => object) {
        updated[id] = change({ state: { paused: true, note: 'by an operator' }, spec: 'earlier' });
      },
    }),
  };
  await applySchedules({ schedule } as unknown as Client, 'queue');
  return { created, updated };
}

test('missing Schedules are created with their notes', async () => {
  const { created, updated } = await apply();
  const expected = Object.entries(DEFINITIONS).map(([id, definition]) => [
    id,
    { ...definition, state: { note: NOTES[id as keyof typeof NOTES] } },
  ]);
  assert.deepEqual(created, Object.fromEntries(expected));
  assert.deepEqual(updated, {});
});

test('existing Schedules are updated, except for the state that an operator changes', async () => {
  const { created, updated } = await apply(new ScheduleAlreadyRunning('exists', 'id'));
  const state = { paused: true, note: 'by an operator' };
  const expected = Object.entries(DEFINITIONS).map(([id, definition]) => [id, { ...definition, state }]);
  assert.deepEqual(updated, Object.fromEntries(expected));
  assert.deepEqual(created, {});
  await assert.rejects(apply(new Error('away')), { message: 'away' });
});
