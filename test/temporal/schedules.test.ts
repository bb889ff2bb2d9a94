/** Tests the Schedules on a real Temporal server. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, test } from 'node:test';
import { ScheduleOverlapPolicy } from '@temporalio/client';
import { applySchedules, SCHEDULES } from '../../temporal/schedules.ts';
import { type DigestWorld, startDigestWorld } from '../support/api/digest.ts';
import { eventually } from '../support/eventually.ts';

/** The same Schedules under unique ids, because other tests use the same server. */
const suffix = randomBytes(4).toString('hex');
const schedules = SCHEDULES.map((schedule) => ({ ...schedule, id: `${schedule.id}-${suffix}` }));
const [sweepId, roundupId] = ['digest-sweep', 'weekly-roundup'].map((id) => `${id}-${suffix}`) as [string, string];

let world: DigestWorld;
before(async () => {
  world = await startDigestWorld();
});
after(async () => {
  for (const { id } of schedules) await handle(id).delete();
  await world.close();
});

const handle = (id: string) => world.client.schedule.getHandle(id);
const apply = (some = schedules) => applySchedules(world.client, world.taskQueue, some);

test('several workers at once create the missing Schedules with their overlap and catch-up policies', async () => {
  await Promise.all([apply(), apply(), apply()]);
  const sweep = await handle(sweepId).describe();
  assert.deepEqual(sweep.policies, {
    overlap: ScheduleOverlapPolicy.BUFFER_ONE,
    catchupWindow: 3_600_000,
    pauseOnFailure: false,
  });
  assert.equal(sweep.state.paused, false);
  assert.match(sweep.state.note ?? '', /digest/);
  assert.ok(sweep.info.nextActionTimes.every((at) => at.getUTCMinutes() === 0 && at.getUTCSeconds() === 30));
  assert.equal(sweep.info.nextActionTimes[1]?.getTime(), (sweep.info.nextActionTimes[0]?.getTime() ?? 0) + 3_600_000);
  const roundup = await handle(roundupId).describe();
  assert.ok(roundup.info.nextActionTimes.every((at) => at.getUTCDay() === 1 && at.getUTCHours() === 6));
  assert.equal(roundup.policies.overlap, ScheduleOverlapPolicy.BUFFER_ALL);
});

test('a changed definition is applied without ending an operator’s pause', async () => {
  await apply();
  await handle(sweepId).pause('the mail server moves');
  await apply(schedules.map((schedule) => ({ ...schedule, catchupWindow: '2 hours' })));
  const { state, policies } = await handle(sweepId).describe();
  assert.equal(policies.catchupWindow, 7_200_000);
  assert.equal(state.paused, true);
  assert.equal(state.note, 'the mail server moves');
  await handle(sweepId).unpause();
  await apply();
  assert.equal((await handle(sweepId).describe()).state.paused, false);
});

test('the sweep and the roundup run when an operator triggers them', async () => {
  await apply();
  for (const id of [sweepId, roundupId]) {
    await handle(id).trigger();
    const { workflowId } = await eventually('the run', async () => {
      const { info } = await handle(id).describe();
      return info.recentActions[0]?.action.workflow;
    });
    const answer = await world.client.workflow.getHandle(workflowId).result();
    assert.match(answer, /^0 digests started$|^\d{4}-W\d{2}: nothing to feature$/);
  }
});

test('a roundup that runs late covers the week that it was scheduled for', async () => {
  await apply();
  await handle(roundupId).backfill({
    start: new Date('2026-01-11T00:00:00Z'),
    end: new Date('2026-01-20T00:00:00Z'),
    overlap: ScheduleOverlapPolicy.BUFFER_ALL,
  });
  const weeks = await eventually('both weeks', async () => {
    const rows = await world.db
      .selectFrom('roundups')
      .select('week')
      .where('week', '<', '2026-W10')
      .orderBy('week')
      .execute();
    return rows.length === 2 ? rows.map(({ week }) => week) : null;
  });
  assert.deepEqual(weeks, ['2026-W02', '2026-W03']);
});
