/** Changes of a post on Ghost: versions, collisions, drift, drafts, deleted posts. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { expectDone, startSandbox } from '../destination-harness.ts';
import { buildPayload, collision, openGhost, POST, startGhost } from './support/scripted-ghost.ts';

test('an update names the version that it read', async (context) => {
  const { origin, seen } = await startGhost(context, () => ({ status: 200, json: { posts: [POST] } }));
  const post = expectDone(await openGhost(origin).update(POST.id, buildPayload({ slug: 'not-sent' })));
  assert.deepEqual(post, { remoteId: POST.id, url: POST.url, changedAt: POST.updated_at });
  assert.deepEqual(
    seen.map(({ method }) => method),
    ['GET', 'PUT'],
  );
  assert.equal(seen[1]?.body.updated_at, POST.updated_at);
  assert.equal(seen[1]?.body.status, 'published');
  assert.ok(!('slug' in (seen[1]?.body ?? {})), 'a new slug would break links');
});

test('after a collision the post is read again, and the change is based on that version', async (context) => {
  let version = 0;
  const at = () => `2026-01-01T00:00:0${version}.000Z`;
  const { origin, seen } = await startGhost(context, ({ method, body }) => {
    if (method === 'GET') {
      const json = { posts: [{ ...POST, updated_at: at() }] };
      // Somebody saves right after our first read.
      if (version === 0) version = 1;
      return { status: 200, json };
    }
    return body.updated_at === at() ? { status: 200, json: { posts: [{ ...POST, updated_at: at() }] } } : collision;
  });
  assert.equal(expectDone(await openGhost(origin).update(POST.id, buildPayload())).changedAt, at());
  assert.deepEqual(
    seen.map(({ method }) => method),
    ['GET', 'PUT', 'GET', 'PUT'],
  );
});

test('a collision with an edit by hand is drift, unless the author requested an overwrite', async (context) => {
  let reads = 0;
  const { origin, seen } = await startGhost(context, ({ method }) => {
    if (method !== 'GET') return collision;
    reads += 1;
    return { status: 200, json: { posts: [{ ...POST, updated_at: `2026-01-01T00:00:0${reads}.000Z` }] } };
  });
  const outcome = await openGhost(origin).update(POST.id, buildPayload(), '2026-01-01T00:00:01.000Z');
  assert.ok(outcome.kind === 'drifted' && outcome.changedAt === '2026-01-01T00:00:02.000Z', JSON.stringify(outcome));
  assert.equal(seen.filter(({ method }) => method === 'PUT').length, 1);
});

test('after repeated collisions the update is unavailable', async (context) => {
  const { origin, seen } = await startGhost(context, ({ method }) =>
    method === 'GET' ? { status: 200, json: { posts: [POST] } } : collision,
  );
  assert.equal((await openGhost(origin).update(POST.id, buildPayload())).kind, 'unavailable');
  assert.equal((await openGhost(origin).withdraw(POST.id)).kind, 'unavailable');
  assert.equal(seen.length, 12);
});

test('a post that was changed since is not updated', async (context) => {
  const { origin, seen } = await startGhost(context, () => ({ status: 200, json: { posts: [POST] } }));
  const client = openGhost(origin);
  const drifted = await client.update(POST.id, buildPayload(), '2025-12-31T23:59:00.000Z');
  assert.ok(drifted.kind === 'drifted' && drifted.changedAt === POST.updated_at);
  assert.deepEqual(
    seen.map(({ method }) => method),
    ['GET'],
  );
  for (const since of [POST.updated_at, null, undefined])
    expectDone(await client.update(POST.id, buildPayload(), since));
});

test('a draft is published again whenever it was changed, because our withdrawal was its last change', async (context) => {
  const draft = { ...POST, status: 'draft' };
  const { origin, seen } = await startGhost(context, () => ({ status: 200, json: { posts: [draft] } }));
  expectDone(await openGhost(origin).update(POST.id, buildPayload(), '2025-12-31T23:59:59.000Z'));
  assert.equal(seen[1]?.body.status, 'published');
});

test('every change of a deleted post reports it as gone', async (context) => {
  const { url } = await startSandbox(context);
  const client = openGhost(`${url}/ghost-site`);
  for (const outcome of [await client.update(POST.id, buildPayload()), await client.withdraw(POST.id)]) {
    assert.ok(outcome.kind === 'rejected' && outcome.code === 'remote_gone', JSON.stringify(outcome));
  }
});
