/** Checks queue order on a pool with busy threads only. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createDocumentPool } from '../../../api/documents/pool.ts';
import { NOW, SITE } from '../../article/support/documents.ts';

const options = { siteOrigin: SITE };
/** Within every limit that is checked before parsing, but much slower than the publish. */
const SLOW = '- a\n\nb\n\n'.repeat(400);
const WRITERS = ['ada', 'bob', 'cyd'];

const pool = createDocumentPool({ timeLimitMs: 5_000, maxWaitMs: 60_000, maxThreads: 2 });
after(() => pool.close());

test('a publish overtakes waiting and running previews (A36)', async () => {
  const ended = await orderOf((writer) => {
    const input = { content: SLOW, fileName: 'slow.md', now: NOW };
    return pool.preview(writer, { input, options, crossPost: {}, preflightRequest: undefined });
  });
  assert.deepEqual(ended.slice(0, 1), ['publish']);
});

test('a publish overtakes waiting and running comments (A36)', async () => {
  const ended = await orderOf((writer) => pool.renderComment(writer, SLOW, SITE));
  assert.deepEqual(ended.slice(0, 1), ['publish']);
});

test('a comment that waits for a publish of its author does not delay other comments (A36)', async () => {
  await publish();
  const ended: string[] = [];
  const note = (name: string) => () => void ended.push(name);
  const slow = pool.readAndRender('ada', { input: { content: SLOW, fileName: 'slow.md', now: NOW }, options });
  const own = pool.renderComment('ada', 'Mine.', SITE);
  await Promise.all([
    slow.then(note('publish')),
    own.then(note('own comment')),
    pool.renderComment('bob', 'Yours.', SITE).then(note('other comment')),
  ]);
  assert.equal(ended[0] === 'own comment' ? ended[1] : ended[0], 'other comment');
});

/** Starts a slow task per writer, then another author's publish. Returns the completion order. */
async function orderOf(begin: (writer: string) => Promise<unknown>): Promise<string[]> {
  // Starts both threads.
  await Promise.all([publish(), publish('fay')]);
  const ended: string[] = [];
  const note = (name: string) => () => void ended.push(name);
  const slow = WRITERS.map((writer) => begin(writer).then(note(writer), note(writer)));
  while (pool.load().running === 0) await nextTurn();
  await Promise.all([publish().then(note('publish')), ...slow]);
  return ended;
}

function publish(writer = 'eve') {
  return pool.readAndRender(writer, { input: { content: '# T\n\nA few words.', now: NOW }, options });
}
