/** Pull requests are checked or saved as drafts. Without a valid token nothing is published. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { post, push, useAction } from './support/use-action.ts';

const action = useAction();

test('a rejected token stops the run and is never printed', async () => {
  const base = await action.repository.commit({ 'README.md': 'x' });
  await action.repository.commit({ 'posts/a.md': post('A'), 'posts/b.md': post('B') });
  const token = `courant_${'0123456789abcdef'.repeat(3)}`;
  const { code, log, summary } = await action.run({ ...push(base), inputs: { token } });
  assert.equal(code, 1);
  assert.match(log, /failed: posts\/a\.md/);
  assert.match(log, /not published: posts\/b\.md/);
  assert.match(log, /2 files of this run not published/);
  assert.ok(!(log + summary).includes(token.slice(8)));
});

test('a pull request is checked without a token, against the current target branch', async () => {
  const start = await action.repository.commit({ 'posts/old.md': post('Old') });
  await action.repository.git('checkout', '--quiet', '-b', 'change');
  const head = await action.repository.commit({ 'posts/new.md': post('New') });
  await action.repository.git('checkout', '--quiet', 'main');
  await action.repository.commit({ 'posts/of-others.md': post('Of others') });
  await action.repository.git('merge', '--quiet', '--no-ff', '--message=Merge', 'change');
  await action.repository.git('update-ref', 'refs/pull/1/merge', 'HEAD');
  const payload = { pull_request: { base: { sha: start }, head: { sha: head } } };
  const clone = await action.repository.shallowClone('refs/pull/1/merge');
  try {
    const { code, log } = await action.run(
      { event: 'pull_request', payload, inputs: { token: '', 'pull-request': 'draft' } },
      clone,
    );
    assert.equal(code, 0, log);
    assert.match(log, /a fork has no secrets/);
    assert.match(log, /checked: posts\/new\.md/);
    assert.doesNotMatch(log, /of-others/);
  } finally {
    await clone.remove();
  }
  // The head commit, for a workflow that checks it out instead of the merge.
  const source = await action.repository.shallowClone('change');
  try {
    const { code, log } = await action.run({ event: 'pull_request', payload }, source);
    assert.equal(code, 0, log);
    assert.match(log, /checked: posts\/new\.md/);
    assert.doesNotMatch(log, /old\.md/);
  } finally {
    await source.remove();
  }
  assert.deepEqual(await action.listArticles(), []);
});

test('"pull-request: draft" saves new files as drafts and withdraws no public article', async () => {
  const start = await action.repository.commit({ 'README.md': 'x' });
  const base = await action.repository.commit({ 'posts/public.md': post('Public') });
  await action.run(push(start));
  const head = await action.repository.commit({
    'posts/public.md': post('Public', 'tags: [a]\n'),
    'posts/new.md': post('New'),
  });
  const payload = { pull_request: { base: { sha: base }, head: { sha: head } } };
  const inputs = { 'pull-request': 'draft' };
  const { code, outputs, summary } = await action.run({ event: 'pull_request', payload, inputs });
  assert.equal(code, 0, summary);
  assert.equal(outputs.published, '1');
  assert.match(summary, /saved as DRAFT/);
  assert.deepEqual(await action.listArticles(), ['Public PUBLISHED', 'New DRAFT']);
  const foreign = await action.run({ event: 'pull_request_target', payload, inputs });
  assert.match(foreign.log, /they are checked only, and nothing is published/);
});
