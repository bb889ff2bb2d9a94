/** Selection of files: the base of the comparison, and the inputs that change it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NO_COMMIT, post, push, useAction } from './support/use-action.ts';

const action = useAction();

test('the first push of the default branch selects every file; of another branch, the files since it branched off', async () => {
  await action.repository.commit({ 'posts/one.md': post('One'), 'posts/two.md': post('Two') });
  const first = await action.run(push(NO_COMMIT));
  assert.match(first.log, /first push of the branch: every file/);
  assert.deepEqual(await action.listArticles(), ['One PUBLISHED', 'Two PUBLISHED']);
  await action.repository.git('checkout', '--quiet', '-b', 'more');
  await action.repository.commit({ 'posts/three.md': post('Three') });
  const { log, outputs } = await action.run(push(NO_COMMIT, { ref: 'refs/heads/more' }));
  assert.match(log, /The branch is new: compared with .* where it branched from/);
  assert.equal(outputs.published, '1');
});

test('a shallow clone fetches the commit before a forced push; a missing commit is named in the error', async () => {
  await action.repository.commit({ 'posts/kept.md': post('Kept') });
  const before = await action.repository.commit({ 'posts/dropped.md': post('Dropped', 'tags: [gone]\n') });
  await action.repository.git('reset', '--quiet', '--hard', 'HEAD^');
  await action.repository.commit({ 'posts/new.md': post('New') });
  const clone = await action.repository.shallowClone('main');
  try {
    const forced = await action.run(push(before, { forced: true }), clone);
    assert.equal(forced.code, 0, forced.log);
    assert.match(forced.log, /before this forced push/);
    assert.deepEqual(await action.listArticles(), ['New PUBLISHED']);
    assert.match(forced.log, /deleted: posts\/dropped\.md/);
    const missing = await action.run(push('1234567890'.repeat(4), { forced: true }), clone);
    assert.equal(missing.code, 1);
    assert.match(
      String(missing.annotations[0]?.message),
      /The commit before this forced push \(1234567890.*fetch-depth: 0.*workflow_dispatch/,
    );
    assert.match(missing.summary, /^## Nothing was published/);
  } finally {
    await clone.remove();
  }
});

test('an event without a commit selects every file, "base" selects files since it, and patterns exclude files', async () => {
  const base = await action.repository.commit({ '[my] posts/one.md': post('One'), 'm posts/other.md': post('Other') });
  await action.repository.commit({ '[my] posts/two.md': post('Two'), '[my] posts/README.md': post('Not this') });
  const inputs = { folder: './[my] posts/', files: '**/*.md\n!**/README.md' };
  assert.equal((await action.run({ event: 'schedule', inputs: { ...inputs, base } })).outputs.published, '1');
  const { outputs, log } = await action.run({ event: 'workflow_dispatch', inputs });
  assert.equal(outputs.published, '2', log);
  assert.deepEqual(await action.listArticles(), ['Two PUBLISHED', 'One PUBLISHED']);
});

test('"dry-run" publishes nothing, whatever the event', async () => {
  await action.repository.commit({ 'posts/a.md': post('A') });
  const { code, summary } = await action.run({ ...push(NO_COMMIT), inputs: { 'dry-run': 'true', token: '' } });
  assert.equal(code, 0);
  assert.match(summary, /All files can be published/);
  assert.deepEqual(await action.listArticles(), []);
});

test('all invalid inputs are reported at once, before any other step', async () => {
  await action.repository.commit({ 'posts/a.md': post('A') });
  const inputs = { folder: '../elsewhere', 'pull-request': 'publish', 'dry-run': 'yes', base: '--upload-pack=x' };
  const { code, annotations } = await action.run({ event: 'push', inputs });
  assert.equal(code, 1);
  const message = String(annotations[0]?.message);
  for (const name of ['folder', 'pull-request', 'dry-run', 'base']) assert.ok(message.includes(`"${name}"`), message);
  const access = await action.run({ ...push(NO_COMMIT), inputs: { token: '', endpoint: '' } });
  assert.match(String(access.annotations[0]?.message), /"token" is empty.*\n.*"endpoint" is empty/);
});
