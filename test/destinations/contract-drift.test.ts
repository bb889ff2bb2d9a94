/** The contract of destinations that tell when a post was changed: what an author changed there is not overwritten unasked. */
import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import type { RemotePost } from '../../destinations/types.ts';
import { ROWS } from './rows/index.ts';
import type { Row } from './rows/types.ts';
import { done, openClient, readyArticle, startSandbox } from './stand-ins.ts';

/** Times of a platform may be whole seconds; whatever happens here, happens minutes apart. */
const MINUTE = 60_000;

/** A post, and a clock for both sides that is moved by hand. */
async function startPost(context: TestContext, row: Row) {
  let at = Date.now();
  const now = () => new Date(at);
  const sandbox = await startSandbox(context, { now });
  const client = openClient(row, sandbox.url, { now });
  const { payload } = await readyArticle(row, client);
  const post = done(await client.create(payload));
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

  describe(`${row.destination.label}, changed over there`, () => {
    if (!editByHand) {
      test('a platform that does not tell when a post was changed names no time', async (context) => {
        assert.equal((await startPost(context, row)).post.changedAt, null);
      });
      return;
    }

    test('our own writes are not drift', async (context) => {
      const { client, payload, post, pass } = await startPost(context, row);
      let known = readChange(post);
      for (let write = 0; write < 3; write += 1) {
        const next = readChange(done(await client.update(post.remoteId, payload, known)));
        assert.ok(Date.parse(next) >= Date.parse(known));
        known = next;
        pass();
      }
    });

    test('a post that was changed by hand is left alone until its author asks to overwrite it', async (context) => {
      const { sandbox, client, payload, post, pass } = await startPost(context, row);
      const known = readChange(post);
      await editByHand(sandbox.url, post.remoteId, 'Changed by hand');
      pass();
      const before = await sandbox.log();
      const outcome = await client.update(post.remoteId, payload, known);
      assert.ok(outcome.kind === 'drifted', JSON.stringify(outcome));
      assert.ok(Date.parse(outcome.changedAt) > Date.parse(known));
      assert.match(outcome.reason, /changed/);
      assert.deepEqual(await sandbox.log(), before);
      assert.equal(before.at(-1)?.title, 'Changed by hand');
      for (const unasked of [null, undefined]) {
        const after = done(await client.update(post.remoteId, payload, unasked));
        assert.notEqual((await sandbox.log()).at(-1)?.title, 'Changed by hand');
        pass();
        done(await client.update(post.remoteId, payload, after.changedAt));
        pass();
        await editByHand(sandbox.url, post.remoteId, 'Changed by hand');
        pass();
      }
    });

    test('what the platform finishes within seconds of our own write is not drift', async (context) => {
      let at = Date.parse('2026-11-21T12:00:00.900Z');
      const now = () => new Date(at);
      const sandbox = await startSandbox(context, { now });
      const client = openClient(row, sandbox.url, { now });
      const { payload } = await readyArticle(row, client);
      const post = done(await client.create(payload));
      at += 3_000;
      await editByHand(sandbox.url, post.remoteId, 'Finished by a plugin');
      const after = done(await client.update(post.remoteId, payload, readChange(post)));
      at += 10_000;
      await editByHand(sandbox.url, post.remoteId, 'Changed by hand');
      assert.equal((await client.update(post.remoteId, payload, readChange(after))).kind, 'drifted');
    });

    test('a change by hand that was seen before is no longer drift', async (context) => {
      const { sandbox, client, payload, post, pass } = await startPost(context, row);
      await editByHand(sandbox.url, post.remoteId, 'Changed by hand');
      pass();
      const outcome = await client.update(post.remoteId, payload, readChange(post));
      assert.ok(outcome.kind === 'drifted', JSON.stringify(outcome));
      done(await client.update(post.remoteId, payload, outcome.changedAt));
    });

    test('our own withdrawal is not drift: the post comes back with the next update', async (context) => {
      const { sandbox, client, payload, post, pass } = await startPost(context, row);
      done(await client.withdraw(post.remoteId));
      pass();
      assert.equal(done(await client.update(post.remoteId, payload, readChange(post))).remoteId, post.remoteId);
      assert.equal((await sandbox.log()).at(-1)?.action, 'update');
    });

    test('a post that is gone is gone, not drifted', async (context) => {
      const { client, payload, post } = await startPost(context, row);
      const outcome = await client.update(row.missingId, payload, readChange(post));
      assert.ok(outcome.kind === 'rejected' && outcome.code === 'remote_gone', JSON.stringify(outcome));
    });

    test('nothing is sent if the look at the post fails', async (context) => {
      const { sandbox, client, payload, post } = await startPost(context, row);
      await sandbox.setFaults([{ platform: row.key, action: 'find', times: 1, status: 503 }]);
      assert.equal((await client.update(post.remoteId, payload, readChange(post))).kind, 'unavailable');
      assert.equal((await sandbox.log()).length, 1);
    });
  });
}
