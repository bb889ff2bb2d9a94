/**
 * Processes with a clock an hour ahead or behind (`libfaketime`). PostgreSQL, Temporal and the
 * destinations have the right time.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { explainAbsence, findTool } from '../../../scripts/check/set-up.ts';
import { buildArticleWorkflowId } from '../../../temporal/names.ts';
import { prepareApi } from '../../api/support/api-process.ts';
import { markdown, postArticle, type TestAuthor } from '../../support/api/api.ts';
import { type DeliveryWorld, startDeliveryWorld } from '../../support/delivery/delivery.ts';
import { assertOnePostOneEvent, createConnectedAuthor, waitForArticleEnd } from '../../support/delivery/publishing.ts';
import { prepareWorker } from '../../support/delivery/worker-process.ts';
import { readTemporalAddress } from '../../support/environment.ts';
import { eventually } from '../../support/eventually.ts';

const library = findTool('FAKETIME_LIBRARY') ?? '';
const skip = library === '' && explainAbsence('FAKETIME_LIBRARY');

const HOUR_MS = 60 * 60_000;
const WITHIN_MS = 180_000;

/** Shifts only the time of day, because timers use the monotonic clock. */
function shift(by: '+1h' | '-1h'): Record<string, string> {
  return { LD_PRELOAD: library, FAKETIME: by, FAKETIME_DONT_FAKE_MONOTONIC: '1', DONT_FAKE_MONOTONIC: '1' };
}

describe('with another clock', { skip }, () => {
  let world: DeliveryWorld;
  before(async () => {
    world = await startDeliveryWorld({ worker: false });
  });
  after(() => world?.close());

  const readArticle = (id: string) =>
    world.api.db
      .selectFrom('articles')
      .select(['status', 'publishedAt'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
  const schedule = async (url: string, author: TestAuthor, title: string, at: Date) => {
    const content = markdown({ title, scheduled_at: at.toISOString() });
    const { status, body } = await postArticle(url, author.token, { content });
    return { status, id: body.data?.id ?? '', state: body.data?.status };
  };

  /** Returns whether a worker responds to a query of the article's workflow. */
  const respondsToQuery = (id: string) =>
    world.client.workflow
      .getHandle(buildArticleWorkflowId(id))
      .query('__stack_trace')
      .then(
        () => true,
        () => false,
      );

  for (const by of ['+1h', '-1h'] as const) {
    test(`an API with a clock ${by}: a publish and its repeat by key succeed, are delivered once, and a schedule fires once (F14)`, async (t) => {
      const worker = prepareWorker(world, { env: { DELIVERY_PACING: 'off' } });
      t.after(() => worker.kill());
      const api = await prepareApi({ like: world.api, temporal: readTemporalAddress(), env: shift(by) });
      t.after(() => api.kill());
      await Promise.all([worker.start(), api.start()]);
      const answered = await fetch(`${api.url}/health/live`);
      const wrongBy = Date.parse(answered.headers.get('date') ?? '') - Date.now();
      assert.ok(Math.abs(Math.abs(wrongBy) - HOUR_MS) < HOUR_MS / 2, `its clock is wrong by ${wrongBy} ms`);

      const author = await createConnectedAuthor(world, 'blogsite_a');
      const title = `Published at ${by}`;
      const key = { 'idempotency-key': `clock${by}` };
      const first = await postArticle(api.url, author.token, { content: markdown({ title }) }, key);
      const again = await postArticle(world.api.url, author.token, { content: markdown({ title }) }, key);
      assert.deepEqual([first.status, again.status, again.body], [201, 201, first.body]);
      await world.reaches(first.body.data?.id ?? '', 'blogsite_a', 'delivered', WITHIN_MS);
      await assertOnePostOneEvent(world, { author, title });

      // Half an hour from now. For the API that is ahead, that is past, so it publishes at once.
      const planner = await createConnectedAuthor(world, 'blogsite_a');
      const soon = await schedule(api.url, planner, `Planned at ${by}`, new Date(Date.now() + HOUR_MS / 2));
      if (by === '+1h') {
        await world.reaches(soon.id, 'blogsite_a', 'delivered', WITHIN_MS);
        await assertOnePostOneEvent(world, { author: planner, title: `Planned at ${by}` });
        return;
      }
      assert.equal(soon.state, 'SCHEDULED');
      // Half an hour ago: the worker does not use the clock of the API that is behind.
      const late = await schedule(api.url, planner, `Overdue at ${by}`, new Date(Date.now() - HOUR_MS / 2));
      assert.equal(late.state, 'SCHEDULED');
      await world.reaches(late.id, 'blogsite_a', 'delivered', WITHIN_MS);
      await assertOnePostOneEvent(world, { author: planner, title: `Overdue at ${by}` });
      assert.equal((await readArticle(soon.id)).status, 'SCHEDULED');
    });
  }

  test('two workers, one an hour ahead and one an hour behind: a schedule fires once, by the clock of the worker that checks it (F14)', async (t) => {
    const workers = (['+1h', '-1h'] as const).map((by) =>
      prepareWorker(world, { env: { DELIVERY_PACING: 'off', LATE_REQUEST_SECONDS: '1', ...shift(by) } }),
    );
    t.after(() => Promise.all(workers.map((worker) => worker.kill())));
    const [ahead, behind] = workers as [(typeof workers)[number], (typeof workers)[number]];
    const author = await createConnectedAuthor(world, 'blogsite_a');
    const at = new Date(Date.now() + HOUR_MS / 2);
    const { id } = await schedule(world.api.url, author, 'Fires once', at);
    // For the worker that is behind, the time is in an hour and a half, so it starts a timer.
    await behind.start();
    await eventually('the actor to wait', () => respondsToQuery(id), { withinMs: WITHIN_MS });
    assert.equal((await readArticle(id)).status, 'SCHEDULED');
    await ahead.start();
    await behind.kill();
    // The author changes the time slightly, so that it is checked again.
    await schedule(world.api.url, author, 'Fires once', new Date(at.getTime() + 60_000));
    await world.reaches(id, 'blogsite_a', 'delivered', WITHIN_MS);
    await behind.start();
    await waitForArticleEnd(world, id);
    await assertOnePostOneEvent(world, { author, title: 'Fires once' });
    assert.equal((await readArticle(id)).status, 'PUBLISHED');
  });
});
