/** When a post counts as changed by somebody else, and which times of a platform are accepted. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findDrift, isChangedSince } from '../../../destinations/posts/drift.ts';
import { readTime } from '../../../destinations/posts/remote-post.ts';
import type { Outcome } from '../../../destinations/types.ts';
import { readPost } from '../../../destinations/wordpress/posts.ts';
import { expectDone, openClient, prepareArticle, startSandbox } from '../destination-harness.ts';
import { foremRow } from '../rows/forem.ts';
import { hashnodeRow } from '../rows/hashnode.ts';

const OURS = '2026-11-21T12:00:00.000Z';

function driftAt(changedAt: string | null) {
  return findDrift('Forem', OURS, async () => ({ kind: 'done', value: changedAt }));
}

test('only a time that is later than a platform needs to finish a write is a change', async () => {
  for (const changedAt of [null, '2020-01-01T00:00:00.000Z', OURS, '2026-11-21T12:00:05.000Z']) {
    assert.equal(await driftAt(changedAt), null, String(changedAt));
  }
  const changedAt = '2026-11-21T12:00:05.001Z';
  assert.deepEqual(await driftAt(changedAt), {
    ...{ kind: 'drifted', changedAt },
    reason: 'The copy was edited on Forem after Courant last wrote it, so Courant did not change it.',
  });
  assert.equal(isChangedSince(changedAt, OURS), true);
  for (const since of [null, undefined, changedAt]) assert.equal(isChangedSince(changedAt, since), false);
  assert.equal(isChangedSince(null, OURS), false);
});

test('without a time to compare with, the post is not looked up', async () => {
  for (const unchangedSince of [null, undefined]) {
    assert.equal(await findDrift('Forem', unchangedSince, () => assert.fail('lookedUp')), null);
  }
});

test('after a refused look-up the update is sent; after one without a response it is not', async () => {
  const results: [Outcome<never>, string | undefined][] = [
    [{ kind: 'rejected', code: 'not_found', reason: 'No.' }, undefined],
    [{ kind: 'unavailable', reason: 'Later.' }, 'unavailable'],
    [{ kind: 'rateLimited', retryAfterMs: 1000, reason: 'Later.' }, 'rateLimited'],
    [{ kind: 'unauthorised', reason: 'Who?' }, 'unauthorised'],
  ];
  for (const [result, expected] of results) {
    assert.equal((await findDrift('Forem', OURS, async () => result))?.kind, expected);
  }
});

test('the first value that is a time counts, in one spelling', () => {
  assert.equal(readTime(null, '2026-11-21T12:00:00Z'), OURS);
  assert.equal(readTime('2026-11-21T13:00:00+01:00', '2020-01-01T00:00:00Z'), OURS);
  for (const nonsense of ['', 'soon', '9'.repeat(1000), 7, {}, undefined]) assert.equal(readTime(nonsense), null);
});

for (const row of [foremRow, hashnodeRow]) {
  test(`the clock of ${row.destination.label} may differ from ours by years: its times are only compared with each other`, async (context) => {
    for (const start of ['2001-01-01T00:00:00Z', '2097-01-01T00:00:00Z']) {
      let now = Date.parse(start);
      const sandbox = await startSandbox(context, { now: () => new Date(now) });
      const client = openClient(row, sandbox.url);
      const { payload } = await prepareArticle(row, client);
      const post = expectDone(await client.create(payload));
      now += 60_000;
      const { changedAt } = expectDone(await client.update(post.remoteId, payload, post.changedAt));
      now += 60_000;
      await row.editByHand?.(sandbox.url, post.remoteId, 'Changed by hand');
      assert.equal((await client.update(post.remoteId, payload, changedAt)).kind, 'drifted');
    }
  });
}

test('WordPress’ time without an offset is UTC, in every time zone of this server', (context) => {
  const { TZ } = process.env;
  context.after(() => {
    if (TZ === undefined) delete process.env.TZ;
    else process.env.TZ = TZ;
  });
  process.env.TZ = 'America/New_York';
  const post = { id: 7, link: 'https://blog.example/post', modified_gmt: '2026-11-21T04:54:25' };
  assert.equal(readPost(post)?.changedAt, '2026-11-21T04:54:25.000Z');
});
