/** Tests the publish queue above its limits. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTick } from 'node:timers/promises';
import { createPublishQueue } from '../../../api/documents/publish-queue.ts';

test('one author’s excess publishes are rejected at once with Retry-After; other authors, and later publishes, are accepted (A28)', async () => {
  const queue = createPublishQueue();
  const { promise: stored, resolve: store } = Promise.withResolvers<void>();
  let begun = 0;
  const publish = () => {
    begun += 1;
    return stored;
  };
  const flood = Array.from({ length: 500 }, () => queue.run('ada', publish));
  const outcomes = Promise.allSettled(flood);
  await nextTick();
  assert.equal(begun, 4);
  const bob = Array.from({ length: 3 }, () => queue.run('bob', async () => 'done'));
  assert.deepEqual(await Promise.all(bob), ['done', 'done', 'done']);
  const { waiting } = queue.load();
  store();
  const refused = (await outcomes).filter((one) => one.status === 'rejected').map(({ reason }) => reason);
  assert.equal(refused.length, 500 - 4 - waiting);
  assert.equal(begun, 4 + waiting);
  for (const { statusCode, code, headers } of refused) {
    assert.deepEqual([statusCode, code, headers], [503, 'documents_busy', { 'retry-after': '5' }]);
  }
  assert.equal(await queue.run('ada', async () => 'done'), 'done');
  assert.deepEqual(queue.load(), { running: 0, waiting: 0 });
});
