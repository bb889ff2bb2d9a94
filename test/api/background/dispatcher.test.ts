/** The outbox while Temporal is unreachable. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findFreePort } from '../../../scripts/start/ports.ts';
import { markdown, startTestApi } from '../../support/api/api.ts';
import { startDeliveryWorld } from '../../support/delivery/delivery.ts';

test('a publish while Temporal is unreachable succeeds, and is delivered once Temporal is back (F6, F4)', async (t) => {
  const world = await startDeliveryWorld();
  t.after(() => world.close());
  const away = await startTestApi({
    databaseUrl: world.api.databaseUrl,
    home: world.api.home,
    temporal: `127.0.0.1:${await findFreePort()}`,
    env: { TEMPORAL_TASK_QUEUE: world.api.taskQueue, BASE_URL: `http://localhost:${new URL(world.api.url).port}` },
  });
  const author = await world.api.createAuthor('during-the-outage');
  await world.connect(author, 'blogsite_a');
  const answer = await away.publish({ content: markdown({ title: 'During the outage' }) }, { token: author.token });
  assert.equal(answer.status, 201);
  // This instance never reaches Temporal; another one, or the same after a restart, does.
  await away.close();
  const row = await world.reaches(answer.body.data?.id ?? '', 'blogsite_a', 'delivered', 60_000);
  assert.ok(row.remoteId);
  assert.equal((await world.log('During the outage')).length, 1);
  assert.equal((await world.notifications(author)).length, 1);
});

test('a draft that was never public writes no outbox row', async (t) => {
  const api = await startTestApi({ temporal: `127.0.0.1:${await findFreePort()}` });
  t.after(() => api.close());
  await api.publish({ content: markdown({ title: 'Quiet', draft: true }) });
  assert.deepEqual(await api.db.selectFrom('outbox').select('id').execute(), []);
});
