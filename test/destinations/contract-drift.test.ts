/**
 * Contract of destinations that report when a post changed: an update does not overwrite an
 * author's change by default.
 */
import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import type { RemotePost } from '../../destinations/types.ts';
import { expectDone, openClient, prepareArticle, startSandbox } from './destination-harness.ts';
import { ROWS } from './rows/index.ts';
import type { Row } from './rows/types.ts';

/** Times of a platform may be whole seconds, so all steps here are minutes apart. */
const MINUTE = 60_000;

/** A post, and a clock for both sides that the test moves. */
async function startPost(context: TestContext, row: Row) {
  let at = Date.now();
  const now = () => new Date(at);
  const sandbox = await startSandbox(context, { now });
  const client = openClient(row, sandbox.url, { now });
  const { payload } = await prepareArticle(row, client);
  const post = expectDone(await client.create(payload));
  const pass = () => {
    at += MINUTE;
  };
  pass();
  return { sandbox, client, payload, post, pass };
}

function readChange({ changedAt }: RemotePost): string {
  assert.ok(changedAt !== null);
  assert.equal(new Date(changedAt).toISOString(), changedAt);
  return changedAt;
}

for (const row of ROWS) {
  const { editByHand } = row;

  describe(`${row.destination.label}: posts changed on the platform`, () => {
    if (!editByHand) {
      test('a platform without change times reports none', async (context) => {
        assert.equal((await startPost(context, row)).post.changedAt, null);
      });
      return;
    }

    test('our own writes are not drift', async (context) => {
      const { client, payload, post, pass } = await startPost(context, row);
      let known = readChange(post);
      for (let write = 0; write < 3; write += 1) {
        const next = readChange(expectDone(await client.update(post.remoteId, payload, known)));
        assert.ok(Date.parse(next) >= Date.parse(known));
        known = next;
        pass();
      }
    });

    test('a post changed by hand is not updated unless its author requests an overwrite', async (context) => {
      const { sandbox, client, payload, post, pass } = await startPost(context, row);
      const known = readChange(post);
      await editByHand(sandbox.url, post.remoteId, 'Changed by hand');
      pass();
      const before = await sandbox.log();
      const outcome = await client.update(post.remoteId, payload, known);
      assert.ok(outcome.kind === 'drifted', JSON.stringify(outcome));
      assert.ok(Date.parse(outcome.changedAt) > Date.parse(known));
      assert.match(outcome.reason, /was edited/);
      assert.deepEqual(await sandbox.log(), before);
      assert.equal(before.at(-1)?.title, 'Changed by hand');
      for (const unconditional of [null, undefined]) {
        const after = expectDone(await client.update(post.remoteId, payload, unconditional));
        assert.notEqual((await sandbox.log()).at(-1)?.title, 'Changed by hand');
        pass();
        expectDone(await client.update(post.remoteId, payload, after.changedAt));
        pass();
        await editByHand(sandbox.url, post.remoteId, 'Changed by hand');
        pass();
      }
    });

    test('changes that the platform makes within seconds of our own write are not drift', async (context) => {
      let at = Date.parse('2026-11-21T12:00:00.900Z');
      const now = () => new Date(at);
      const sandbox = await startSandbox(context, { now });
      const client = openClient(row, sandbox.url, { now });
      const { payload } = await prepareArticle(row, client);
      const post = expectDone(await client.create(payload));
      at += 3_000;
      await editByHand(sandbox.url, post.remoteId, 'Finished by a plugin');
      const after = expectDone(await client.update(post.remoteId, payload, readChange(post)));
      at += 10_000;
      await editByHand(sandbox.url, post.remoteId, 'Changed by hand');
      assert.equal((await client.update(post.remoteId, payload, readChange(after))).kind, 'drifted');
    });

    test('a change by hand that is already known is not drift', async (context) => {
      const { sandbox, client, payload, post, pass } = await startPost(context, row);
      await editByHand(sandbox.url, post.remoteId, 'Changed by hand');
      pass();
      const outcome = await client.update(post.remoteId, payload, readChange(post));
      assert.ok(outcome.kind === 'drifted', JSON.stringify(outcome));
      expectDone(await client.update(post.remoteId, payload, outcome.changedAt));
    });

    test('our own withdrawal is not drift: the next update publishes the post again', async (context) => {
      const { sandbox, client, payload, post, pass } = await startPost(context, row);
      expectDone(await client.withdraw(post.remoteId));
      pass();
      assert.equal(expectDone(await client.update(post.remoteId, payload, readChange(post))).remoteId, post.remoteId);
      assert.equal((await sandbox.log()).at(-1)?.action, 'update');
    });

    test('a deleted post is reported as gone, not as drifted', async (context) => {
      const { client, payload, post } = await startPost(context, row);
      const outcome = await client.update(row.missingId, payload, readChange(post));
      assert.ok(outcome.kind === 'rejected' && outcome.code === 'remote_gone', JSON.stringify(outcome));
    });

    test('nothing is sent if reading the post fails', async (context) => {
      const { sandbox, client, payload, post } = await startPost(context, row);
      await sandbox.setFaults([{ platform: row.key, action: 'find', times: 1, status: 503 }]);
      assert.equal((await client.update(post.remoteId, payload, readChange(post))).kind, 'unavailable');
      assert.equal((await sandbox.log()).length, 1);
    });
  });
}
