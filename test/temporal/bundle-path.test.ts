/** A bundle of the workflows is built once per version of its sources. */
import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import { workflowBundle } from '../../temporal/bundle/bundle.ts';

test('a bundle is named by a hash of its sources, built if missing, and then reused', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'courant-bundle-'));
  t.after(() => rm(folder, { recursive: true }));
  const path = await workflowBundle(folder);
  assert.match(basename(path), /^workflows-[0-9a-f]{16}\.js$/);
  assert.deepEqual(await readdir(folder), [basename(path)], 'nothing else remains');
  assert.ok((await stat(path)).size > 100_000);
  await writeFile(path, 'reused');
  assert.equal(await workflowBundle(folder), path);
  assert.equal((await stat(path)).size, 6);
  const traced = path.replace('workflows-', 'workflows-traced-');
  await writeFile(traced, 'reused as well');
  assert.equal(await workflowBundle(folder, { isTraced: true }), traced);
});
