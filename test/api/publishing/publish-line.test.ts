/** More publishes than can be done: who is refused, and that nobody waits behind a crowd. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createPublishLine } from '../../../api/documents/publish-queue.ts';

test('of one author’s flood the last are refused at once, and told when to come again; others are taken, and so is this author when it is over (A28)', async () => {
  const line = createPublishLine();
  const { promise: stored, resolve: store } = Promise.withResolvers<void>();
  let begun = 0;
  const publish = () => {
    begun += 1;
    return stored;
  };
  const flood = Array.from({ length: 500 }, () => line.run('ada', publish));
  const outcomes = Promise.allSettled(flood);
  await nextTurn();
  assert.equal(begun, 4);
  const bob = Array.from({ length: 3 }, () => line.run('bob', async () => 'taken'));
  assert.deepEqual(await Promise.all(bob), ['taken', 'taken', 'taken']);
  const { waiting } = line.load();
  store();
  const refused = (await outcomes).filter((one) => one.status === 'rejected').map(({ reason }) => reason);
  assert.equal(refused.length, 500 - 4 - waiting);
  assert.equal(begun, 4 + waiting);
  for (const { statusCode, code, headers } of refused) {
    assert.deepEqual([statusCode, code, headers], [503, 'documents_busy', { 'retry-after': '5' }]);
  }
  assert.equal(await line.run('ada', async () => 'taken'), 'taken');
  assert.deepEqual(line.load(), { running: 0, waiting: 0 });
});
